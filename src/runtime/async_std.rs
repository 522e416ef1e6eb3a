//! async-std: one global executor. The crate is discontinued (RUSTSEC-2025-0052) and recommends
//! smol; it is kept here because so much code still runs on it.
//!
//! - There is no runtime value. The number of workers is read once, when the first task is
//!   spawned: from `ASYNC_STD_THREAD_COUNT`, or as here from async-global-executor.
//! - One more thread, `async-io`, waits for timers and sockets; `block_on` runs on the caller.
//! - `spawn_blocking` is the `blocking` crate's pool: up to 500 threads, `BLOCKING_MAX_THREADS`.
//! - A `block_on` within a task hangs silently.

use async_global_executor::GlobalExecutorConfig;

/// Starts the global executor with `workers` workers. To be called once, before any spawn:
/// a later call changes nothing.
pub fn start(workers: usize) {
    async_global_executor::init_with_config(
        GlobalExecutorConfig::default()
            .with_min_threads(workers)
            .with_max_threads(workers)
            .with_thread_name_fn(|| "async-std/runtime".to_owned()),
    );
}
