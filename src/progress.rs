//! Progress on stderr: a bar on a terminal; elsewhere one plain line every ten seconds, so that
//! a log of a CI run shows that it is alive and holds no escape codes.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// Counts children.
pub struct Progress {
    bar: Option<ProgressBar>,
    label: String,
    done: u64,
    all: u64,
    began: Instant,
    said: Instant,
}

impl Progress {
    /// Progress over a number of children.
    pub fn new(all: u64) -> Progress {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let drawn = std::io::stderr().is_terminal() && !dumb;
        let bar = drawn.then(|| {
            let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{pos}/{len} {elapsed} {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        let now = Instant::now();
        Progress { bar, label: String::new(), done: 0, all, began: now, said: now }
    }

    /// Time goes by.
    pub fn tick(&mut self) {
        if self.bar.is_none() {
            self.say_plainly();
        }
    }

    /// A case begins.
    pub fn case(&mut self, label: &str) {
        self.label = label.to_owned();
        if let Some(bar) = &self.bar {
            bar.set_message(label.to_owned());
        }
    }

    /// It is over.
    pub fn done(&mut self) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// Prints something on stdout without tearing the bar.
    pub fn pause<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn say_plainly(&mut self) {
        if self.said.elapsed() >= PLAIN_EVERY {
            self.said = Instant::now();
            let seconds = self.began.elapsed().as_secs();
            // A closed stderr is no reason to stop measuring.
            let _ = writeln!(
                std::io::stderr(),
                "{seconds} s: {} of {} runs done, now {}",
                self.done,
                self.all,
                self.label
            );
        }
    }
}
