//! The parent's side of a case: starts the child, samples it from outside, holds its deadline,
//! and gathers what arrived before the end, whichever end that is.

use crate::child::Event;
use crate::document::{Ended, Sample};
use crate::os;
use crate::stop;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How one repetition of one case went.
pub struct Outcome {
    /// How the child ended; none when the run was interrupted.
    pub ended: Option<Ended>,
    /// What it measured, as far as it came.
    pub sample: Sample,
    /// What it said of its end, or what the system said.
    pub reason: Option<String>,
    /// A limit that kept it from doing all, although it finished.
    pub limited: Option<String>,
}

/// How often the child is looked at. Reading one small file of /proc takes some 20 µs.
const LOOK: Duration = Duration::from_millis(10);
/// Changes of the thread count are kept at most this often.
const KEEP: Duration = Duration::from_millis(100);
/// After the child is gone, a process that it started may still hold its pipes.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Runs one child to its end, and calls `tick` about a hundred times a second meanwhile.
///
/// # Errors
/// The system refused to start it.
pub fn run(
    command: &mut Command,
    deadline: Duration,
    tick: &mut dyn FnMut(),
) -> std::io::Result<Outcome> {
    let (events_in, events_out) = std::io::pipe()?;
    command.stdin(Stdio::from(events_out)).stdout(Stdio::piped()).stderr(Stdio::piped());
    os::own_group(command);
    let began = Instant::now();
    let mut child = command.spawn()?;
    // The command keeps our copy of the pipe's writing end open; without it the end shows.
    command.stdin(Stdio::null());
    watch(&mut child, events_in, began, deadline, tick)
}

/// What the threads that read the child's pipes hand over.
enum News {
    Event(Event),
    EventsOver,
    Stdout(u64),
    Stderr(String),
}

fn watch(
    child: &mut Child,
    events: std::io::PipeReader,
    began: Instant,
    deadline: Duration,
    tick: &mut dyn FnMut(),
) -> std::io::Result<Outcome> {
    let (sender, news) = channel();
    if let Err(error) = read_pipes(child, events, &sender) {
        os::kill_group(child.id());
        let _ = child.kill();
        let _ = child.wait();
        return Err(error);
    }
    drop(sender);
    let mut gathered = Gathered::default();
    let mut threads = Threads::default();
    let (mut hang, mut next_look) = (false, Instant::now());
    let status = loop {
        if Instant::now() >= next_look {
            tick();
            threads.look(child.id(), began.elapsed());
            if let Ok(Some(status)) = child.try_wait() {
                break Some(status);
            }
            if stop::requested() || began.elapsed() >= deadline {
                hang = !stop::requested();
                os::kill_group(child.id());
                let _ = child.kill();
                break child.wait().ok();
            }
            next_look = Instant::now() + LOOK;
        }
        match news.recv_timeout(next_look.saturating_duration_since(Instant::now())) {
            // The child is about to end: look at once.
            Ok(News::EventsOver) => next_look = Instant::now(),
            Ok(news) => gathered.take(news),
            // All pipes are closed: it is going, or went on without them.
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(Duration::from_millis(1));
                next_look = Instant::now();
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    // What the child started goes with it, before its last words are read.
    os::kill_group(child.id());
    let wall = began.elapsed();
    gathered.take_rest(&news);
    Ok(gathered.finish(status, hang.then_some(deadline), wall, threads))
}

/// A thread for each pipe; the system may refuse one.
fn read_pipes(
    child: &mut Child,
    events: std::io::PipeReader,
    sender: &Sender<News>,
) -> std::io::Result<()> {
    let to = sender.clone();
    thread::Builder::new().spawn(move || {
        each_line(events, |line| {
            if let Ok(event) = serde_json::from_str(&line) {
                let _ = to.send(News::Event(event));
            }
        });
        let _ = to.send(News::EventsOver);
    })?;
    if let Some(mut stdout) = child.stdout.take() {
        let to = sender.clone();
        thread::Builder::new().spawn(move || {
            let mut buffer = vec![0; 64 * 1024];
            while let Ok(n) = stdout.read(&mut buffer) {
                if n == 0 {
                    break;
                }
                let lines = buffer[..n].iter().filter(|byte| **byte == b'\n').count();
                let _ = to.send(News::Stdout(lines as u64));
            }
        })?;
    }
    if let Some(stderr) = child.stderr.take() {
        let to = sender.clone();
        thread::Builder::new().spawn(move || {
            each_line(stderr, |line| {
                let _ = to.send(News::Stderr(line));
            });
        })?;
    }
    Ok(())
}

/// The lines of a pipe until its end, whatever bytes they hold.
fn each_line(pipe: impl Read, mut take: impl FnMut(String)) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    while pipe.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
        take(String::from_utf8_lossy(&line).trim_end().to_owned());
        line.clear();
    }
}

/// What arrived so far.
#[derive(Default)]
struct Gathered {
    sample: Sample,
    answered: bool,
    ended: bool,
    count_lines: Option<String>,
    lines: u64,
    limit: Option<String>,
    limited: Option<String>,
    error: Option<String>,
    panic: Option<String>,
    last_stderr: Option<String>,
}

impl Gathered {
    fn take(&mut self, news: News) {
        match news {
            News::EventsOver => {}
            News::Stdout(lines) => self.lines += lines,
            News::Stderr(line) if line.trim().is_empty() => {}
            News::Stderr(line) => self.last_stderr = Some(line),
            News::Event(event) => self.take_event(event),
        }
    }

    fn take_event(&mut self, event: Event) {
        match event {
            Event::Begin { rss_bytes } => self.sample.rss_before_bytes = rss_bytes,
            Event::Mark { name, ns } => {
                self.sample.marks.insert(name, ns.into());
            }
            Event::End { wall_ns, cpu_ns, context_switches, peak_rss_bytes } => {
                self.ended = true;
                self.sample.wall_ns = wall_ns;
                self.sample.cpu_ns = cpu_ns;
                self.sample.context_switches = context_switches;
                self.sample.peak_rss_bytes = peak_rss_bytes;
            }
            Event::CountLines { key } => self.count_lines = Some(key),
            Event::Limited { reason } => self.limited = Some(reason),
            Event::Answer(answer) => {
                self.answered = true;
                self.sample.answer = answer;
            }
            Event::Limit { reason } => self.limit = Some(reason),
            Event::Error { reason } => self.error = Some(reason),
            // The first panic is the cause; those after it are its echo.
            Event::Panic { message } => {
                self.panic.get_or_insert(message);
            }
        }
    }

    /// What the pipes still hold after the end; bounded, since a grandchild may keep them open.
    fn take_rest(&mut self, news: &Receiver<News>) {
        let until = Instant::now() + LAST_WORDS;
        while let Ok(last) = news.recv_timeout(until.saturating_duration_since(Instant::now())) {
            self.take(last);
        }
    }

    fn finish(
        self,
        status: Option<ExitStatus>,
        hang: Option<Duration>,
        wall: Duration,
        threads: Threads,
    ) -> Outcome {
        let mut sample = self.sample;
        if !self.ended {
            sample.wall_ns = wall.as_nanos() as u64;
            sample.peak_rss_bytes = threads.peak_rss;
        }
        if let Some(key) = &self.count_lines {
            sample.answer = sample.answer.with(key, self.lines);
        }
        sample.peak_os_threads = threads.peak;
        sample.os_threads_over_time = threads.changes;
        let good = status.is_some_and(|status| status.success());
        let (ended, reason) = if let Some(deadline) = hang {
            let deadline = deadline.as_secs_f64();
            (Some(Ended::Hang), Some(format!("still running at its deadline, {deadline:.1} s")))
        } else if stop::requested() && !(good && self.answered) {
            (None, Some("interrupted".to_owned()))
        } else if let Some(limit) = self.limit {
            (Some(Ended::Limit), Some(limit))
        } else if good && self.answered {
            (Some(Ended::Finish), None)
        } else {
            let said = self.error.or(self.panic.map(|text| format!("panicked: {text}")));
            let said = said.or(self.last_stderr).unwrap_or_else(|| "no answer".to_owned());
            let died = match status {
                Some(status) if !good && status.code() != Some(1) => format!(" ({status})"),
                _ => String::new(),
            };
            (Some(Ended::Abort), Some(format!("{said}{died}")))
        };
        Outcome { ended, sample, reason, limited: self.limited }
    }
}

/// The number of OS threads of a child over time.
#[derive(Default)]
struct Threads {
    peak: Option<u64>,
    peak_rss: Option<u64>,
    changes: Vec<(u64, u64)>,
    kept: Option<Duration>,
}

impl Threads {
    fn look(&mut self, pid: u32, at: Duration) {
        let Some(now) = os::look_at(pid) else { return };
        // A process that is ending shows no threads and no memory any more.
        self.peak = self.peak.max(Some(now.threads));
        self.peak_rss = self.peak_rss.max(Some(now.peak_rss));
        let changed = self.changes.last().is_none_or(|(_, threads)| *threads != now.threads);
        if changed && self.kept.is_none_or(|kept| at >= kept + KEEP) {
            self.kept = Some(at);
            self.changes.push((at.as_millis() as u64, now.threads));
        }
    }
}
