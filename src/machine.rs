//! The facts that stand above every result: the machine, its limits, what the program was
//! built with.

use crate::human;
use crate::limits::Limits;
use crate::os;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A machine, and a build.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// `linux`, `macos`, `windows`.
    pub os: String,
    /// `x86_64`, `aarch64`.
    pub arch: String,
    /// The kernel's version, empty where it cannot be read.
    pub kernel: String,
    /// The processor's name, empty where it cannot be read.
    pub cpu: String,
    /// CPUs that this process may use.
    pub cpus: u64,
    /// All memory, bytes.
    pub memory_bytes: Option<u64>,
    /// Load average over the last minute when the run began.
    pub load: Option<f64>,
    /// The limits that apply, by name; null is "unlimited".
    pub limits: BTreeMap<String, Option<u64>>,
    /// rustc's version.
    pub rustc: String,
    /// `dev` or `release`, with its optimisation level.
    pub profile: String,
    /// Whether debug assertions were on: then the figures are not worth much.
    pub debug_assertions: bool,
    /// Versions of the runtimes, from Cargo.lock.
    pub versions: BTreeMap<String, String>,
}

/// The crates whose version is part of a result.
const SUBJECTS: [&str; 4] = ["tokio", "async-std", "smol", "may"];

impl Machine {
    /// Reads the facts of this machine.
    pub fn read() -> Machine {
        let limits = Limits::read();
        Machine {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            kernel: os::proc_file("/proc/sys/kernel/osrelease").trim().to_owned(),
            cpu: cpu_name(),
            cpus: cpus(),
            memory_bytes: os::field_kib(&os::proc_file("/proc/meminfo"), "MemTotal:"),
            load: os::proc_file("/proc/loadavg").split(' ').next().and_then(|t| t.parse().ok()),
            limits: limits.named(),
            rustc: env!("WEFT_RUSTC").to_owned(),
            profile: format!("{}, opt-level {}", env!("WEFT_PROFILE"), env!("WEFT_OPT_LEVEL")),
            debug_assertions: cfg!(debug_assertions),
            versions: SUBJECTS.iter().map(|name| ((*name).to_owned(), locked(name))).collect(),
        }
    }

    /// The name under which data of such a machine is recorded: `linux-x86_64-2cpu-24gib`.
    pub fn slug(&self) -> String {
        let gib = self.memory_bytes.map(|b| (b as f64 / (1u64 << 30) as f64).ceil());
        let memory = gib.map(|gib| format!("-{gib}gib")).unwrap_or_default();
        format!("{}-{}-{}cpu{memory}", self.os, self.arch, self.cpus)
    }

    /// The three lines above a table.
    pub fn lines(&self) -> [String; 3] {
        let memory = self.memory_bytes.map_or("n/a".to_owned(), |b| human::bytes(b as f64));
        let cpu = if self.cpu.is_empty() { String::new() } else { format!(" ({})", self.cpu) };
        let limit = |(name, value): (&String, &Option<u64>)| match value {
            Some(value) => format!("{name}\u{a0}{}", human::count(*value)),
            None => format!("{name}\u{a0}unlimited"),
        };
        let limits: Vec<String> = self.limits.iter().map(limit).collect();
        let versions: Vec<String> =
            self.versions.iter().map(|(n, v)| format!("{n}\u{a0}{v}")).collect();
        [
            format!(
                "machine  {} {} {} · {} CPUs{cpu} · {memory}",
                self.os, self.kernel, self.arch, self.cpus
            ),
            format!("limits   {}", limits.join(" · ")),
            format!("built    rustc {} · {} · {}", self.rustc, self.profile, versions.join(" · ")),
        ]
    }
}

/// CPUs that this process may use; what `taskset` and cgroups leave.
pub fn cpus() -> u64 {
    std::thread::available_parallelism().map_or(1, |n| n.get() as u64)
}

fn cpu_name() -> String {
    let text = os::proc_file("/proc/cpuinfo");
    let line = text.lines().find(|line| line.starts_with("model name"));
    line.and_then(|line| line.split(':').nth(1)).unwrap_or("").trim().to_owned()
}

/// The version of a crate in the Cargo.lock that this program was built with.
fn locked(name: &str) -> String {
    let mut lines = include_str!("../Cargo.lock").lines();
    let wanted = format!("name = \"{name}\"");
    lines.find(|line| *line == wanted);
    let version = lines.next().and_then(|line| line.strip_prefix("version = "));
    version.unwrap_or("unknown").trim_matches('"').to_owned()
}
