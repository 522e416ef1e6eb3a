//! Question: yours. This file is a template: copy it, and change what is marked.
//!
//! Run: `cargo run --example 99-yours -- --quick`
//!
//! Look at: CONTRIBUTING.md, "Add an experiment", which goes through this file.
//!
//! Left out: everything but one case and one claim.

use anyhow::Result;
use std::time::Duration;
use weft::Runtime::Tokio;
use weft::{
    Answer, CASE, Case, Checked, Claim, Column, Document, Experiment, Gauge, Layout, NotApplicable,
    Param, Params, Recorder,
};

/// The experiment: its cases, its claims and how they are shown.
pub const EXPERIMENT: Experiment = Experiment {
    // yours: the stem of this file, and of the chapter.
    id: "99-yours",
    question: "What would you like to know?",
    // yours: the options, each with its range and its values at --quick, by default and --full.
    params: &[
        Param::count("tasks", "tasks", (1, 1_000_000), (100, 1_000, 10_000)),
        Param::wait_ms("wait", "how long a task waits", (1, 60_000), (50, 100, 1_000)),
    ],
    // yours: one case a runtime; a runtime that cannot do it says why with `cannot`.
    cases: &[Case {
        id: "tokio-each",
        runtime: Tokio,
        name: "one task each",
        run: tokio_each,
        // The physical floor is printed beside the figure; the deadline follows from it.
        floor: |p| p.duration("wait"),
        check: all_finished,
        ..CASE
    }],
    // yours: what you claim, with a threshold that follows from the parameters.
    claims: &[Claim { id: "one-wave", text: "All tasks wait at the same time.", check: one_wave }],
    layout: Layout::Rows,
    columns: &[Column::Floor, Column::Wall, Column::Cpu, Column::answer("finished", "finished")],
    charts: &[],
};

/// Counts the tasks. Each case has a process of its own, so it starts at zero.
static TASKS: Gauge = Gauge::new();

fn tokio_each(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait) = (p.count("tasks"), p.duration("wait"));
    let runtime = weft::runtime::tokio::start(p.workers())?;
    lab.begin(); // The timed part: from here …
    runtime.block_on(async {
        // yours: plain code of the runtime, and nothing of the lab but the gauge.
        let mut handles = Vec::new();
        for _ in 0..tasks {
            handles.push(tokio::spawn(async move {
                let _alive = TASKS.enter();
                tokio::time::sleep(wait).await;
            }));
        }
        for handle in handles {
            handle.await?;
        }
        anyhow::Ok(())
    })?;
    lab.end(); // … to here. What is counted and checked stands outside.
    Ok(Answer::new().with("finished", TASKS.finished()))
}

fn all_finished(p: &Params, answer: &Answer) -> Result<(), String> {
    match answer.number("finished") {
        Some(finished) if finished == p.count("tasks") => Ok(()),
        finished => Err(format!("{finished:?} of {} tasks finished", p.count("tasks"))),
    }
}

fn one_wave(document: &Document) -> Result<Checked, NotApplicable> {
    let slack_ns = Duration::from_millis(30).as_nanos() as f64;
    document.all("each", &[Tokio], &Column::Wall, "the wait, + 30 ms", |wall, case| {
        wall <= case.floor_ns as f64 + slack_ns
    })
}

fn main() -> std::process::ExitCode {
    weft::main(&EXPERIMENT)
}
