//! tokio's multi-threaded runtime.
//!
//! - `worker_threads` is the number of workers; without it, one for each CPU (or
//!   `TOKIO_WORKER_THREADS`).
//! - The thread that calls `block_on` is not a worker: what it spawns goes through a queue that
//!   all workers share.
//! - The blocking pool has up to 512 threads unless told otherwise; they carry the same name as
//!   the workers.
//! - Dropping the runtime ends its tasks at their next await, and waits for blocking ones.

/// A runtime with `workers` workers and a clock.
///
/// # Errors
/// The system refused a thread.
pub fn start(workers: usize) -> anyhow::Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(workers).enable_time().build().map_err(super::threads::refused)
}
