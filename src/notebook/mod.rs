//! Keeps the chapters true. Everything in a chapter that a program can produce stands behind a
//! marker, an HTML comment that GitHub does not show:
//!
//! - `<!-- weft: COMMAND | check=shape -->` and a fence with the command's output,
//! - `<!-- weft-code: examples/FILE.rs#ANCHOR -->` and a fence with that excerpt,
//! - `<!-- weft-table: STEM kinds=a,b -->` … `<!-- /weft-table -->`, from data/recorded,
//! - `<!-- weft-chart: STEM/ID -->` … `<!-- /weft-chart -->`, the same as pictures,
//! - `<!-- weft-published: ID,ID -->` … `<!-- /weft-published -->`, from data/published.csv,
//! - `<!-- weft-index -->` … `<!-- /weft-index -->`, the list of chapters.
//!
//! `record` writes what stands behind the markers anew, `check` compares, `compare` sets a run
//! of one's own beside the recorded one. Left out: prose; nobody can check that but a reader.

mod cells;
mod compare;
mod markers;
mod shape;
mod sources;

use crate::record;
use crate::stop;
use clap::{Arg, ArgAction, ArgMatches, Command};
use markers::{Finding, Mode, Page};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The `main` of `examples/notebook.rs`.
pub fn main() -> ExitCode {
    stop::listen();
    let matches = match command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return usage(&error),
    };
    let done = match matches.subcommand() {
        Some(("record", given)) => {
            let (run, all) = (!given.get_flag("static"), given.get_flag("all"));
            pages(given, Mode::Record { run, all })
        }
        Some(("check", given)) => pages(given, Mode::Check { run: !given.get_flag("static") }),
        Some(("compare", given)) => compare::main(given),
        _ => Err(Failure::Usage("say record, check or compare; -h explains them".to_owned())),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(Failure::Usage(sentence)) => complain(&sentence, 2),
        Err(Failure::Machine(sentence)) => complain(&sentence, 3),
        Err(Failure::Stopped) => ExitCode::from(stop::exit_code().unwrap_or(1)),
    }
}

/// Why the notebook stops.
#[derive(Debug)]
enum Failure {
    /// Exit 2.
    Usage(String),
    /// Exit 3: a file that cannot be read or written, a command that cannot be started.
    Machine(String),
    /// Ctrl-C.
    Stopped,
}

impl Failure {
    fn file(path: &Path, error: &io::Error) -> Failure {
        Failure::Machine(format!("{}: {error}", path.display()))
    }
}

fn command() -> Command {
    let only = Arg::new("chapter")
        .value_name("CHAPTER")
        .num_args(0..)
        .help("only these files, chapters/04-pool-vs-per-task.md [all chapters and README.md]");
    let r#static = Arg::new("static")
        .long("static")
        .action(ArgAction::SetTrue)
        .help("run no command: excerpts, tables, charts and headings only");
    Command::new("notebook")
        .about("Keeps the chapters true.")
        .disable_help_subcommand(true)
        .subcommand(
            Command::new("record")
                .about("run the chapters' commands and write their outputs, tables and charts")
                .args([only.clone(), r#static.clone()])
                .arg(
                    Arg::new("all")
                        .long("all")
                        .action(ArgAction::SetTrue)
                        .help("also the outputs that check never compares"),
                ),
        )
        .subcommand(
            Command::new("check")
                .about("exit 1 where a chapter shows something else than the code gives")
                .args([only, r#static]),
        )
        .subcommand(
            Command::new("compare")
                .about("set a run beside the recorded one")
                .arg(Arg::new("mine").value_name("FILE").required(true).help("what --json printed"))
                .arg(
                    Arg::new("other")
                        .value_name("OTHER")
                        .help("another such file [the recorded one]"),
                ),
        )
}

fn usage(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{DisplayHelp, DisplayVersion};
    if matches!(error.kind(), DisplayHelp | DisplayVersion) {
        let _ = write!(io::stdout(), "{error}");
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    complain(&format!("{first}; -h explains the commands"), 2)
}

fn complain(sentence: &str, code: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {sentence}");
    ExitCode::from(code)
}

/// Every chapter in order, then the README.
fn all_pages(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = root.join("chapters");
    let entries = fs::read_dir(&folder).map_err(|error| Failure::file(&folder, &error))?;
    let mut pages: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages.push(root.join("README.md"));
    Ok(pages)
}

fn selected(root: &Path, given: &ArgMatches) -> Result<Vec<PathBuf>, Failure> {
    let all = all_pages(root)?;
    let Some(names) = given.get_many::<String>("chapter") else { return Ok(all) };
    let find = |name: &String| {
        let wanted = Path::new(name).file_name().unwrap_or_default();
        let found = all.iter().find(|path| path.file_name() == Some(wanted));
        found
            .cloned()
            .ok_or_else(|| Failure::Usage(format!("there is no chapter '{}'", name.escape_debug())))
    };
    names.map(find).collect()
}

fn pages(given: &ArgMatches, mode: Mode) -> Result<u8, Failure> {
    let root = record::checkout();
    let mut findings: Vec<Finding> = Vec::new();
    let (mut cells, mut unchecked) = (0, 0);
    let pages = selected(&root, given)?;
    for path in &pages {
        let inner = path.strip_prefix(&root).unwrap_or(path);
        // With slashes on every system: the name is compared and printed.
        let parts: Vec<_> = inner.iter().map(|part| part.to_string_lossy()).collect();
        let name = parts.join("/");
        let text = fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
        let _ = writeln!(io::stderr(), "{name}");
        let mut page = Page::new(&root, &name, mode);
        let fresh = page.go_through(&text)?;
        cells += page.cells;
        unchecked += page.unchecked;
        findings.append(&mut page.findings);
        if matches!(mode, Mode::Record { .. }) && fresh != text {
            record::write_whole(path, &fresh).map_err(|error| Failure::file(path, &error))?;
            let _ = writeln!(io::stderr(), "  written");
        }
    }
    let mut out: String = findings.iter().map(|finding| format!("{finding}\n")).collect();
    out.push_str(&format!(
        "{} pages, {cells} markers, {unchecked} not compared, {} differ\n",
        pages.len(),
        findings.len()
    ));
    print(&out)?;
    Ok(u8::from(!findings.is_empty()))
}

/// Writes to stdout; a reader that went away is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Machine(format!("the output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}
