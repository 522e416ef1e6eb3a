//! The child's side of a case: a process of its own that runs one repetition of one case and
//! reports each event as one line of JSON on a pipe. Its stdout and stderr stay its own.
//!
//! The pipe is the child's *standard input*, opened for writing: that is the one descriptor
//! that std can hand down on every system without unsafe code, and no case reads its input.

use crate::experiment::{Answer, Experiment};
use crate::limits::{self, Limit};
use crate::os;
use crate::params::Params;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a child tells its parent, in the order in which it happens.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The timed part begins; resident memory before it.
    Begin { rss_bytes: Option<u64> },
    /// A moment of the timed part.
    Mark { name: String, ns: u64 },
    /// The timed part is over.
    End {
        wall_ns: u64,
        cpu_ns: Option<u64>,
        context_switches: Option<u64>,
        peak_rss_bytes: Option<u64>,
    },
    /// The parent shall count the lines on the child's stdout and answer with their number.
    CountLines { key: String },
    /// Part of what was asked for could not be done.
    Limited { reason: String },
    /// The answer.
    Answer(Answer),
    /// The case cannot run: a limit of the system.
    Limit { reason: String },
    /// The case returned an error.
    Error { reason: String },
    /// A thread or a task panicked.
    Panic { message: String },
}

/// What a case uses to mark its timed part and to report.
pub struct Recorder {
    pipe: File,
    began: Instant,
    usage_before: Option<os::Usage>,
    rss_before: Option<u64>,
    peak_rss: Option<u64>,
    ended: bool,
}

impl Recorder {
    fn new(pipe: File) -> Recorder {
        Recorder {
            pipe,
            began: Instant::now(),
            usage_before: None,
            rss_before: None,
            peak_rss: None,
            ended: false,
        }
    }

    /// The timed part begins here: after the runtime was started, before the first spawn.
    /// Without it the whole case is timed.
    pub fn begin(&mut self) {
        self.rss_before = os::resident().0;
        self.send(&Event::Begin { rss_bytes: self.rss_before });
        self.usage_before = os::usage();
        self.began = Instant::now();
    }

    /// Notes a moment of the timed part, such as "spawned".
    pub fn mark(&mut self, name: &str) {
        let ns = self.began.elapsed().as_nanos() as u64;
        self.send(&Event::Mark { name: name.to_owned(), ns });
    }

    /// The timed part is over: all work was awaited, nothing was counted or checked yet.
    pub fn end(&mut self) {
        let wall = self.began.elapsed();
        let (before, after) = (self.usage_before.unwrap_or_default(), os::usage());
        self.peak_rss = os::resident().1;
        self.ended = true;
        self.send(&Event::End {
            wall_ns: wall.as_nanos() as u64,
            cpu_ns: after.map(|a| a.cpu.saturating_sub(before.cpu).as_nanos() as u64),
            context_switches: after.map(|a| a.context_switches - before.context_switches),
            peak_rss_bytes: self.peak_rss,
        });
    }

    /// Peak resident memory beyond what was there before the first spawn, for each of `tasks`;
    /// null where the system does not tell. Only after [`Recorder::end`].
    pub fn bytes_per_task(&self, tasks: u64) -> Option<u64> {
        let grown = self.peak_rss?.saturating_sub(self.rss_before?);
        grown.checked_div(tasks)
    }

    /// Leaves it to the parent to count the lines that this process writes to its stdout until
    /// it is gone; their number is the answer's `key`. What it wrote counts, not what it says.
    pub fn count_lines(&mut self, key: &str) {
        self.send(&Event::CountLines { key: key.to_owned() });
    }

    /// Says that a limit kept the case from doing all that was asked for.
    pub fn limited(&mut self, reason: String) {
        self.send(&Event::Limited { reason });
    }

    /// A parent that is gone ends this process by itself, so a failed write is no matter.
    fn send(&mut self, event: &Event) {
        if let Ok(mut line) = serde_json::to_vec(event) {
            line.push(b'\n');
            let _ = self.pipe.write_all(&line);
        }
    }
}

/// Runs one case and reports; the whole life of a child process.
pub fn main(
    experiment: &Experiment,
    case_id: &str,
    params: &str,
    deadline: Duration,
    parent: u32,
) -> ExitCode {
    os::die_with_parent(deadline, parent);
    os::no_core_file();
    let (Some(pipe), Ok(params)) = (event_pipe(), serde_json::from_str::<Params>(params)) else {
        return ExitCode::from(2);
    };
    let Some(case) = experiment.cases.iter().find(|case| case.id == case_id) else {
        return ExitCode::from(2);
    };
    report_panics(&pipe);
    let mut lab = Recorder::new(pipe);
    lab.usage_before = os::usage();
    match (case.run)(&params, &mut lab) {
        Ok(answer) => {
            if !lab.ended {
                lab.end();
            }
            lab.send(&Event::Answer(answer));
            ExitCode::SUCCESS
        }
        Err(error) => {
            lab.send(&match (error.downcast_ref::<Limit>(), limit_behind(&error)) {
                (Some(_), _) => Event::Limit { reason: format!("{error:#}") },
                (None, Some(limit)) => Event::Limit { reason: format!("{error:#}: {limit}") },
                (None, None) => Event::Error { reason: format!("{error:#}") },
            });
            ExitCode::FAILURE
        }
    }
}

/// The limit behind an error that a runtime passed on as it came from the system.
fn limit_behind(error: &anyhow::Error) -> Option<Limit> {
    // Not "would block": a socket's timeout says so too. A refused thread is named where it is.
    let behind = |error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::WouldBlock => None,
        _ => limits::behind(error),
    };
    error.chain().find_map(|cause| behind(cause.downcast_ref::<std::io::Error>()?))
}

/// Tells the parent of every panic, in place of the usual text on stderr.
fn report_panics(pipe: &File) {
    let Ok(pipe) = pipe.try_clone() else { return };
    let pipe = Mutex::new(pipe);
    std::panic::set_hook(Box::new(move |info| {
        let what = info.payload_as_str().unwrap_or("(no message)");
        let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line()));
        let message = format!("{what}{}", place.unwrap_or_default());
        if let Ok(mut line) = serde_json::to_vec(&Event::Panic { message }) {
            line.push(b'\n');
            let _ = pipe.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
        }
    }));
}

#[cfg(unix)]
fn event_pipe() -> Option<File> {
    use std::os::fd::AsFd;
    Some(File::from(std::io::stdin().as_fd().try_clone_to_owned().ok()?))
}

#[cfg(windows)]
fn event_pipe() -> Option<File> {
    use std::os::windows::io::AsHandle;
    Some(File::from(std::io::stdin().as_handle().try_clone_to_owned().ok()?))
}
