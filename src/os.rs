//! Everything that differs between operating systems, in one place.
//!
//! Linux is measured here. Elsewhere a function returns what can be had, and `None` becomes
//! `n/a` in the tables. Figures come from /proc and getrusage, not from a crate that walks
//! smaps: that takes 132 ms with ten thousand threads.

#![allow(unsafe_code, reason = "getrusage, getrlimit, prctl and kill have no safe form in std")]

use std::process::Command;
use std::time::Duration;

/// A look at a process from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// OS threads it has now.
    pub threads: u64,
    /// The most memory that was ever resident, bytes.
    pub peak_rss: u64,
}

/// Resident memory of this process now, and the most there ever was (VmRSS, VmHWM), bytes.
/// Not getrusage's ru_maxrss, which survives exec from a larger parent.
pub fn resident() -> (Option<u64>, Option<u64>) {
    let status = proc_file("/proc/self/status");
    (field_kib(&status, "VmRSS:"), field_kib(&status, "VmHWM:"))
}

/// A look at another process; `None` when it is gone or the system has no /proc.
pub fn look_at(pid: u32) -> Option<Reading> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let threads = field(&status, "Threads:")?.parse().ok()?;
    Some(Reading { threads, peak_rss: field_kib(&status, "VmHWM:").unwrap_or(0) })
}

/// Threads of all processes of this process's user.
pub fn threads_of_user() -> u64 {
    let own = proc_file("/proc/self/status");
    let user = field(&own, "Uid:").unwrap_or_default();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let threads = |status: &String| field(status, "Threads:")?.parse::<u64>().ok();
    processes
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("status")).ok())
        .filter(|status| field(status, "Uid:") == Some(user))
        .filter_map(|status| threads(&status))
        .sum()
}

/// The text of a /proc or /sys file, empty where there is none.
pub fn proc_file(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// The first word after a name in a /proc file of `Name: value` lines.
pub fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    line[name.len()..].split_whitespace().next()
}

/// As [`field`], in KiB there, returned in bytes.
pub fn field_kib(text: &str, name: &str) -> Option<u64> {
    field(text, name)?.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// User and system time of this process, and its context switches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// CPU time of all threads, those that ended included.
    pub cpu: Duration,
    /// Voluntary and involuntary.
    pub context_switches: u64,
}

/// The soft limits of this process; `None` is "unlimited" or "not known here".
#[derive(Clone, Copy, Debug, Default)]
pub struct SoftLimits {
    /// RLIMIT_NPROC: processes and threads of this user.
    pub nproc: Option<u64>,
    /// RLIMIT_NOFILE: descriptors of this process.
    pub nofile: Option<u64>,
    /// RLIMIT_AS: address space of this process, bytes.
    pub address_space: Option<u64>,
}

#[cfg(unix)]
mod imp {
    use super::{SoftLimits, Usage};
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::time::Duration;

    pub fn usage() -> Option<Usage> {
        // SAFETY: an all-zero rusage is a valid value of this plain C struct.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: the pointer is to a live rusage, which the call fills.
        if unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) } != 0 {
            return None;
        }
        let time = |t: libc::timeval| {
            Duration::new(t.tv_sec as u64, (t.tv_usec as u32).saturating_mul(1000))
        };
        Some(Usage {
            cpu: time(usage.ru_utime) + time(usage.ru_stime),
            context_switches: (usage.ru_nvcsw + usage.ru_nivcsw) as u64,
        })
    }

    pub fn soft_limits() -> SoftLimits {
        // The type of the resource number differs between systems, hence the macro.
        macro_rules! soft {
            ($resource:expr) => {{
                let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                // SAFETY: the pointer is to a live rlimit, which the call fills.
                let got = unsafe { libc::getrlimit($resource, &mut limit) };
                (got == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur as u64)
            }};
        }
        SoftLimits {
            nproc: soft!(libc::RLIMIT_NPROC),
            nofile: soft!(libc::RLIMIT_NOFILE),
            address_space: soft!(libc::RLIMIT_AS),
        }
    }

    pub fn is_root() -> bool {
        // SAFETY: geteuid has no preconditions and cannot fail.
        unsafe { libc::geteuid() == 0 }
    }

    pub fn is_out_of_descriptors(error: &std::io::Error) -> bool {
        matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
    }

    /// A group of its own, so that Ctrl-C reaches only the parent, which then ends the child
    /// and whatever the child started.
    pub fn own_group(command: &mut Command) {
        command.process_group(0);
    }

    pub fn kill_group(pid: u32) {
        // SAFETY: kill only takes numbers; a group that is gone is an error we do not mind.
        unsafe { libc::kill(-(pid as libc::pid_t), libc::SIGKILL) };
    }
}

#[cfg(not(unix))]
mod imp {
    use super::{SoftLimits, Usage};
    use std::process::Command;

    pub fn usage() -> Option<Usage> {
        None
    }

    pub fn soft_limits() -> SoftLimits {
        SoftLimits::default()
    }

    pub fn is_root() -> bool {
        false
    }

    pub fn is_out_of_descriptors(_: &std::io::Error) -> bool {
        false
    }

    pub fn own_group(_: &mut Command) {}

    pub fn kill_group(_: u32) {}
}

/// CPU time and context switches of this process so far.
pub fn usage() -> Option<Usage> {
    imp::usage()
}

/// The limits that this process runs under.
pub fn soft_limits() -> SoftLimits {
    imp::soft_limits()
}

/// Whether limits on processes pass this user by.
pub fn is_root() -> bool {
    imp::is_root()
}

/// Whether an error says that this process or the system has no descriptor left.
pub fn is_out_of_descriptors(error: &std::io::Error) -> bool {
    imp::is_out_of_descriptors(error)
}

/// Puts a child into a process group of its own, where there are such.
pub fn own_group(command: &mut Command) {
    imp::own_group(command);
}

/// Ends a child's whole process group at once.
pub fn kill_group(pid: u32) {
    imp::kill_group(pid);
}

/// Makes this process end when its parent does. Linux has a signal for it; elsewhere a thread
/// ends the process some time after its deadline, which is late but sure.
pub fn die_with_parent(deadline: Duration, parent: u32) {
    #[cfg(target_os = "linux")]
    {
        let _ = deadline;
        // SAFETY: this option of prctl takes a signal number and touches no memory.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
        // A parent that was gone before the call sends no signal any more.
        if std::os::unix::process::parent_id() != parent {
            std::process::exit(2);
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = parent;
        std::thread::spawn(move || {
            std::thread::sleep(deadline + Duration::from_secs(5));
            std::process::abort();
        });
    }
}

/// Makes a failing `abort` leave no core file behind on a borrowed laptop.
pub fn no_core_file() {
    #[cfg(unix)]
    {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the pointer is to a live rlimit, which the call only reads.
        unsafe { libc::setrlimit(libc::RLIMIT_CORE, &none) };
    }
}
