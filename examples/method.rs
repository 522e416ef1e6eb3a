//! Question: what does the lab itself add to a figure, and what would `--release` change?
//!
//! Run: `cargo run --example method` (about a minute), `-- profile 02-million-tasks` after
//! `cargo build --release --examples` (some minutes)
//!
//! Look at: the ratio of the same work on both sides, pair by pair.
//!
//! Left out: what the machine adds; a shared machine's noise is in both numbers of a pair.

use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::{Duration, Instant};
use weft::Runtime::Threads;
use weft::{
    Answer, CASE, Case, Column, Document, Experiment, Layout, Param, Params, Recorder, human, stats,
};

const EXPERIMENT: Experiment = Experiment {
    id: "method",
    question: "What does the lab itself add to a figure?",
    params: &[Param::count(
        "rounds",
        "millions of rounds on each of two threads",
        (1, 100_000),
        (100, 900, 900),
    )],
    cases: &[Case {
        id: "threads-compute",
        runtime: Threads,
        name: "two threads compute",
        run: |p: &Params, lab: &mut Recorder| {
            lab.begin();
            let sum = compute(p.count("rounds"));
            lab.end();
            Ok(Answer::new().with("finished", u64::from(sum != 0)))
        },
        patience: |p| {
            Duration::from_secs(20) + Duration::from_millis(20) * p.count("rounds") as u32
        },
        check: |_, answer| match answer.number("finished") {
            Some(1) => Ok(()),
            other => Err(format!("{other:?} instead of 1")),
        },
        ..CASE
    }],
    claims: &[],
    layout: Layout::Rows,
    columns: &[Column::Wall, Column::Cpu],
    charts: &[],
};

/// The function that both sides run: two threads, no memory, no waiting.
fn compute(millions: u64) -> u64 {
    let work = move || {
        let mut x = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..millions * 1_000_000 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
        }
        x
    };
    let (one, two) = (thread::spawn(work), thread::spawn(work));
    one.join().unwrap_or(0) ^ !two.join().unwrap_or(0)
}

/// Wall-clock and CPU time in nanoseconds.
type Figures = (f64, f64);

/// The bare program: this one with `--bare`, which knows nothing of the lab.
fn bare(rounds: u64) -> ExitCode {
    let before = weft::os::usage().map_or(Duration::ZERO, |usage| usage.cpu);
    let began = Instant::now();
    let sum = compute(rounds);
    let wall = began.elapsed();
    let cpu = weft::os::usage().map_or(Duration::ZERO, |usage| usage.cpu) - before;
    // The sum is printed so that it has to be computed.
    println!("{} {} {sum}", wall.as_nanos(), cpu.as_nanos());
    ExitCode::SUCCESS
}

fn run_bare(rounds: u64) -> Result<Figures> {
    let out =
        Command::new(std::env::current_exe()?).args(["--bare", &rounds.to_string()]).output()?;
    let text = String::from_utf8(out.stdout)?;
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    let mut next = || numbers.next().context("the bare program gives two times");
    Ok((next()?, next()?))
}

fn run_in_lab(rounds: u64) -> Result<Figures> {
    let out = Command::new(std::env::current_exe()?)
        .args(["--json", "--reps", "1", "--rounds", &rounds.to_string()])
        .output()?;
    let document: Document = serde_json::from_slice(&out.stdout)?;
    let sample = document.cases.first().and_then(|case| case.samples.first());
    let sample = sample.context("the lab gives a sample")?;
    Ok((sample.wall_ns as f64, sample.cpu_ns.unwrap_or(0) as f64))
}

fn pairs(rounds: u64, pairs: u64) -> Result<String> {
    let (mut bare, mut lab) = (Vec::new(), Vec::new());
    for pair in 0..pairs {
        // A B, B A, A B: whichever goes first has no advantage.
        if pair % 2 == 0 {
            bare.push(run_bare(rounds)?);
            lab.push(run_in_lab(rounds)?);
        } else {
            lab.push(run_in_lab(rounds)?);
            bare.push(run_bare(rounds)?);
        }
    }
    let mut out = String::new();
    writeln!(out, "pairs  {pairs}, interleaved; two threads, {rounds} million rounds each\n")?;
    writeln!(out, "        bare      lab       lab ÷ bare, pair by pair: median, min–max")?;
    let mut wall_ratio = 0.0;
    for (name, of) in [("wall", (|f: &Figures| f.0) as fn(&Figures) -> f64), ("CPU ", |f| f.1)] {
        let median = |all: &[Figures]| stats::median(&all.iter().map(of).collect::<Vec<_>>());
        let ratios: Vec<f64> = lab.iter().zip(&bare).map(|(l, b)| of(l) / of(b)).collect();
        let (low, high) =
            ratios.iter().fold((f64::MAX, 0.0_f64), |(l, h), r| (l.min(*r), h.max(*r)));
        let middle = stats::median(&ratios).unwrap_or(0.0);
        if name == "wall" {
            wall_ratio = middle;
        }
        writeln!(
            out,
            "{name}    {:<8}  {:<8}  {middle:.3} ×, {low:.3} ×–{high:.3} ×",
            human::duration_ns(median(&bare).unwrap_or(0.0)),
            human::duration_ns(median(&lab).unwrap_or(0.0)),
        )?;
    }
    ensure!((0.5..2.0).contains(&wall_ratio), "the two sides did not run the same work");
    Ok(out)
}

/// An experiment built with the dev profile against the same built with `--release`.
fn profiles(experiment: &str, pairs: u32) -> Result<String> {
    let file = format!("{experiment}{}", std::env::consts::EXE_SUFFIX);
    let here = std::env::current_exe()?;
    let target = here.ancestors().nth(3).context("this program is not in a target folder")?;
    let [dev, release] = ["debug", "release"].map(|p| target.join(p).join("examples").join(&file));
    for built in [&dev, &release] {
        let say = "build both with cargo build --examples and cargo build --release --examples";
        ensure!(built.exists(), "{} is not there; {say}", built.display());
    }
    let (mut all_dev, mut all_release) = (Vec::new(), Vec::new());
    for pair in 0..pairs {
        if pair % 2 == 0 {
            all_dev.push(run_once(&dev)?);
            all_release.push(run_once(&release)?);
        } else {
            all_release.push(run_once(&release)?);
            all_dev.push(run_once(&dev)?);
        }
        eprintln!("{} of {pairs} pairs", pair + 1);
    }
    let mut out = String::new();
    writeln!(
        out,
        "{experiment}: {pairs} pairs, interleaved; cases with 50 ms of CPU time or more\n"
    )?;
    writeln!(out, "{:<24}{:>10}{:>10}{:>22}", "case", "CPU dev", "release", "release ÷ dev, CPU")?;
    let first = all_dev.first().context("no pair")?;
    let middles: Vec<f64> = first
        .cases
        .iter()
        .filter_map(|case| row(&mut out, &case.id, &all_dev, &all_release))
        .collect();
    let all = stats::median(&middles).context("no case takes 50 ms of CPU time")?;
    writeln!(out, "\nmedian of the {} cases: {all:.2} ×", middles.len())?;
    Ok(out)
}

/// Writes the CPU time of a case on both sides, and returns the middle of their ratios.
fn row(
    out: &mut String,
    case: &str,
    all_dev: &[Document],
    all_release: &[Document],
) -> Option<f64> {
    let cpu = |runs: &[Document]| -> Vec<f64> {
        runs.iter().filter_map(|run| run.figure(case, &Column::Cpu).ok()).collect()
    };
    let (dev, release) = (cpu(all_dev), cpu(all_release));
    let (dev_cpu, release_cpu) = (stats::median(&dev)?, stats::median(&release)?);
    if dev_cpu < 50e6 || dev.len() != release.len() {
        return None;
    }
    let ratios: Vec<f64> = release.iter().zip(&dev).map(|(r, d)| r / d).collect();
    let (low, high) = ratios.iter().fold((f64::MAX, 0.0_f64), |(l, h), r| (l.min(*r), h.max(*r)));
    let middle = stats::median(&ratios)?;
    writeln!(
        out,
        "{case:<24}{:>10}{:>10}{:>22}",
        human::duration_ns(dev_cpu),
        human::duration_ns(release_cpu),
        format!("{middle:.2} × ({low:.2}–{high:.2} ×)")
    )
    .ok()?;
    Some(middle)
}

fn run_once(program: &std::path::Path) -> Result<Document> {
    let out = Command::new(program).args(["--json", "--reps", "1"]).output()?;
    serde_json::from_slice(&out.stdout).context("the experiment gives one JSON document")
}

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["--bare", rounds] => return bare(human::parse_count(rounds).unwrap_or(1)),
        [] => pairs(900, 10),
        ["--quick"] => pairs(100, 3),
        ["profile", experiment] => profiles(experiment, 5),
        // Everything else is the lab's: the case alone, its help, its errors.
        _ => return weft::main(&EXPERIMENT),
    };
    match done {
        // A reader that went away is no failure.
        Ok(text) => match std::io::stdout().write_all(text.as_bytes()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(3),
            _ => ExitCode::SUCCESS,
        },
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
