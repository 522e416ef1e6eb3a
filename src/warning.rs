//! What a reader should know before trusting a figure, each with what to do about it.

use crate::document::{Column, Document};
use crate::experiment::Layout;
use crate::human;
use crate::params::Size;
use crate::stats::SAMPLES_FOR_AN_INTERVAL;

/// A doubt about a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// The program has debug assertions on.
    DebugAssertions,
    /// The sizes are those of `--quick`.
    QuickSize,
    /// Too few samples for an interval.
    FewSamples(u32),
    /// The machine was busy before the run began: load, CPUs.
    Busy(f64, u64),
    /// A case whose slowest repetition took this many times its fastest.
    Noisy(String, f64),
    /// A system whose memory and threads the lab cannot read.
    NotMeasuredHere(String),
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::DebugAssertions => write!(
                f,
                "debug assertions are on, so the figures are too slow; build with the dev or release profile of this Cargo.toml"
            ),
            Warning::QuickSize => {
                write!(
                    f,
                    "quick size: the shapes are right, the figures are rough; run it without --quick for figures to quote"
                )
            }
            Warning::FewSamples(n) => write!(
                f,
                "{n} {} a case, too few for an interval; {SAMPLES_FOR_AN_INTERVAL} or more with --reps give one",
                if *n == 1 { "sample" } else { "samples" }
            ),
            Warning::Busy(load, cpus) => write!(
                f,
                "the machine was busy when the run began (load {load:.1} on {cpus} CPUs); close what is running and repeat"
            ),
            Warning::Noisy(case, times) => write!(
                f,
                "{case} took between 1 and {} its fastest repetition; repeat on a quieter machine or with more --reps",
                human::ratio(*times)
            ),
            Warning::NotMeasuredHere(os) => write!(
                f,
                "on {os} memory and OS threads are not measured and show as n/a; Linux has them all"
            ),
        }
    }
}

impl Warning {
    /// The doubts about a finished run, the gravest first.
    pub fn about(document: &Document) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let machine = &document.machine;
        if machine.debug_assertions {
            warnings.push(Warning::DebugAssertions);
        }
        if machine.os != "linux" {
            warnings.push(Warning::NotMeasuredHere(machine.os.clone()));
        }
        if let Some(load) = machine.load.filter(|load| *load > machine.cpus as f64 * 0.75) {
            warnings.push(Warning::Busy(load, machine.cpus));
        }
        // A table of "ok" has no figures to doubt.
        if document.layout == Layout::Matrix {
            return warnings;
        }
        if document.size == Size::Quick {
            warnings.push(Warning::QuickSize);
        } else if (document.reps as usize) < SAMPLES_FOR_AN_INTERVAL {
            warnings.push(Warning::FewSamples(document.reps));
        }
        let noisiest = document
            .cases
            .iter()
            .filter_map(|case| {
                let walls = case.samples.iter().map(|s| s.wall_ns as f64);
                let low = walls.clone().fold(f64::INFINITY, f64::min);
                let high = walls.fold(0.0, f64::max);
                // Below a few milliseconds any machine is noisy, and no claim rests on it.
                let long = Column::Wall.number(case).is_some_and(|wall| wall > 20e6);
                (long && high > 1.5 * low).then(|| (case, high / low))
            })
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((case, times)) = noisiest {
            warnings.push(Warning::Noisy(format!("{} ({})", case.name, case.runtime), times));
        }
        warnings
    }
}
