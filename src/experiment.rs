//! What an experiment is made of. The boundary of the lab is the *whole case*: a case is one
//! function of plain tokio, smol, async-std, may or std code, and the lab only starts it in a
//! process of its own, watches it from outside and checks the answer that it gives.
//!
//! Left out on purpose: any common vocabulary for spawning or waiting. A reader came for the
//! runtime's own.

use crate::child::Recorder;
use crate::claim::{Checked, NotApplicable};
use crate::document::{Column, Document};
use crate::limits::{Limits, Needs};
use crate::params::{Param, Params};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// The five runtimes, in the order in which every table and chapter shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runtime {
    /// OS threads, `std::thread`.
    Threads,
    /// tokio, multi-threaded.
    Tokio,
    /// async-std (discontinued; kept for comparison).
    AsyncStd,
    /// smol, an executor of our own on N threads.
    Smol,
    /// may, stackful coroutines.
    May,
}

impl Runtime {
    /// All five, in order.
    pub const ALL: [Runtime; 5] =
        [Runtime::Threads, Runtime::Tokio, Runtime::AsyncStd, Runtime::Smol, Runtime::May];

    /// The four that are not OS threads.
    pub const LIGHT: [Runtime; 4] =
        [Runtime::Tokio, Runtime::AsyncStd, Runtime::Smol, Runtime::May];

    /// The name on the command line and in the JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Runtime::Threads => "threads",
            Runtime::Tokio => "tokio",
            Runtime::AsyncStd => "async-std",
            Runtime::Smol => "smol",
            Runtime::May => "may",
        }
    }

    /// The runtime of a name.
    pub fn from_name(name: &str) -> Option<Runtime> {
        Runtime::ALL.into_iter().find(|runtime| runtime.name() == name)
    }
}

/// What a case found out: named numbers and words, checked outside the timed part.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Answer(pub BTreeMap<String, Value>);

impl Answer {
    /// An answer with nothing in it yet.
    pub fn new() -> Answer {
        Answer::default()
    }

    /// Adds one figure; the key is one of the table in data/schema.json.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Answer {
        self.0.insert(key.to_owned(), value.into());
        self
    }

    /// A number of the answer.
    pub fn number(&self, key: &str) -> Option<u64> {
        self.0.get(key).and_then(Value::as_u64)
    }
}

/// How a case is meant to end. An expected end is a result; only an unexpected one is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// It returns an answer.
    Finish,
    /// It never returns: the deadline ends it.
    Hang,
    /// The process dies.
    Abort,
    /// It runs into a limit of the system and says so.
    Limit,
}

/// The function of a case.
pub type Run = fn(&Params, &mut Recorder) -> anyhow::Result<Answer>;

/// One case: one way of doing the experiment's work, on one runtime.
#[derive(Clone, Copy)]
pub struct Case {
    /// Unique within the experiment; begins with the runtime's name.
    pub id: &'static str,
    /// The runtime whose code it is.
    pub runtime: Runtime,
    /// What the case does, the same words on each runtime; `{pool_size}` is filled in.
    pub name: &'static str,
    /// The code, top to bottom.
    pub run: Run,
    /// A reason, where the runtime has no such thing: then the row says so and nothing runs.
    pub cannot: Option<&'static str>,
    /// How the case differs from the experiment's parameters (a step of a sweep).
    pub adjust: fn(&mut Params),
    /// The physical floor: waves × wait. Zero where there is none.
    pub floor: fn(&Params) -> Duration,
    /// The time allowed beyond four times the floor.
    pub patience: fn(&Params) -> Duration,
    /// Environment variables of its process: knobs that a runtime has nowhere else.
    pub env: fn(&Params) -> Vec<(&'static str, String)>,
    /// What it will need of the system, so that it can be refused beforehand.
    pub needs: fn(&Params, &Limits) -> Needs,
    /// How it is meant to end.
    pub expect: Expect,
    /// True when the answer's numbers differ from run to run; tables then write `≈` before them.
    pub varies: bool,
    /// Whether the answer is right; the error says what is wrong.
    pub check: fn(&Params, &Answer) -> Result<(), String>,
}

/// A case with nothing filled in, for `..CASE`.
pub const CASE: Case = Case {
    id: "",
    runtime: Runtime::Threads,
    name: "",
    run: |_, _| anyhow::bail!("this case has no code"),
    cannot: None,
    adjust: |_| {},
    floor: |_| Duration::ZERO,
    patience: |_| Duration::from_secs(20),
    env: |_| Vec::new(),
    needs: |_, _| Needs::NOTHING,
    expect: Expect::Finish,
    varies: false,
    check: |_, _| Ok(()),
};

/// A shape that the figures must have, such as "pool ÷ one each is at least 0.9 × waves".
/// Its threshold is computed from the parameters, so that it is true at any size.
#[derive(Clone, Copy)]
pub struct Claim {
    /// Unique within the experiment.
    pub id: &'static str,
    /// The claim in one sentence.
    pub text: &'static str,
    /// Holds or fails with the figures, or does not apply with the reason.
    pub check: fn(&Document) -> Result<Checked, NotApplicable>,
}

/// How an experiment's table is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// A row a case, with the figures in columns.
    Rows,
    /// A row a case name, a column a runtime, and only whether the answer was right.
    Matrix,
}

/// A whole experiment.
pub struct Experiment {
    /// The stem that example, chapter and recorded file share.
    pub id: &'static str,
    /// The question, in one line.
    pub question: &'static str,
    /// Its own options.
    pub params: &'static [Param],
    /// The cases; rows appear in this order, grouped by name.
    pub cases: &'static [Case],
    /// The claims.
    pub claims: &'static [Claim],
    /// The table's layout.
    pub layout: Layout,
    /// The columns of a `Rows` table.
    pub columns: &'static [Column],
    /// The charts of the chapter and the report.
    pub charts: &'static [Chart],
}

/// What a chart draws: one figure of some cases. It is kept in the document, so that a chart
/// can be drawn again from recorded data.
#[derive(Clone, Copy, Debug)]
pub struct Chart {
    /// File stem in chapters/charts after the experiment's, unique within it.
    pub id: &'static str,
    /// The title: what the picture shows.
    pub title: &'static str,
    /// The kinds of cases that take part: ids without their runtime, `each`.
    pub kinds: &'static [&'static str],
    /// The figure drawn.
    pub figure: &'static Column,
    /// A parameter of the cases on the horizontal axis: a line for each runtime, and a dashed
    /// one for the floor. None: bars, a group for each kind and a bar for each runtime.
    pub across: Option<&'static str>,
}
