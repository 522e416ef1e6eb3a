//! Cases that go wrong, for the tests of the lab: each does one thing that an experiment must
//! survive. Not an experiment of the collection.

use anyhow::Result;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;
use weft::Runtime::{Smol, Tokio};
use weft::{
    Answer, CASE, Case, Checked, Claim, Column, Expect, Experiment, Layout, Limit, Needs, Param,
    Params, Recorder,
};

const EXPERIMENT: Experiment = Experiment {
    id: "98-faults",
    question: "What does the lab do when a case goes wrong?",
    params: &[
        Param::wait_ms("wait", "how long a good case waits", (1, 600_000), (10, 10, 10)),
        Param::count("answer", "what a good case answers", (0, 1_000), (7, 7, 7)),
    ],
    cases: &[
        Case { id: "threads-good", name: "good", run: good, check: seven, ..CASE },
        Case { id: "tokio-good", runtime: Tokio, name: "good", run: good, check: seven, ..CASE },
        Case { id: "smol-good", runtime: Smol, name: "good", cannot: Some("a reason"), ..CASE },
        Case { id: "threads-error", name: "error", run: error, ..CASE },
        Case { id: "threads-panic", name: "panic", run: panic, ..CASE },
        Case { id: "threads-abort", name: "abort", run: |_, _| std::process::abort(), ..CASE },
        Case { id: "threads-exit", name: "exit", run: |_, _| std::process::exit(0), ..CASE },
        Case { id: "threads-hang", run: hang, ..HANG },
        Case {
            id: "threads-hang-meant",
            name: "hang meant",
            run: hang,
            expect: Expect::Hang,
            ..HANG
        },
        Case {
            id: "threads-abort-meant",
            name: "abort meant",
            run: panic,
            expect: Expect::Abort,
            ..CASE
        },
        Case { id: "threads-limit", name: "limit", run: limit, ..CASE },
        Case { id: "threads-huge", name: "huge", run: good, needs: |_, _| HUGE, ..CASE },
        Case { id: "threads-lines", name: "lines", run: lines, ..CASE },
        Case { id: "threads-chatty", name: "chatty", run: chatty, ..CASE },
        Case { id: "threads-grandchild", name: "grandchild", run: grandchild, ..CASE },
    ],
    claims: &[
        Claim { id: "true", text: "This claim holds.", check: |_| Ok(verdict(true)) },
        Claim {
            id: "short",
            text: "The good case takes less than 500 ms.",
            check: |document| Ok(verdict(document.wall("threads-good")? < 500e6)),
        },
    ],
    layout: Layout::Rows,
    columns: &[Column::Wall, Column::answer("finished", "finished")],
    charts: &[],
};

const HANG: Case = Case { name: "hang", patience: |_| Duration::from_millis(300), ..CASE };
const HUGE: Needs = Needs { memory: u64::MAX, ..Needs::NOTHING };

fn verdict(holds: bool) -> Checked {
    Checked { holds, expected: "so".into(), measured: "so".into() }
}

fn seven(p: &Params, answer: &Answer) -> Result<(), String> {
    match answer.number("finished") {
        Some(7) => Ok(()),
        number => Err(format!("{number:?} is not seven, {}", p.count("answer"))),
    }
}

fn good(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    lab.begin();
    thread::sleep(p.duration("wait"));
    lab.end();
    Ok(Answer::new().with("finished", p.count("answer")))
}

fn error(_: &Params, _: &mut Recorder) -> Result<Answer> {
    anyhow::bail!("something went wrong")
}

fn panic(_: &Params, _: &mut Recorder) -> Result<Answer> {
    panic!("a surprise")
}

fn hang(_: &Params, _: &mut Recorder) -> Result<Answer> {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

fn limit(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let limit = Limit { name: "kernel.threads-max".into(), value: 12, how: "raise it".into() };
    Err(anyhow::Error::new(limit))
}

fn lines(_: &Params, lab: &mut Recorder) -> Result<Answer> {
    lab.count_lines("finished");
    for number in 0..123 {
        println!("{number}");
    }
    Ok(Answer::new())
}

/// More output than a pipe holds, on both, and an escape code.
fn chatty(_: &Params, _: &mut Recorder) -> Result<Answer> {
    for _ in 0..20_000 {
        println!("\u{1b}[31mstdout\u{1b}[0m");
        eprintln!("\u{1b}[31mstderr\u{1b}[0m");
    }
    Ok(Answer::new().with("finished", 1))
}

/// Leaves a process behind that holds all its pipes.
fn grandchild(_: &Params, _: &mut Recorder) -> Result<Answer> {
    std::process::Command::new("sleep").arg("60").spawn()?;
    Ok(Answer::new().with("finished", 1))
}

fn main() -> ExitCode {
    weft::main(&EXPERIMENT)
}
