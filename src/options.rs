//! Reads the options. What is wrong with them is said in one sentence that names the option
//! and what it takes, before anything starts.

use crate::cli::Stop;
use crate::experiment::{Experiment, Runtime};
use crate::params::{Kind, Param, Size};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::PathBuf;

/// What was asked for.
#[derive(Debug)]
pub struct Options {
    /// Only these runtimes; empty: all.
    pub runtimes: Vec<Runtime>,
    /// Only these cases, by id or by the part after the runtime; empty: all.
    pub cases: Vec<String>,
    /// Repetitions, if given.
    pub reps: Option<u32>,
    /// Workers of the light runtimes, if given.
    pub workers: Option<u64>,
    /// The size.
    pub size: Size,
    /// One JSON document instead of tables.
    pub json: bool,
    /// Keep the result under data/recorded.
    pub record: bool,
    /// A claim that fails is exit 1.
    pub strict: bool,
    /// Print the cases and end.
    pub list: bool,
    /// Where the tour writes its report.
    pub report: Option<PathBuf>,
    /// The experiment's own parameters that were given.
    pub values: Vec<(&'static str, u64)>,
}

const REPS: Param = Param::count("reps", "", (1, 1000), (1, 3, 1));
const WORKERS: Param = Param::count("workers", "", (1, 256), (1, 1, 1));

/// Reads them; `Err` also for what only prints something, such as `-h`.
///
/// # Errors
/// [`Stop::Usage`] with the sentence, [`Stop::Print`] with the text.
pub fn parse(
    experiments: &[&'static Experiment],
    tour: bool,
    arguments: &[String],
) -> Result<Options, Stop> {
    let own: &[Param] = if tour { &[] } else { experiments.first().map_or(&[], |e| e.params) };
    let mut command = command(experiments, own, tour);
    let name = command.get_name().to_owned();
    let typed = std::iter::once(name).chain(arguments.iter().cloned());
    let given =
        command.try_get_matches_from_mut(typed).map_err(|error| explain(&error, &command))?;
    let (quick, full) = (given.get_flag("quick"), given.get_flag("full"));
    if quick && full {
        return Err(Stop::Usage(
            "--quick and --full exclude each other; give one of them".to_owned(),
        ));
    }
    let options = Options {
        runtimes: runtimes(&given)?,
        cases: cases(&given, experiments)?,
        reps: number(&given, &REPS)?.map(|n| n as u32),
        workers: number(&given, &WORKERS)?,
        size: crate::cli::size(quick, full, tour),
        json: given.get_flag("json"),
        record: given.get_flag("record"),
        strict: given.get_flag("strict"),
        list: given.get_flag("list"),
        report: if tour { report(&given)? } else { None },
        values: own
            .iter()
            .filter_map(|param| Some(number(&given, param).transpose()?.map(|v| (param.name, v))))
            .collect::<Result<_, _>>()?,
    };
    if options.record && (!options.is_whole() || options.size == Size::Quick) {
        return Err(Stop::Usage(
            "--record keeps a whole run at its own numbers, default or --full, so it goes without options that change them, and in the tour with --full".to_owned(),
        ));
    }
    Ok(options)
}

fn command(experiments: &[&'static Experiment], own: &[Param], tour: bool) -> Command {
    let (name, about) = match (tour, experiments.first()) {
        (false, Some(experiment)) => (experiment.id, experiment.question),
        _ => ("tour", "Every experiment on every runtime, and a report."),
    };
    let value = |name: &'static str, what: &'static str, help: String| {
        Arg::new(name).long(name).value_name(what).help(help).allow_hyphen_values(true)
    };
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
    };
    let mut command = Command::new(name)
        .about(about)
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_subcommand(true)
        .help_template("{about}\n\n{usage-heading} {usage}\n\n{options}\n")
        .arg(value(
            "runtime",
            "LIST",
            format!("only these, with commas: {}", crate::cli::known_runtimes()),
        ))
        .arg(value("case", "LIST", "only these cases; --list shows them".to_owned()))
        .arg(value("reps", "N", "repetitions, 1 to 1,000 [3; quick and full 1]".to_owned()))
        .arg(value("workers", "N", "workers of a runtime, 1 to 256 [one for each CPU]".to_owned()))
        .arg(flag("quick", "small, one repetition, a few seconds"))
        .arg(flag("full", "the posts' own numbers, however long it takes"))
        .arg(flag("json", "one JSON document instead of tables"))
        .arg(flag("record", "keep the result under data/recorded"))
        .arg(flag("strict", "exit 1 when a claim fails"))
        .arg(flag("list", "print the cases and end"));
    if tour {
        command = command.arg(value("report", "FILE", "where to write the HTML report".to_owned()));
    }
    for param in own {
        let (low, high) = param.range;
        let [quick, default, full] =
            [Size::Quick, Size::Default, Size::Full].map(|size| param.show(param.at(size)));
        let what = if param.kind == Kind::Count { "N" } else { "TIME" };
        let help = format!(
            "{}, {} to {} [{default}; quick {quick}, full {full}]",
            param.help,
            param.show(low),
            param.show(high)
        );
        command = command.arg(
            Arg::new(param.name)
                .long(param.option())
                .value_name(what)
                .help(help)
                .allow_hyphen_values(true),
        );
    }
    command
}

fn number(given: &ArgMatches, param: &Param) -> Result<Option<u64>, Stop> {
    match given.get_one::<String>(param.name) {
        Some(text) => param.parse(text).map(Some).map_err(Stop::Usage),
        None => Ok(None),
    }
}

fn runtimes(given: &ArgMatches) -> Result<Vec<Runtime>, Stop> {
    let Some(list) = given.get_one::<String>("runtime") else { return Ok(Vec::new()) };
    let one = |name: &str| {
        Runtime::from_name(name.trim()).ok_or_else(|| {
            Stop::Usage(format!(
                "--runtime takes one or more of {}, with commas between them, not '{}'",
                crate::cli::known_runtimes(),
                name.escape_debug()
            ))
        })
    };
    list.split(',').map(one).collect()
}

fn cases(given: &ArgMatches, experiments: &[&'static Experiment]) -> Result<Vec<String>, Stop> {
    let Some(list) = given.get_one::<String>("case") else { return Ok(Vec::new()) };
    let known = |name: &str| {
        experiments.iter().flat_map(|experiment| experiment.cases).any(|case| {
            let kind = case.id.strip_prefix(case.runtime.name()).unwrap_or(case.id);
            name == case.id || name == kind.trim_start_matches('-')
        })
    };
    let one = |name: &str| match known(name.trim()) {
        true => Ok(name.trim().to_owned()),
        false => Err(Stop::Usage(format!(
            "--case takes one of the names that --list prints, not '{}'",
            name.escape_debug()
        ))),
    };
    list.split(',').map(one).collect()
}

fn report(given: &ArgMatches) -> Result<Option<PathBuf>, Stop> {
    match given.get_one::<String>("report") {
        Some(path) if path.is_empty() => {
            Err(Stop::Usage("--report takes the name of a file, not ''".to_owned()))
        }
        path => Ok(path.map(PathBuf::from)),
    }
}

/// clap's several lines as one sentence.
fn explain(error: &clap::Error, command: &Command) -> Stop {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.first().cloned(),
        _ => None,
    };
    let argument = context(ContextKind::InvalidArg).unwrap_or_default();
    let option = argument.split([' ', '=']).next().unwrap_or_default();
    Stop::Usage(match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            return Stop::Print(error.to_string());
        }
        ErrorKind::UnknownArgument => {
            let near = context(ContextKind::SuggestedArg);
            let near = near.map(|near| format!("; perhaps {near}")).unwrap_or_default();
            format!("there is no option '{}'{near}; -h lists them all", option.escape_debug())
        }
        ErrorKind::ArgumentConflict => format!("{option} is given twice; give it once"),
        // Of the options with a value: it was left out.
        ErrorKind::InvalidValue | ErrorKind::NoEquals | ErrorKind::TooFewValues => {
            let id = option.trim_start_matches('-');
            let help = command.get_arguments().find(|arg| arg.get_long() == Some(id));
            let help =
                help.and_then(|arg| arg.get_help()).map(ToString::to_string).unwrap_or_default();
            format!("{option} needs a value: {help}")
        }
        ErrorKind::TooManyValues => format!("{option} takes no value"),
        _ => {
            let text = error.to_string();
            text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
        }
    })
}
