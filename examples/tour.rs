//! Every experiment on every runtime, a table for each, and one report.
//!
//! Run: `cargo run --example tour` (a quarter of a minute after the first build).
//!
//! Look at: the claims under each table, then the report, whose path is printed last.
//!
//! Left out: the posts' own numbers, for which there is `-- --full`; it takes a quarter of an hour.

use std::process::ExitCode;
use weft::Experiment;

#[path = "00-phrasebook.rs"]
#[allow(dead_code, reason = "each example has its own main")]
mod phrasebook;

#[path = "02-million-tasks.rs"]
#[allow(dead_code, reason = "each example has its own main")]
mod million_tasks;

#[path = "04-pool-vs-per-task.rs"]
#[allow(dead_code, reason = "each example has its own main")]
mod pool_vs_per_task;

const EXPERIMENTS: [&Experiment; 3] =
    [&phrasebook::EXPERIMENT, &million_tasks::EXPERIMENT, &pool_vs_per_task::EXPERIMENT];

fn main() -> ExitCode {
    weft::tour(&EXPERIMENTS)
}
