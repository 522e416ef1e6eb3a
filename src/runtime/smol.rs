//! smol: an executor is a value, and whoever calls `run` on it is a worker.
//!
//! - `smol::spawn` uses a global executor with *one* worker unless `SMOL_THREADS` says
//!   otherwise. An executor of our own on N threads is smol's documented way to have more.
//! - One more thread, `async-io`, waits for timers and sockets; `block_on` runs on the caller.
//! - `unblock` is the `blocking` crate's pool: up to 500 threads, `BLOCKING_MAX_THREADS`.
//! - Dropping a `Task` cancels it; `detach` lets it run.

use smol::Executor;
use std::{future, thread};

/// An executor that `workers` threads run until the process ends.
///
/// # Errors
/// The system refused a thread.
pub fn start(workers: usize) -> anyhow::Result<&'static Executor<'static>> {
    let executor: &'static Executor<'static> = Box::leak(Box::new(Executor::new()));
    for number in 0..workers {
        thread::Builder::new()
            .name(format!("smol-worker-{number}"))
            .spawn(|| smol::block_on(executor.run(future::pending::<()>())))
            .map_err(super::threads::refused)?;
    }
    Ok(executor)
}
