//! may: stackful coroutines, so ordinary functions wait without `async`.
//!
//! - One global scheduler, configured before the first `go!`, which starts it. It makes 1,000
//!   stacks in advance.
//! - A coroutine has a stack of fixed size with a guard page: two memory maps each, so
//!   `vm.max_map_count` (65,530 by default) allows about 32,700 at once; beyond that the
//!   spawner panics. The unit of `set_stack_size` is *words*, not bytes: the default of 0x1000
//!   is 32 KiB on a 64-bit system. A stack does not grow.
//! - Workers are pinned to CPUs unless told otherwise. Here they are not: the other runtimes'
//!   are not either.
//! - One more thread waits for timers, and runs the coroutine that it wakes until its next wait:
//!   after a `sleep` a coroutine is not on a worker, and computing there delays every timer.
//! - Blocking calls of std (`thread::sleep`, `std::sync::Mutex`) block the worker; may has its
//!   own `sleep`, `sync::Mutex` and channels.
//! - `go!` hides an unsafe spawn: a coroutine must not overflow its stack, nor keep a reference
//!   to thread-local data across a wait.

use crate::limits::{Limit, Limits};

/// Stack of a coroutine in words: 32 KiB on a 64-bit system, may's own default.
pub const STACK_WORDS: usize = 0x1000;

/// Starts `workers` workers that are not pinned, with the default stack. To be called once,
/// before any other `go!`.
pub fn start(workers: usize) {
    may::config().set_workers(workers).set_stack_size(STACK_WORDS).set_worker_pin(false);
    // The scheduler starts with the first coroutine, and makes 1,000 stacks in advance: 10 ms and
    // 9 MiB that are not to count as those of the tasks. This one finds nothing to panic about.
    let _ = may::go!(|| {}).join();
}

/// Memory that a coroutine is foreseen to need: two touched pages of its stack, its handle, and
/// the kernel's part for two maps.
const BYTES_EACH: u64 = 16 * 1024;

/// How many coroutines can be alive at once, and the limit that says so: memory maps (two each)
/// or memory. No limit where the system tells of none.
pub fn room_for_coroutines() -> (u64, Option<Limit>) {
    let limits = Limits::read();
    let (maps, by_maps) = limits.room_for_maps(2);
    let (bytes, by_memory) = limits.room_for_memory();
    let memory = bytes / BYTES_EACH;
    if memory < maps { (memory, by_memory) } else { (maps, by_maps) }
}
