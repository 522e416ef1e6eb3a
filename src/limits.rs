//! The limits of the system: what is left of each, which one a plan would run into, and how to
//! raise it. Read before anything starts, so that a run is refused rather than killed.

use crate::human;
use crate::os;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The limit behind an error of the system, if it is one: refused threads or processes,
/// descriptors used up, no memory. The numbers of the errors differ between systems.
pub fn behind(error: &io::Error) -> Option<Limit> {
    let limits = Limits::read();
    match error.kind() {
        io::ErrorKind::WouldBlock => limits.room_for_threads().1,
        io::ErrorKind::OutOfMemory => limits.room_for_memory().1,
        _ if os::is_out_of_descriptors(error) => Some(Limit {
            name: "RLIMIT_NOFILE".to_owned(),
            value: limits.nofile.unwrap_or(0),
            how: "raise it with ulimit -n N".to_owned(),
        }),
        _ => None,
    }
}

/// What a case will hold at its peak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Resident memory, bytes.
    pub memory: u64,
    /// OS threads, beyond the handful that any program has.
    pub threads: u64,
    /// Memory maps, beyond those that any program has.
    pub maps: u64,
}

impl Needs {
    /// Nothing worth checking.
    pub const NOTHING: Needs = Needs { memory: 0, threads: 0, maps: 0 };

    /// OS threads, each with its stack (two maps: stack and guard) and some memory.
    pub const fn threads(threads: u64) -> Needs {
        Needs { memory: threads * 32 * 1024, threads, maps: 2 * threads }
    }
}

/// A limit that stands in the way: what it is, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Its name as the system has it, `vm.max_map_count`.
    pub name: String,
    /// Its value, as read.
    pub value: u64,
    /// How to raise it, or to do with less.
    pub how: String,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = if self.name.contains("memory") || self.name.contains("RLIMIT_AS") {
            human::given(&human::bytes(self.value as f64))
        } else {
            human::count(self.value)
        };
        write!(f, "{} is {value}; {}", self.name, self.how)
    }
}

impl std::error::Error for Limit {}

/// The limits as read; `None` is "unlimited" or "not known on this system".
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// kernel.threads-max, all threads of the system.
    pub threads_max: Option<u64>,
    /// kernel.pid_max, all process and thread numbers of the system.
    pub pid_max: Option<u64>,
    /// RLIMIT_NPROC of this user; it does not bind root.
    pub nproc: Option<u64>,
    /// pids.max of this cgroup (v2, or v1's pids controller).
    pub cgroup_pids: Option<u64>,
    /// vm.max_map_count of each process.
    pub max_map_count: Option<u64>,
    /// RLIMIT_NOFILE of this process.
    pub nofile: Option<u64>,
    /// RLIMIT_AS of this process, bytes.
    pub address_space: Option<u64>,
    /// memory limit of this cgroup, bytes.
    pub cgroup_memory: Option<u64>,
    /// Memory that is available now, bytes.
    pub available: Option<u64>,
    /// Threads that the system has now.
    pub threads_now: u64,
    /// Threads that this user has now; 0 where nothing binds them.
    pub threads_of_user: u64,
}

/// Maps that a program has before it does anything, with room to spare.
const MAPS_OF_ANY_PROGRAM: u64 = 400;

impl Limits {
    /// Reads them.
    pub fn read() -> Limits {
        let number = |path: &str| os::proc_file(path).trim().parse::<u64>().ok();
        let soft = os::soft_limits();
        let loadavg = os::proc_file("/proc/loadavg");
        let threads_now = loadavg.split(' ').nth(3).and_then(|t| t.split('/').nth(1)?.parse().ok());
        // Elsewhere this limit counts processes, not threads.
        let nproc = soft.nproc.filter(|_| cfg!(target_os = "linux") && !os::is_root());
        Limits {
            threads_max: number("/proc/sys/kernel/threads-max"),
            pid_max: number("/proc/sys/kernel/pid_max"),
            nproc,
            threads_of_user: nproc.map_or(0, |_| os::threads_of_user()),
            cgroup_pids: cgroup("pids", "pids.max", "pids.max"),
            max_map_count: number("/proc/sys/vm/max_map_count"),
            nofile: soft.nofile,
            address_space: soft.address_space,
            cgroup_memory: cgroup("memory", "memory.max", "memory.limit_in_bytes"),
            available: os::field_kib(&os::proc_file("/proc/meminfo"), "MemAvailable:"),
            threads_now: threads_now.unwrap_or(200),
        }
    }

    /// By name, for the head of an output and the JSON.
    pub fn named(&self) -> BTreeMap<String, Option<u64>> {
        let mut named = BTreeMap::new();
        let mut add = |name: &str, value| named.insert(name.to_owned(), value);
        add("nofile", self.nofile);
        // Elsewhere they are not known, which is not the same as unlimited.
        if !cfg!(target_os = "linux") {
            return named;
        }
        add("threads-max", self.threads_max);
        add("pid_max", self.pid_max);
        add("nproc", self.nproc);
        add("pids.max", self.cgroup_pids);
        add("max_map_count", self.max_map_count);
        named
    }

    /// Threads that may still be started, and the limit that says so.
    pub fn room_for_threads(&self) -> (u64, Option<Limit>) {
        let in_use = self.threads_now + 100;
        tightest([
            room(
                self.threads_max,
                in_use,
                1,
                "kernel.threads-max",
                "raise it with sysctl -w kernel.threads-max=N",
            ),
            room(
                self.pid_max,
                in_use,
                1,
                "kernel.pid_max",
                "raise it with sysctl -w kernel.pid_max=N",
            ),
            room(
                self.nproc,
                self.threads_of_user + 20,
                1,
                "RLIMIT_NPROC",
                "raise it with ulimit -u N",
            ),
            room(
                self.cgroup_pids,
                50,
                1,
                "the cgroup's pids.max",
                "raise it for the container (docker run --pids-limit N)",
            ),
            room(self.max_map_count, MAPS_OF_ANY_PROGRAM, 2, "vm.max_map_count", RAISE_MAPS),
            // Rust's default stack; address space is reserved at once, memory only when touched.
            room(self.address_space, 1 << 30, 2 << 20, "RLIMIT_AS", "raise it with ulimit -v KIB"),
        ])
    }

    /// Memory maps that this process may still make, in units of `each`.
    pub fn room_for_maps(&self, each: u64) -> (u64, Option<Limit>) {
        tightest([room(
            self.max_map_count,
            MAPS_OF_ANY_PROGRAM,
            each,
            "vm.max_map_count",
            RAISE_MAPS,
        )])
    }

    /// Memory that may still be used, bytes: a tenth is left for everybody else.
    pub fn room_for_memory(&self) -> (u64, Option<Limit>) {
        let tenth = |value: Option<u64>| value.map(|v| v - v / 10);
        const LESS: &str = "use fewer tasks, or a machine with more";
        tightest([
            room(tenth(self.available), 0, 1, "the available memory", LESS),
            room(tenth(self.cgroup_memory), 0, 1, "the cgroup's memory limit", LESS),
            room(self.address_space, 1 << 28, 1, "RLIMIT_AS", "raise it with ulimit -v KIB"),
        ])
    }

    /// The limit that a plan would run into, if any.
    pub fn refuse(&self, needs: &Needs) -> Option<Limit> {
        let over = |(room, limit): (u64, Option<Limit>), need: u64| limit.filter(|_| need > room);
        over(self.room_for_threads(), needs.threads)
            .or_else(|| over(self.room_for_maps(1), needs.maps))
            .or_else(|| over(self.room_for_memory(), needs.memory))
    }
}

const RAISE_MAPS: &str = "raise it with sysctl -w vm.max_map_count=N";

/// How many things of a size fit under a limit, and the limit.
fn room(value: Option<u64>, in_use: u64, each: u64, name: &str, how: &str) -> (u64, Option<Limit>) {
    match value {
        Some(value) => {
            let limit = Limit { name: name.to_owned(), value, how: how.to_owned() };
            (value.saturating_sub(in_use) / each, Some(limit))
        }
        None => (u64::MAX, None),
    }
}

fn tightest<const N: usize>(rooms: [(u64, Option<Limit>); N]) -> (u64, Option<Limit>) {
    rooms.into_iter().min_by_key(|(room, _)| *room).unwrap_or((u64::MAX, None))
}

/// A limit of the cgroup this process is in, or of a parent of it: v2 first, then v1.
fn cgroup(controller: &str, v2_file: &str, v1_file: &str) -> Option<u64> {
    let own = os::proc_file("/proc/self/cgroup");
    let path_of = |wanted: &dyn Fn(&str) -> bool| {
        own.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let controllers = parts.next()?;
            wanted(controllers).then(|| parts.next().unwrap_or("/").to_owned())
        })
    };
    let v2 = path_of(&|c| c.is_empty());
    let v1 = path_of(&|c| c.split(',').any(|name| name == controller));
    let trees = [
        ("/sys/fs/cgroup".to_owned(), v2, v2_file),
        (format!("/sys/fs/cgroup/{controller}"), v1, v1_file),
    ];
    let limits = trees.into_iter().filter_map(|(root, path, file)| {
        let path = path?;
        // The tightest of the group and its ancestors binds. In a container the group's own
        // path may not be visible; its root is then what the container sees.
        Path::new(&path)
            .ancestors()
            .filter_map(|dir| {
                let dir = dir.strip_prefix("/").unwrap_or(dir);
                let text = os::proc_file(&Path::new(&root).join(dir).join(file).to_string_lossy());
                text.trim().parse::<u64>().ok()
            })
            // v1 writes "no limit" as a number near 2^63.
            .filter(|value| *value < 1 << 60)
            .min()
    });
    limits.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits {
            max_map_count: Some(65_530),
            threads_max: Some(10_000),
            threads_now: 100,
            available: Some(1 << 30),
            ..Limits::default()
        }
    }

    #[test]
    fn the_tightest_limit_is_named() {
        let refused = limits().refuse(&Needs::threads(9_801));
        assert_eq!(refused.map(|limit| limit.name).as_deref(), Some("kernel.threads-max"));
        assert_eq!(limits().refuse(&Needs { threads: 9_800, ..Needs::NOTHING }), None);
    }

    #[test]
    fn maps_and_memory_are_refused_each_by_their_own_limit() {
        let maps = limits().refuse(&Needs { maps: 65_131, ..Needs::NOTHING });
        assert_eq!(maps.map(|limit| limit.name).as_deref(), Some("vm.max_map_count"));
        let memory = limits().refuse(&Needs { memory: 1 << 30, ..Needs::NOTHING });
        assert_eq!(
            memory.map(|limit| limit.to_string()).as_deref(),
            Some("the available memory is 922 MiB; use fewer tasks, or a machine with more")
        );
    }

    #[test]
    fn an_unknown_limit_refuses_nothing() {
        let all = Needs { memory: u64::MAX, threads: u64::MAX, maps: u64::MAX };
        assert_eq!(Limits::default().refuse(&all), None);
    }
}
