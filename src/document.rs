//! The result of a run: what `--json` prints and `--record` keeps. Its schema is
//! `data/schema.json`. Tables, charts and claims are drawn from this document alone, so a
//! recorded run can be shown again without running anything.

use crate::experiment::{Answer, Chart, Layout, Runtime};
use crate::human;
use crate::machine::Machine;
use crate::params::Size;
use crate::stats;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One experiment, run once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The version of this format: 1.
    pub schema: u32,
    /// The experiment's stem.
    pub experiment: String,
    /// Its question.
    pub question: String,
    /// False when the run was interrupted: some cases or repetitions are missing.
    pub complete: bool,
    /// When it began, UTC, `2026-12-01T00:30:00Z`.
    pub date: String,
    /// The arguments after the program's name, as given.
    pub arguments: Vec<String>,
    /// Quick, default or full.
    pub size: Size,
    /// Repetitions asked for.
    pub reps: u32,
    /// The machine and what the program was built with.
    pub machine: Machine,
    /// The experiment's parameters.
    pub params: Map<String, Value>,
    /// How the table is laid out, and its columns.
    pub layout: Layout,
    /// Columns of the table.
    pub columns: Vec<Column>,
    /// The charts that can be drawn from the cases.
    pub charts: Vec<ChartSpec>,
    /// The cases, in order.
    pub cases: Vec<CaseResult>,
    /// The claims, in order.
    pub claims: Vec<ClaimResult>,
}

/// A chart as the document keeps it; the fields are those of [`Chart`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartSpec {
    /// File stem after the experiment's.
    pub id: String,
    /// What the picture shows.
    pub title: String,
    /// Ids of the cases without their runtime.
    pub kinds: Vec<String>,
    /// The figure drawn.
    pub figure: Column,
    /// The parameter on the horizontal axis; none for bars.
    pub across: Option<String>,
}

impl From<&Chart> for ChartSpec {
    fn from(chart: &Chart) -> ChartSpec {
        ChartSpec {
            id: chart.id.to_owned(),
            title: chart.title.to_owned(),
            kinds: chart.kinds.iter().map(ToString::to_string).collect(),
            figure: chart.figure.clone(),
            across: chart.across.map(str::to_owned),
        }
    }
}

/// One case with the samples of its repetitions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseResult {
    /// Unique within the experiment.
    pub id: String,
    /// What it does; the same words on each runtime.
    pub name: String,
    /// `threads`, `tokio`, `async-std`, `smol` or `may`.
    pub runtime: String,
    /// The parameters of this case.
    pub params: Map<String, Value>,
    /// waves × wait, in nanoseconds; 0 where nothing has to be waited for.
    pub floor_ns: u64,
    /// Whether the answer's numbers may differ from run to run or between machines.
    pub varies: bool,
    /// How it went.
    pub status: Status,
    /// How the last repetition ended; none where nothing ran.
    pub ended: Option<Ended>,
    /// Why there is no sample, or what limited it.
    pub reason: Option<String>,
    /// One for each repetition that gave an answer.
    pub samples: Vec<Sample>,
}

/// How a case went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It ended as it was meant to, and every answer is right.
    Ok,
    /// It failed, or an answer is wrong.
    Failed,
    /// It did not run: the runtime has no such thing, or the run was interrupted before it.
    Skipped,
    /// It did not end in time.
    Timeout,
    /// A limit of the system stands in the way, wholly or in part.
    Limit,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// It answered and left.
    Finish,
    /// The deadline ended it.
    Hang,
    /// It died without an answer.
    Abort,
    /// It ran into a limit and said so.
    Limit,
}

/// What one repetition measured.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// Wall-clock time of the timed part.
    pub wall_ns: u64,
    /// User and system time of the whole process in the timed part.
    pub cpu_ns: Option<u64>,
    /// The most memory that was ever resident (VmHWM).
    pub peak_rss_bytes: Option<u64>,
    /// Resident memory when the timed part began.
    pub rss_before_bytes: Option<u64>,
    /// The most OS threads seen, sampled from outside.
    pub peak_os_threads: Option<u64>,
    /// Voluntary and involuntary context switches of the timed part.
    pub context_switches: Option<u64>,
    /// Moments of the timed part, nanoseconds from its beginning.
    pub marks: Map<String, Value>,
    /// `[milliseconds, OS threads]` whenever the number changed, at most ten a second.
    pub os_threads_over_time: Vec<(u64, u64)>,
    /// What the case answered.
    pub answer: Answer,
}

/// A claim and whether the figures bear it out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimResult {
    /// Unique within the experiment.
    pub id: String,
    /// The claim in one sentence.
    pub text: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// The threshold, or what would be needed to apply the claim.
    pub expected: String,
    /// The figures; empty where it does not apply.
    pub measured: String,
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The figures bear it out.
    Holds,
    /// They do not.
    Fails,
    /// This run cannot tell: the size or the cases are missing.
    NotApplicable,
}

/// A figure of a case, as a table shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// waves × wait.
    Floor,
    /// Median wall-clock time.
    Wall,
    /// Median CPU time.
    Cpu,
    /// Median peak resident memory.
    PeakRss,
    /// Median of the most OS threads seen.
    OsThreads,
    /// A number that must be right: heading and key.
    Answer(std::borrow::Cow<'static, str>, std::borrow::Cow<'static, str>),
    /// A measured number of bytes in the answer: heading and key.
    AnswerBytes(std::borrow::Cow<'static, str>, std::borrow::Cow<'static, str>),
    /// A moment of the timed part: heading and name.
    Mark(std::borrow::Cow<'static, str>, std::borrow::Cow<'static, str>),
}

impl Column {
    /// A number of the answer that is printed as it is.
    pub const fn answer(heading: &'static str, key: &'static str) -> Column {
        Column::Answer(std::borrow::Cow::Borrowed(heading), std::borrow::Cow::Borrowed(key))
    }

    /// A number of bytes in the answer.
    pub const fn bytes(heading: &'static str, key: &'static str) -> Column {
        Column::AnswerBytes(std::borrow::Cow::Borrowed(heading), std::borrow::Cow::Borrowed(key))
    }

    /// A moment that the case marked.
    pub const fn mark(heading: &'static str, name: &'static str) -> Column {
        Column::Mark(std::borrow::Cow::Borrowed(heading), std::borrow::Cow::Borrowed(name))
    }

    /// The heading of the table's column.
    pub fn heading(&self) -> &str {
        match self {
            Column::Floor => "floor",
            Column::Wall => "wall",
            Column::Cpu => "CPU",
            Column::PeakRss => "RSS",
            Column::OsThreads => "threads",
            Column::Answer(heading, _)
            | Column::AnswerBytes(heading, _)
            | Column::Mark(heading, _) => heading,
        }
    }

    /// The figure of a case as a number (nanoseconds, bytes or a count), for charts and ratios.
    pub fn number(&self, case: &CaseResult) -> Option<f64> {
        let of = |get: &dyn Fn(&Sample) -> Option<f64>| {
            stats::median(&case.samples.iter().filter_map(get).collect::<Vec<f64>>())
        };
        match self {
            Column::Floor => (case.floor_ns > 0).then_some(case.floor_ns as f64),
            Column::Wall => of(&|s| Some(s.wall_ns as f64)),
            Column::Cpu => of(&|s| s.cpu_ns.map(|v| v as f64)),
            Column::PeakRss => of(&|s| s.peak_rss_bytes.map(|v| v as f64)),
            Column::OsThreads => of(&|s| s.peak_os_threads.map(|v| v as f64)),
            Column::Answer(_, key) | Column::AnswerBytes(_, key) => {
                of(&|s| s.answer.number(key).map(|v| v as f64))
            }
            Column::Mark(_, name) => of(&|s| s.marks.get(name.as_ref()).and_then(Value::as_f64)),
        }
    }

    /// The figure of a case as a table shows it. A measured number has its unit.
    pub fn cell(&self, case: &CaseResult) -> String {
        let missing = if case.samples.is_empty() { "—" } else { "n/a" };
        let Some(value) = self.number(case) else { return missing.to_owned() };
        match self {
            Column::Floor => human::given(&human::duration_ns(value)),
            Column::Wall | Column::Cpu | Column::Mark(..) => human::duration_ns(value),
            Column::PeakRss | Column::AnswerBytes(..) => human::bytes(value),
            Column::OsThreads => format!("{} thr", human::count(value as u64)),
            Column::Answer(..) if case.varies || case.status == Status::Limit => {
                format!("≈{}", human::count(value as u64))
            }
            Column::Answer(..) => human::count(value as u64),
        }
    }
}

impl Document {
    /// A case by its id.
    pub fn case(&self, id: &str) -> Option<&CaseResult> {
        self.cases.iter().find(|case| case.id == id)
    }

    /// True when something ended as it was not meant to, or an answer is wrong.
    pub fn failed(&self) -> bool {
        self.cases.iter().any(|case| matches!(case.status, Status::Failed | Status::Timeout))
    }

    /// True when a claim does not hold.
    pub fn a_claim_fails(&self) -> bool {
        self.claims.iter().any(|claim| claim.verdict == Verdict::Fails)
    }

    /// The runtimes that take part, in the usual order.
    pub fn runtimes(&self) -> Vec<Runtime> {
        let present = |r: &Runtime| self.cases.iter().any(|case| case.runtime == r.name());
        Runtime::ALL.into_iter().filter(present).collect()
    }
}

impl CaseResult {
    /// A parameter of the case as a number; 0 where it has none of that name.
    pub fn param(&self, name: &str) -> f64 {
        self.params.get(name).and_then(Value::as_f64).unwrap_or(0.0)
    }

    /// What the case does, without its runtime: `tokio-each` gives `each`.
    pub fn kind(&self) -> &str {
        self.id.strip_prefix(&self.runtime).map_or(&self.id, |rest| rest.trim_start_matches('-'))
    }
}
