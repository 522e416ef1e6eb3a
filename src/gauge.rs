//! A counter that tasks carry with them: how many are alive now, the most there ever were, how
//! many came to an end, and how many different workers ran them.
//!
//! Every case runs in a process of its own, so a `static` gauge starts at zero for each.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts tasks. Relaxed atomics: the numbers are read after all tasks were joined.
#[derive(Debug, Default)]
pub struct Gauge {
    alive: AtomicU64,
    peak: AtomicU64,
    finished: AtomicU64,
    workers: AtomicU64,
}

/// Held by a task while it is alive; dropped at its end, however that comes about.
#[derive(Debug)]
pub struct Alive<'a>(&'a Gauge);

thread_local! {
    static SEEN: Cell<bool> = const { Cell::new(false) };
}

impl Gauge {
    /// All zero.
    pub const fn new() -> Gauge {
        Gauge {
            alive: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            finished: AtomicU64::new(0),
            workers: AtomicU64::new(0),
        }
    }

    /// Counts the calling task as alive until the returned value is dropped, and the calling
    /// OS thread as a worker. To be called inside the task, on its first poll.
    pub fn enter(&self) -> Alive<'_> {
        let now = self.alive.fetch_add(1, Relaxed) + 1;
        // A plain load first: once the peak stands, nobody writes the cache line any more.
        if now > self.peak.load(Relaxed) {
            self.peak.fetch_max(now, Relaxed);
        }
        if !SEEN.replace(true) {
            self.workers.fetch_add(1, Relaxed);
        }
        Alive(self)
    }

    /// Tasks alive now.
    pub fn alive(&self) -> u64 {
        self.alive.load(Relaxed)
    }

    /// The most tasks that were alive at the same time.
    pub fn peak_alive(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    /// Tasks that came to an end.
    pub fn finished(&self) -> u64 {
        self.finished.load(Relaxed)
    }

    /// Different OS threads on which tasks began; of each, its first gauge counts it.
    pub fn distinct_workers(&self) -> u64 {
        self.workers.load(Relaxed)
    }
}

impl Drop for Alive<'_> {
    fn drop(&mut self) {
        self.0.finished.fetch_add(1, Relaxed);
        self.0.alive.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_stays_when_tasks_end() {
        let gauge = Gauge::new();
        {
            let _one = gauge.enter();
            let _two = gauge.enter();
        }
        let _three = gauge.enter();
        assert_eq!((gauge.alive(), gauge.peak_alive(), gauge.finished()), (1, 2, 2));
        assert_eq!(gauge.distinct_workers(), 1);
    }
}
