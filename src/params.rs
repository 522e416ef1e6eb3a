//! The parameters of an experiment: a table of names with their ranges and their three sizes.
//!
//! A value is a whole number: a count, or a duration in nanoseconds.
//! Left out: nested or optional parameters; no experiment needs them.

use crate::human;
use std::collections::BTreeMap;
use std::time::Duration;

/// How large an experiment runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// One repetition of a small version of every case: at most 8 s.
    Quick,
    /// Three repetitions at an honest size: at most 60 s.
    Default,
    /// The posts' own numbers, one repetition unless given.
    Full,
}

impl Size {
    /// The word that outputs use.
    pub const fn name(self) -> &'static str {
        match self {
            Size::Quick => "quick",
            Size::Default => "default",
            Size::Full => "full",
        }
    }
}

/// What a parameter's number means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number of things.
    Count,
    /// A duration, kept in nanoseconds.
    Wait,
}

/// One parameter: its name, what it means, its range and its value at each size.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name, `pool_size`; on the command line `--pool-size`.
    pub name: &'static str,
    /// One line for the help page.
    pub help: &'static str,
    /// Whether the number is a count or a duration.
    pub kind: Kind,
    /// The smallest and the largest value allowed.
    pub range: (u64, u64),
    /// The values at `--quick`, by default and at `--full`.
    pub sizes: (u64, u64, u64),
}

impl Param {
    /// A count with its range and its values at quick, default and full size.
    pub const fn count(
        name: &'static str,
        help: &'static str,
        range: (u64, u64),
        sizes: (u64, u64, u64),
    ) -> Param {
        Param { name, help, kind: Kind::Count, range, sizes }
    }

    /// A duration; range and sizes in milliseconds.
    pub const fn wait_ms(
        name: &'static str,
        help: &'static str,
        range: (u64, u64),
        sizes: (u64, u64, u64),
    ) -> Param {
        const MS: u64 = 1_000_000;
        let range = (range.0 * MS, range.1 * MS);
        Param {
            name,
            help,
            kind: Kind::Wait,
            range,
            sizes: (sizes.0 * MS, sizes.1 * MS, sizes.2 * MS),
        }
    }

    /// The option on the command line, without the dashes: `pool-size`.
    pub fn option(&self) -> String {
        self.name.replace('_', "-")
    }

    /// The value at a size.
    pub fn at(&self, size: Size) -> u64 {
        match size {
            Size::Quick => self.sizes.0,
            Size::Default => self.sizes.1,
            Size::Full => self.sizes.2,
        }
    }

    /// Reads what the user typed; the error is one sentence with the range.
    pub fn parse(&self, text: &str) -> Result<u64, String> {
        let parsed = match self.kind {
            Kind::Count => human::parse_count(text),
            Kind::Wait => human::parse_duration(text),
        };
        let (low, high) = self.range;
        match parsed {
            Some(value) if (low..=high).contains(&value) => Ok(value),
            _ => Err(format!(
                "--{} takes {} from {} to {}, not '{}'",
                self.option(),
                match self.kind {
                    Kind::Count => "a whole number",
                    Kind::Wait => "a duration such as 250ms or 1s",
                },
                self.show(low),
                self.show(high),
                text.escape_debug()
            )),
        }
    }

    /// A value as the tables write it: `10,000`, `1 s`.
    pub fn show(&self, value: u64) -> String {
        match self.kind {
            Kind::Count => human::count(value),
            Kind::Wait => human::given(&human::duration_ns(value as f64)),
        }
    }
}

/// The values that one case runs with.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Params {
    /// The size they were taken from.
    pub size: Size,
    /// Workers of a light runtime; threads that compute at the same time at most.
    pub workers: u64,
    values: BTreeMap<String, u64>,
}

impl Params {
    /// The values of a table at a size.
    pub fn new(table: &[Param], size: Size, workers: u64) -> Params {
        let values = table.iter().map(|p| (p.name.to_owned(), p.at(size))).collect();
        Params { size, workers, values }
    }

    /// A count by its name in the table.
    ///
    /// # Panics
    /// When the experiment's table has no such name; a test runs every case.
    pub fn count(&self, name: &str) -> u64 {
        match self.values.get(name) {
            Some(value) => *value,
            None => panic!("the experiment has no parameter named {name}"),
        }
    }

    /// A duration by its name in the table.
    pub fn duration(&self, name: &str) -> Duration {
        Duration::from_nanos(self.count(name))
    }

    /// The number of workers, as the runtimes want it.
    pub fn workers(&self) -> usize {
        self.workers as usize
    }

    /// Sets a value: how a case of a sweep differs from the experiment.
    pub fn set(&mut self, name: &str, value: u64) {
        self.values.insert(name.to_owned(), value);
    }

    /// Sets a duration in milliseconds.
    pub fn set_ms(&mut self, name: &str, ms: u64) {
        self.set(name, ms * 1_000_000);
    }

    /// Divides a count, never below one: how a sweep stays in step with `--tasks`.
    pub fn divide(&mut self, name: &str, by: u64) {
        let value = (self.count(name) / by).max(1);
        self.set(name, value);
    }

    /// The values as JSON, durations in whole milliseconds where they are, `wait_ms`.
    pub fn json(&self, table: &[Param]) -> serde_json::Map<String, serde_json::Value> {
        let mut map = serde_json::Map::new();
        map.insert("workers".to_owned(), self.workers.into());
        for param in table {
            let value = self.count(param.name);
            match param.kind {
                Kind::Count => map.insert(param.name.to_owned(), value.into()),
                Kind::Wait if value.is_multiple_of(1_000_000) => {
                    map.insert(format!("{}_ms", param.name), (value / 1_000_000).into())
                }
                Kind::Wait => map.insert(format!("{}_ms", param.name), (value as f64 / 1e6).into()),
            };
        }
        map
    }

    /// Fills `{name}` in a text with the value as the tables write it.
    pub fn fill(&self, text: &str, table: &[Param]) -> String {
        table.iter().fold(text.to_owned(), |text, param| {
            text.replace(&format!("{{{}}}", param.name), &param.show(self.count(param.name)))
        })
    }
}
