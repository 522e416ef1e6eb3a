//! OS threads: no runtime to start.
//!
//! - `std::thread::spawn` panics when the system refuses a thread; `Builder::spawn` returns an
//!   error, so every case that starts many threads uses the builder.
//! - A spawned thread has a stack of 2 MiB unless told otherwise (`RUST_MIN_STACK` or
//!   `stack_size`), reserved at once and resident only where touched. Main's stack is the
//!   system's own: 8 MiB on Linux and macOS, 1 MiB on Windows.
//! - The number of workers is the system's: every thread is scheduled by the kernel.

use crate::limits;
use std::io;
use std::thread::{Builder, JoinHandle};

/// `std::thread::spawn` that names the limit when the system refuses.
///
/// # Errors
/// The limit that stands in the way as [`crate::limits::Limit`], or the system's own error.
pub fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> anyhow::Result<JoinHandle<T>> {
    Builder::new().spawn(work).map_err(refused)
}

/// The limit behind a refused thread.
pub fn refused(error: io::Error) -> anyhow::Error {
    match limits::behind(&error) {
        Some(limit) => anyhow::Error::new(limit).context("the system refused another thread"),
        None => anyhow::Error::new(error).context("the system refused another thread"),
    }
}
