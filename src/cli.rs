//! The command line, the same for every experiment and for the tour, and the exit codes:
//! 0 ran and right, 1 failed or wrong, 2 usage, 3 this machine cannot, 130 and 143 interrupted.

use crate::child;
use crate::document::{CaseResult, Document, Status};
use crate::experiment::{Case, Experiment, Runtime};
use crate::human;
use crate::limits::Limits;
use crate::machine::{self, Machine};
use crate::options::{self, Options};
use crate::params::{Params, Size};
use crate::progress::Progress;
use crate::record;
use crate::report;
use crate::run::{self, Plan};
use crate::stop;
use crate::text;
use crate::warning::Warning;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

/// Why a run stops before or after measuring, with its exit code.
#[derive(Debug)]
pub enum Stop {
    /// Exit 2: one sentence that names the option and what it takes.
    Usage(String),
    /// Exit 3: this machine cannot; names the limit and how to change it.
    Machine(String),
    /// The reader of our output went away (`| head -1`): end without a word.
    NobodyReads,
    /// `-h`, `--version` or `--list`: what to print.
    Print(String),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Stop::NobodyReads,
            _ => Stop::Machine(format!("the output cannot be written: {error}")),
        }
    }
}

/// The `main` of an experiment.
pub fn main(experiment: &'static Experiment) -> ExitCode {
    start(&[experiment], false)
}

/// The `main` of the tour: all experiments, at `--quick` size unless told otherwise.
pub fn tour(experiments: &[&'static Experiment]) -> ExitCode {
    start(experiments, true)
}

fn start(experiments: &[&'static Experiment], tour: bool) -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    if let [first, rest @ ..] = arguments.as_slice()
        && first == "--child"
    {
        return as_child(experiments, rest);
    }
    stop::listen();
    let outcome = options::parse(experiments, tour, &arguments)
        .and_then(|options| run_all(experiments, tour, &options, &arguments));
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(Stop::Print(text)) => match write_out(&text) {
            Err(Stop::Machine(_)) => ExitCode::from(3),
            _ => ExitCode::SUCCESS,
        },
        Err(Stop::NobodyReads) => ExitCode::from(stop::exit_code().unwrap_or(0)),
        Err(Stop::Usage(sentence)) => complain(&sentence, 2),
        Err(Stop::Machine(sentence)) => complain(&sentence, 3),
    }
}

fn complain(sentence: &str, code: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {sentence}");
    ExitCode::from(code)
}

/// `--child EXPERIMENT/CASE/REP PARAMS DEADLINE_MS PARENT`; only ever typed by this program itself.
fn as_child(experiments: &[&'static Experiment], rest: &[String]) -> ExitCode {
    let [path, params, deadline_ms, parent] = rest else { return ExitCode::from(2) };
    let mut parts = path.split('/');
    let (Some(id), Some(case)) = (parts.next(), parts.next()) else { return ExitCode::from(2) };
    let Some(experiment) = experiments.iter().find(|experiment| experiment.id == id) else {
        return ExitCode::from(2);
    };
    let deadline = Duration::from_millis(deadline_ms.parse().unwrap_or(60_000));
    child::main(experiment, case, params, deadline, parent.parse().unwrap_or(0))
}

fn run_all(
    experiments: &[&'static Experiment],
    tour: bool,
    options: &Options,
    arguments: &[String],
) -> Result<u8, Stop> {
    let plans = plans(experiments, options, arguments)?;
    if options.list {
        return Err(Stop::Print(list(&plans)));
    }
    if options.record {
        let folder = record::recorded_folder(&Machine::read().slug());
        record::ensure_writable(&folder)
            .map_err(|error| cannot_write(&folder.display().to_string(), &error))?;
    }
    let report_path = match tour {
        true => Some(report::prepare(options.report.as_deref())?),
        false => None,
    };
    announce(&plans);
    let documents = measure(&plans, tour, options)?;
    warn(&documents);
    if options.record {
        record_all(&documents)?;
    }
    if let Some(path) = report_path {
        record::write_whole(&path, &report::html(&documents, plans.len()))
            .map_err(|error| cannot_write(&path.display().to_string(), &error))?;
        let _ = writeln!(io::stderr(), "report: {}", path.display());
    }
    // Last, so that an exit with 3 leaves stdout empty.
    if options.json {
        write_out(&json(&documents, plans.len(), tour))?;
    }
    Ok(exit_code(&documents, plans.len(), options))
}

/// Runs the plans and, unless JSON is asked for, prints each result.
fn measure(plans: &[Plan<'_>], tour: bool, options: &Options) -> Result<Vec<Document>, Stop> {
    let mut progress = Progress::new(plans.iter().map(Plan::children).sum());
    let mut documents: Vec<Document> = Vec::new();
    let mut refusals = Vec::new();
    for plan in plans {
        if stop::requested() && !documents.is_empty() {
            break;
        }
        let document = run::run(plan, &mut progress);
        refusals.extend(refused(&document));
        // An experiment of which nothing can run here has no result; alone it is exit 3.
        if !options.json && (tour || refusals.is_empty()) {
            let gap = if documents.is_empty() { "" } else { "\n" };
            let printed = format!("{gap}{}", text::render(&document));
            match progress.pause(|| write_out(&printed)) {
                // The files are still wanted when nobody reads the tables any more.
                Err(Stop::NobodyReads) if tour || options.record => {}
                written => written?,
            }
        }
        documents.push(document);
    }
    progress.finish();
    if !refusals.is_empty() && refusals.len() == plans.len() {
        return Err(Stop::Machine(refusals.join("; ")));
    }
    if !options.json && documents.len() < plans.len() {
        let (ran, all) = (documents.len(), plans.len());
        write_out(&format!("\npartial: interrupted after {ran} of {all} experiments\n"))?;
    }
    Ok(documents)
}

fn cannot_write(what: &str, error: &io::Error) -> Stop {
    Stop::Machine(format!(
        "{what} cannot be written: {error}; free some space or choose a folder of yours"
    ))
}

fn plans<'a>(
    experiments: &[&'a Experiment],
    options: &Options,
    arguments: &[String],
) -> Result<Vec<Plan<'a>>, Stop> {
    let reps = options.reps.unwrap_or_else(|| run::repetitions(options.size));
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let mut plans = Vec::new();
    for experiment in experiments {
        let workers = options.workers.unwrap_or_else(machine::cpus);
        let mut params = Params::new(experiment.params, options.size, workers);
        for (name, value) in &options.values {
            params.set(name, *value);
        }
        let cases: Vec<&Case> =
            experiment.cases.iter().filter(|case| options.selects(case)).collect();
        if cases.is_empty() {
            continue;
        }
        plans.push(Plan {
            experiment,
            cases,
            params,
            reps,
            arguments: arguments.to_vec(),
            date: date.clone(),
        });
    }
    match plans.is_empty() {
        true => Err(Stop::Usage(
            "--runtime and --case together select no case; --list shows all".to_owned(),
        )),
        false => Ok(plans),
    }
}

fn list(plans: &[Plan<'_>]) -> String {
    let mut out = String::new();
    for plan in plans {
        out.push_str(&format!("{}  {}\n", plan.experiment.id, plan.experiment.question));
        for case in &plan.cases {
            let name = plan.params_of(case).fill(case.name, plan.experiment.params);
            let runtime = case.runtime.name();
            out.push_str(&format!("  {:<32} {runtime:<10} {name}\n", case.id));
        }
    }
    out
}

/// What the run will take, said before it starts.
fn announce(plans: &[Plan<'_>]) {
    let limits = Limits::read();
    for plan in plans {
        if let Some(line) = run::expectation(plan) {
            let _ = writeln!(io::stderr(), "{line}");
        }
        let memory = plan.most_memory(&limits);
        if memory > 1 << 30 {
            let room = limits.room_for_memory().0;
            let _ = writeln!(
                io::stderr(),
                "{}: needs up to {} of memory; {} may be used",
                plan.experiment.id,
                human::bytes(memory as f64),
                human::bytes(room as f64)
            );
        }
    }
}

/// The reason, when a limit stands in the way of every selected case.
fn refused(document: &Document) -> Option<String> {
    let idle = |case: &CaseResult| {
        case.samples.is_empty() && matches!(case.status, Status::Limit | Status::Skipped)
    };
    let all = document.complete && document.cases.iter().all(idle);
    let first = document.cases.iter().find(|case| all && case.status == Status::Limit)?;
    let reason = first.reason.clone().unwrap_or_default();
    Some(format!("no selected case can run here: {reason}"))
}

fn exit_code(documents: &[Document], planned: usize, options: &Options) -> u8 {
    let whole = documents.len() == planned && documents.iter().all(|document| document.complete);
    if let Some(code) = stop::exit_code().filter(|_| !whole) {
        return code;
    }
    let failed = documents.iter().any(Document::failed);
    let claims = options.strict && documents.iter().any(Document::a_claim_fails);
    u8::from(failed || claims)
}

fn json(documents: &[Document], planned: usize, tour: bool) -> String {
    match (tour, documents) {
        (false, [only]) => record::to_json(only),
        _ => {
            let complete = documents.len() == planned && documents.iter().all(|d| d.complete);
            let all =
                serde_json::json!({"schema": 1, "complete": complete, "experiments": documents});
            format!("{all:#}\n")
        }
    }
}

fn warn(documents: &[Document]) {
    let mut said: Vec<String> = Vec::new();
    for document in documents {
        for warning in Warning::about(document) {
            let text = warning.to_string();
            if !said.contains(&text) {
                let _ = writeln!(io::stderr(), "warning: {text}");
                said.push(text);
            }
        }
    }
}

fn record_all(documents: &[Document]) -> Result<(), Stop> {
    for document in documents {
        let path = record::recorded_path(document);
        let shown = path.display();
        let nothing_ran =
            document.cases.iter().any(|c| c.status == Status::Limit && c.samples.is_empty());
        if !document.complete || document.failed() || nothing_ran {
            let _ =
                writeln!(io::stderr(), "not recorded, {shown} is as before: the run is not whole");
            continue;
        }
        record::write_whole(&path, &record::to_json(document))
            .map_err(|error| cannot_write(&shown.to_string(), &error))?;
        let _ = writeln!(io::stderr(), "recorded: {shown}");
    }
    Ok(())
}

fn write_out(text: &str) -> Result<(), Stop> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Which cases a run was asked for.
impl Options {
    fn selects(&self, case: &Case) -> bool {
        let kind = case.id.strip_prefix(case.runtime.name()).unwrap_or(case.id);
        let named = |name: &String| name == case.id || *name == kind.trim_start_matches('-');
        (self.runtimes.is_empty() || self.runtimes.contains(&case.runtime))
            && (self.cases.is_empty() || self.cases.iter().any(named))
    }

    /// Whether every case at its own numbers was asked for: what may be recorded.
    pub fn is_whole(&self) -> bool {
        let enough = self.reps.is_none_or(|reps| reps >= run::repetitions(self.size));
        let own = self.values.is_empty() && self.workers.is_none();
        self.runtimes.is_empty() && self.cases.is_empty() && own && enough
    }
}

/// Kept here so that the parser needs no other part of the lab.
pub(crate) fn known_runtimes() -> String {
    Runtime::ALL.map(Runtime::name).join(", ")
}

/// The size that was asked for.
pub(crate) fn size(quick: bool, full: bool, tour: bool) -> Size {
    match (quick, full, tour) {
        (_, true, _) => Size::Full,
        (true, _, _) | (_, _, true) => Size::Quick,
        _ => Size::Default,
    }
}
