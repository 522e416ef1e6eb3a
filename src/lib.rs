//! Weft's lab: what every experiment shares, and nothing that hides a runtime.
//!
//! An example holds an [`Experiment`]: a table of [`Case`]s, each one function of plain std,
//! tokio, async-std, smol or may code, and a table of [`Claim`]s about the figures. [`main`]
//! reads the command line, runs every case in a child process of its own, checks the answers
//! and prints the result. `chapters/method.md` says how it measures and what it cannot see.

// A child that panics is a failed row; the lab itself has no excuse to.
#![warn(clippy::unwrap_used)]
// A public item of the lab is part of what a reader learns from.
#![warn(missing_docs)]

pub mod chart;
mod child;
pub mod claim;
pub mod cli;
pub mod document;
pub mod experiment;
pub mod gauge;
pub mod human;
pub mod limits;
pub mod machine;
pub mod notebook;
mod options;
pub mod os;
pub mod params;
mod parent;
mod progress;
pub mod record;
mod report;
pub mod run;
pub mod runtime;
pub mod stats;
mod stop;
pub mod text;
pub mod warning;

pub use child::Recorder;
pub use claim::{Checked, NotApplicable};
pub use cli::{main, tour};
pub use document::{Column, Document};
pub use experiment::{Answer, CASE, Case, Chart, Claim, Expect, Experiment, Layout, Runtime};
pub use gauge::Gauge;
pub use limits::{Limit, Limits, Needs};
pub use params::{Param, Params, Size};
