//! Runs an experiment: every selected case in a child of its own, repetitions interleaved
//! (A B C A B C), so that a slow minute of the machine falls on all of them.

use crate::claim;
use crate::document::{CaseResult, Document, Ended, Sample, Status};
use crate::experiment::{Case, Expect, Experiment};
use crate::human;
use crate::limits::{self, Limits};
use crate::machine::Machine;
use crate::params::{Params, Size};
use crate::parent::{self, Outcome};
use crate::progress::Progress;
use crate::stop;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// What to run and how.
pub struct Plan<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The cases that were selected, in order.
    pub cases: Vec<&'a Case>,
    /// The experiment's parameters.
    pub params: Params,
    /// Repetitions of each case.
    pub reps: u32,
    /// The arguments as given, for the record.
    pub arguments: Vec<String>,
    /// When the run began, UTC.
    pub date: String,
}

impl Plan<'_> {
    /// The parameters of one case.
    pub fn params_of(&self, case: &Case) -> Params {
        let mut params = self.params.clone();
        (case.adjust)(&mut params);
        params
    }

    /// The sum of all floors: the run takes at least this long.
    pub fn floor(&self) -> Duration {
        let runs = |case: &&&Case| case.cannot.is_none();
        let one: Duration =
            self.cases.iter().filter(runs).map(|case| (case.floor)(&self.params_of(case))).sum();
        one * self.reps
    }

    /// Children that will be started.
    pub fn children(&self) -> u64 {
        self.cases.iter().filter(|case| case.cannot.is_none()).count() as u64 * u64::from(self.reps)
    }

    /// The most memory that a case says it will need, bytes.
    pub fn most_memory(&self, limits: &Limits) -> u64 {
        let need = |case: &&Case| (case.needs)(&self.params_of(case), limits).memory;
        self.cases.iter().map(need).max().unwrap_or(0)
    }
}

/// Runs the plan; an interrupted run gives a document marked as not complete.
pub fn run(plan: &Plan<'_>, progress: &mut Progress) -> Document {
    let machine = Machine::read();
    let limits = Limits::read();
    let mut results: Vec<CaseResult> =
        plan.cases.iter().map(|case| prepare(plan, case, &limits)).collect();
    for rep in 0..plan.reps {
        for (case, result) in plan.cases.iter().zip(&mut results) {
            // What went wrong once is not worth its deadline again.
            let settled = result.status != Status::Ok && result.samples.is_empty();
            if settled || stop::requested() {
                continue;
            }
            progress
                .case(&format!("{} · {} · {}", plan.experiment.id, result.runtime, result.name));
            one_child(plan, case, rep, result, progress);
            progress.done();
        }
    }
    let missing = |r: &CaseResult| r.status == Status::Ok && r.samples.len() < plan.reps as usize;
    let complete = !(stop::requested() && results.iter().any(missing));
    for result in results.iter_mut().filter(|r| r.status == Status::Ok && r.samples.is_empty()) {
        result.status = Status::Skipped;
        result.reason = Some("interrupted before it ran".to_owned());
    }
    let mut document = Document {
        schema: 1,
        experiment: plan.experiment.id.to_owned(),
        question: plan.experiment.question.to_owned(),
        complete,
        date: plan.date.clone(),
        arguments: plan.arguments.clone(),
        size: plan.params.size,
        reps: plan.reps,
        machine,
        params: plan.params.json(plan.experiment.params),
        layout: plan.experiment.layout,
        columns: plan.experiment.columns.to_vec(),
        charts: plan.experiment.charts.iter().map(Into::into).collect(),
        cases: results,
        claims: Vec::new(),
    };
    document.claims = claim::judge(plan.experiment.claims, &document);
    document
}

/// The case's row before anything ran: refused beforehand where it cannot or must not run.
fn prepare(plan: &Plan<'_>, case: &Case, limits: &Limits) -> CaseResult {
    let params = plan.params_of(case);
    let mut needs = (case.needs)(&params, limits);
    // Every runtime starts its workers and a few helpers; some panic where they are refused.
    needs.threads = needs.threads.max(params.workers + 4);
    let refused = limits.refuse(&needs);
    let (status, reason) = match (case.cannot, refused) {
        (Some(reason), _) => (Status::Skipped, Some(reason.to_owned())),
        (None, Some(limit)) => (Status::Limit, Some(limit.to_string())),
        (None, None) => (Status::Ok, None),
    };
    CaseResult {
        id: case.id.to_owned(),
        name: params.fill(case.name, plan.experiment.params),
        runtime: case.runtime.name().to_owned(),
        params: params.json(plan.experiment.params),
        floor_ns: (case.floor)(&params).as_nanos() as u64,
        varies: case.varies,
        status,
        ended: None,
        reason,
        samples: Vec::new(),
    }
}

fn one_child(
    plan: &Plan<'_>,
    case: &Case,
    rep: u32,
    result: &mut CaseResult,
    progress: &mut Progress,
) {
    let params = plan.params_of(case);
    let deadline = (case.floor)(&params) * 4 + (case.patience)(&params);
    match child_command(plan, case, rep, &params, deadline) {
        Ok(mut command) => match parent::run(&mut command, deadline, &mut || progress.tick()) {
            Ok(outcome) => take_outcome(case, &params, outcome, result),
            Err(error) => not_started(result, &error),
        },
        Err(error) => fail(result, format!("this program cannot find itself: {error}")),
    }
}

fn child_command(
    plan: &Plan<'_>,
    case: &Case,
    rep: u32,
    params: &Params,
    deadline: Duration,
) -> std::io::Result<Command> {
    let environment = (case.env)(params);
    let params = serde_json::to_string(params).map_err(std::io::Error::other)?;
    let mut command = Command::new(itself()?);
    for knob in KNOBS {
        command.env_remove(knob);
    }
    command
        .envs(environment)
        .arg("--child")
        .arg(format!("{}/{}/{rep}", plan.experiment.id, case.id))
        .arg(params)
        .arg(deadline.as_millis().to_string())
        .arg(std::process::id().to_string());
    Ok(command)
}

/// Variables that change a runtime from outside. The cases set what they want, so that what is
/// recorded is what ran.
const KNOBS: [&str; 6] = [
    "ASYNC_GLOBAL_EXECUTOR_THREADS",
    "ASYNC_STD_THREAD_COUNT",
    "BLOCKING_MAX_THREADS",
    "RUST_MIN_STACK",
    "SMOL_THREADS",
    "TOKIO_WORKER_THREADS",
];

/// This program. On Linux by a link to the file that runs, which a rebuild does not change.
fn itself() -> std::io::Result<PathBuf> {
    let link = PathBuf::from("/proc/self/exe");
    if link.exists() { Ok(link) } else { std::env::current_exe() }
}

fn not_started(result: &mut CaseResult, error: &std::io::Error) {
    let what = "the child process could not be started";
    match limits::behind(error) {
        Some(limit) => {
            result.status = Status::Limit;
            result.reason = Some(format!("{what}: {limit}"));
        }
        None => fail(result, format!("{what}: {error}")),
    }
}

fn fail(result: &mut CaseResult, reason: String) {
    result.status = Status::Failed;
    result.reason = Some(reason);
    result.samples.clear();
}

/// Sets an outcome against what the case expects.
fn take_outcome(case: &Case, params: &Params, outcome: Outcome, result: &mut CaseResult) {
    let Some(ended) = outcome.ended else { return };
    result.ended = Some(ended);
    let expected = matches!(
        (case.expect, ended),
        (Expect::Finish, Ended::Finish)
            | (Expect::Hang, Ended::Hang)
            | (Expect::Abort, Ended::Abort)
            | (Expect::Limit, Ended::Limit)
    );
    match (expected, ended) {
        (true, _) => take_sample(case, params, outcome, result),
        (false, Ended::Limit) => {
            result.status = Status::Limit;
            result.reason = outcome.reason;
        }
        (false, Ended::Hang) => {
            fail(result, outcome.reason.unwrap_or_default());
            result.status = Status::Timeout;
        }
        (false, Ended::Finish) => fail(result, "it finished, which it was not meant to".to_owned()),
        (false, Ended::Abort) => fail(result, outcome.reason.unwrap_or_default()),
    }
}

fn take_sample(case: &Case, params: &Params, outcome: Outcome, result: &mut CaseResult) {
    let sample: Sample = outcome.sample;
    if let Err(wrong) = (case.check)(params, &sample.answer) {
        return fail(result, format!("the answer is wrong: {wrong}"));
    }
    result.samples.push(sample);
    if let Some(limit) = outcome.limited {
        result.status = Status::Limit;
        result.reason = Some(limit);
    }
}

/// How long a plan takes at least, in words, for the line before it starts.
pub fn expectation(plan: &Plan<'_>) -> Option<String> {
    // A child takes some 10 ms to start and to end, beside its floor.
    let least = plan.floor() + Duration::from_millis(10) * plan.children() as u32;
    (least >= Duration::from_secs(2)).then(|| {
        format!(
            "{}: {} children, at least {}",
            plan.experiment.id,
            human::count(plan.children()),
            human::given(&human::duration_ns(least.as_nanos() as f64))
        )
    })
}

/// The repetitions at a size, unless given.
pub fn repetitions(size: Size) -> u32 {
    match size {
        Size::Default => 3,
        Size::Quick | Size::Full => 1,
    }
}
