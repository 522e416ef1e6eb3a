//! Question: how do I say it here? Each call of the Java posts beside its counterpart on OS
//! threads, tokio, async-std, smol and may; compiled, run and checked.
//!
//! Run: `cargo run --example 00-phrasebook` (`-- --case tokio-cancel` for one phrase).
//!
//! Look at: the five functions of one phrase, side by side; `// differs:` marks what is not a
//! matter of spelling. A `—` in the table is a thing that the runtime lacks, with the reason.
//!
//! Left out: what a phrase costs (02 to 05), who waits for a task that nobody joins, which is
//! the posts' `isDaemon` (03), and `Thread.ofPlatform()`, which is the column `threads`. A
//! refused thread makes `thread::spawn` panic; 01 has the form that returns an error.

use anyhow::{Result, ensure};
use std::collections::HashSet;
use std::io;
use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use weft::Runtime::{AsyncStd, May, Smol, Threads, Tokio};
use weft::document::Status;
use weft::{
    Answer, CASE, Case, Checked, Claim, Document, Experiment, Gauge, Layout, NotApplicable, Params,
    Recorder,
};

pub const EXPERIMENT: Experiment = Experiment {
    id: "00-phrasebook",
    question: "How do I say it here?",
    params: &[],
    cases: &[
        Case { id: "threads-spawn", runtime: Threads, run: threads_spawn, ..SPAWN },
        Case { id: "tokio-spawn", runtime: Tokio, run: tokio_spawn, ..SPAWN },
        Case { id: "async-std-spawn", runtime: AsyncStd, run: async_std_spawn, ..SPAWN },
        Case { id: "smol-spawn", runtime: Smol, run: smol_spawn, ..SPAWN },
        Case { id: "may-spawn", runtime: May, run: may_spawn, ..SPAWN },
        Case { id: "threads-name", runtime: Threads, run: threads_name, ..NAME },
        Case { id: "tokio-name", runtime: Tokio, cannot: Some(TOKIO_NO_NAME), ..NAME },
        Case { id: "async-std-name", runtime: AsyncStd, run: async_std_name, ..NAME },
        Case { id: "smol-name", runtime: Smol, cannot: Some(SMOL_NO_NAME), ..NAME },
        Case { id: "may-name", runtime: May, run: may_name, ..NAME },
        Case { id: "threads-factory", runtime: Threads, run: threads_factory, ..FACTORY },
        Case { id: "tokio-factory", runtime: Tokio, run: tokio_factory, ..FACTORY },
        Case { id: "async-std-factory", runtime: AsyncStd, run: async_std_factory, ..FACTORY },
        Case { id: "smol-factory", runtime: Smol, run: smol_factory, ..FACTORY },
        Case { id: "may-factory", runtime: May, run: may_factory, ..FACTORY },
        Case { id: "threads-sleep", runtime: Threads, run: threads_sleep, ..SLEEP },
        Case { id: "tokio-sleep", runtime: Tokio, run: tokio_sleep, ..SLEEP },
        Case { id: "async-std-sleep", runtime: AsyncStd, run: async_std_sleep, ..SLEEP },
        Case { id: "smol-sleep", runtime: Smol, run: smol_sleep, ..SLEEP },
        Case { id: "may-sleep", runtime: May, run: may_sleep, ..SLEEP },
        Case { id: "threads-light", runtime: Threads, cannot: Some(THREADS_NOT_LIGHT), ..LIGHT },
        Case { id: "tokio-light", runtime: Tokio, run: tokio_light, ..LIGHT },
        Case { id: "async-std-light", runtime: AsyncStd, run: async_std_light, ..LIGHT },
        Case { id: "smol-light", runtime: Smol, cannot: Some(SMOL_NO_CURRENT), ..LIGHT },
        Case { id: "may-light", runtime: May, run: may_light, ..LIGHT },
        Case { id: "threads-who", runtime: Threads, run: threads_who, ..WHO },
        Case { id: "tokio-who", runtime: Tokio, run: tokio_who, ..WHO },
        Case { id: "async-std-who", runtime: AsyncStd, run: async_std_who, ..WHO },
        Case { id: "smol-who", runtime: Smol, run: smol_who, ..WHO },
        Case { id: "may-who", runtime: May, run: may_who, ..WHO },
        Case { id: "threads-join-all", runtime: Threads, run: threads_join_all, ..JOIN_ALL },
        Case { id: "tokio-join-all", runtime: Tokio, run: tokio_join_all, ..JOIN_ALL },
        Case { id: "async-std-join-all", runtime: AsyncStd, run: async_std_join_all, ..JOIN_ALL },
        Case { id: "smol-join-all", runtime: Smol, run: smol_join_all, ..JOIN_ALL },
        Case { id: "may-join-all", runtime: May, run: may_join_all, ..JOIN_ALL },
        Case { id: "threads-latch", runtime: Threads, run: threads_latch, ..LATCH },
        Case { id: "tokio-latch", runtime: Tokio, run: tokio_latch, ..LATCH },
        Case { id: "async-std-latch", runtime: AsyncStd, run: async_std_latch, ..LATCH },
        Case { id: "smol-latch", runtime: Smol, run: smol_latch, ..LATCH },
        Case { id: "may-latch", runtime: May, run: may_latch, ..LATCH },
        Case { id: "threads-mutex", runtime: Threads, run: threads_mutex, ..MUTEX },
        Case { id: "tokio-mutex", runtime: Tokio, run: tokio_mutex, ..MUTEX },
        Case { id: "async-std-mutex", runtime: AsyncStd, run: async_std_mutex, ..MUTEX },
        Case { id: "smol-mutex", runtime: Smol, run: smol_mutex, ..MUTEX },
        Case { id: "may-mutex", runtime: May, run: may_mutex, ..MUTEX },
        Case { id: "threads-channel", runtime: Threads, run: threads_channel, ..CHANNEL },
        Case { id: "tokio-channel", runtime: Tokio, run: tokio_channel, ..CHANNEL },
        Case { id: "async-std-channel", runtime: AsyncStd, run: async_std_channel, ..CHANNEL },
        Case { id: "smol-channel", runtime: Smol, run: smol_channel, ..CHANNEL },
        Case { id: "may-channel", runtime: May, run: may_channel, ..CHANNEL },
        Case { id: "threads-permit", runtime: Threads, run: threads_permit, ..PERMIT },
        Case { id: "tokio-permit", runtime: Tokio, run: tokio_permit, ..PERMIT },
        Case { id: "async-std-permit", runtime: AsyncStd, run: async_std_permit, ..PERMIT },
        Case { id: "smol-permit", runtime: Smol, run: smol_permit, ..PERMIT },
        Case { id: "may-permit", runtime: May, run: may_permit, ..PERMIT },
        Case { id: "threads-offload", runtime: Threads, run: threads_offload, ..OFFLOAD },
        Case { id: "tokio-offload", runtime: Tokio, run: tokio_offload, ..OFFLOAD },
        Case { id: "async-std-offload", runtime: AsyncStd, run: async_std_offload, ..OFFLOAD },
        Case { id: "smol-offload", runtime: Smol, run: smol_offload, ..OFFLOAD },
        Case { id: "may-offload", runtime: May, run: may_offload, ..OFFLOAD },
        Case { id: "threads-timeout", runtime: Threads, run: threads_timeout, ..TIMEOUT },
        Case { id: "tokio-timeout", runtime: Tokio, run: tokio_timeout, ..TIMEOUT },
        Case { id: "async-std-timeout", runtime: AsyncStd, run: async_std_timeout, ..TIMEOUT },
        Case { id: "smol-timeout", runtime: Smol, run: smol_timeout, ..TIMEOUT },
        Case { id: "may-timeout", runtime: May, run: may_timeout, ..TIMEOUT },
        Case { id: "threads-cancel", runtime: Threads, run: threads_cancel, ..CANCEL },
        Case { id: "tokio-cancel", runtime: Tokio, run: tokio_cancel, ..CANCEL },
        Case { id: "async-std-cancel", runtime: AsyncStd, run: async_std_cancel, ..CANCEL },
        Case { id: "smol-cancel", runtime: Smol, run: smol_cancel, ..CANCEL },
        Case { id: "may-cancel", runtime: May, run: may_cancel, ..CANCEL },
        Case { id: "threads-interval", runtime: Threads, run: threads_interval, ..INTERVAL },
        Case { id: "tokio-interval", runtime: Tokio, run: tokio_interval, ..INTERVAL },
        Case { id: "async-std-interval", runtime: AsyncStd, run: async_std_interval, ..INTERVAL },
        Case { id: "smol-interval", runtime: Smol, run: smol_interval, ..INTERVAL },
        Case { id: "may-interval", runtime: May, run: may_interval, ..INTERVAL },
        Case { id: "threads-park", runtime: Threads, run: threads_park, ..PARK },
        Case { id: "tokio-park", runtime: Tokio, run: tokio_park, ..PARK },
        Case { id: "async-std-park", runtime: AsyncStd, run: async_std_park, ..PARK },
        Case { id: "smol-park", runtime: Smol, run: smol_park, ..PARK },
        Case { id: "may-park", runtime: May, run: may_park, ..PARK },
        Case { id: "threads-fixed-pool", runtime: Threads, run: threads_fixed_pool, ..POOL },
        Case { id: "tokio-fixed-pool", runtime: Tokio, run: tokio_fixed_pool, ..POOL },
        Case { id: "async-std-fixed-pool", runtime: AsyncStd, run: async_std_fixed_pool, ..POOL },
        Case { id: "smol-fixed-pool", runtime: Smol, run: smol_fixed_pool, ..POOL },
        Case { id: "may-fixed-pool", runtime: May, run: may_fixed_pool, ..POOL },
        Case { id: "threads-dump", runtime: Threads, cannot: Some(THREADS_NO_DUMP), ..DUMP },
        Case { id: "tokio-dump", runtime: Tokio, cannot: Some(TOKIO_NO_DUMP), ..DUMP },
        Case { id: "async-std-dump", runtime: AsyncStd, cannot: Some(ASYNC_STD_NO_DUMP), ..DUMP },
        Case { id: "smol-dump", runtime: Smol, cannot: Some(SMOL_NO_DUMP), ..DUMP },
        Case { id: "may-dump", runtime: May, cannot: Some(MAY_NO_DUMP), ..DUMP },
    ],
    claims: &[Claim {
        id: "all-phrases",
        text: "Every phrase that a runtime has was run and gave the right answer.",
        check: all_phrases,
    }],
    layout: Layout::Matrix,
    columns: &[],
    charts: &[],
};

// The number in each check is how many things the phrase verifies, on every runtime.
const SPAWN: Case = Case { name: "spawn and join", check: |_, a| all_of(1, a), ..CASE };
const NAME: Case = Case { name: "give a name", check: |_, a| all_of(2, a), ..CASE };
const FACTORY: Case = Case { name: "keep a factory", check: |_, a| all_of(1, a), ..CASE };
const SLEEP: Case = Case { name: "sleep", check: |_, a| all_of(1, a), ..CASE };
const LIGHT: Case = Case { name: "ask: am I light?", check: |_, a| all_of(2, a), ..CASE };
const WHO: Case = Case { name: "ask: who runs me?", check: |_, a| all_of(2, a), ..CASE };
const JOIN_ALL: Case = Case { name: "join all in a block", check: |_, a| all_of(1, a), ..CASE };
const LATCH: Case = Case { name: "count down a latch", check: |_, a| all_of(1, a), ..CASE };
const MUTEX: Case = Case { name: "lock across a wait", check: |_, a| all_of(1, a), ..CASE };
const CHANNEL: Case = Case { name: "send and receive", check: |_, a| all_of(1, a), ..CASE };
const PERMIT: Case = Case { name: "limit to 3 at once", check: |_, a| all_of(2, a), ..CASE };
const OFFLOAD: Case = Case { name: "move blocking work", check: |_, a| all_of(2, a), ..CASE };
const TIMEOUT: Case = Case { name: "give up after 50 ms", check: |_, a| all_of(2, a), ..CASE };
const CANCEL: Case = Case { name: "cancel", check: |_, a| all_of(2, a), ..CASE };
const INTERVAL: Case = Case { name: "tick at an interval", check: |_, a| all_of(1, a), ..CASE };
const PARK: Case = Case { name: "park and unpark", check: |_, a| all_of(1, a), ..CASE };
const POOL: Case = Case { name: "fixed pool of 3", check: |_, a| all_of(2, a), ..CASE };
const DUMP: Case = Case { name: "dump all stacks", check: |_, a| all_of(1, a), ..CASE };

const TOKIO_NO_NAME: &str =
    "a task has no name (task::Builder is unstable): name a tracing span, or a task_local!";
const SMOL_NO_NAME: &str =
    "a task has no name: name a tracing span, or give the future a value to carry";
const THREADS_NOT_LIGHT: &str = "an OS thread never is, so std has no such question";
const SMOL_NO_CURRENT: &str =
    "smol keeps no current task: a future cannot tell a worker from a block_on";
const THREADS_NO_DUMP: &str =
    "std's Backtrace captures only the calling thread: gdb -p PID, `thread apply all bt`";
const TOKIO_NO_DUMP: &str =
    "Handle::dump needs Linux, the feature taskdump and --cfg tokio_unstable";
const ASYNC_STD_NO_DUMP: &str =
    "the global executor's list of tasks is private; at level trace, `log` gets each spawn's id";
const SMOL_NO_DUMP: &str = "`{:?}` of an Executor counts its tasks and shows nothing of each";
const MAY_NO_DUMP: &str =
    "may keeps no list; a parked coroutine's stack is no thread's, so gdb shows none either";

/// Tasks of a phrase that needs many.
const TASKS: u64 = 10;
/// Permits of the limit, workers of the pool.
const THREE: u64 = 3;
/// A wait long enough to be seen.
const NAP: Duration = Duration::from_millis(5);
/// Between two ticks.
const PERIOD: Duration = Duration::from_millis(10);
/// After this long, work is given up.
const LIMIT: Duration = Duration::from_millis(50);
/// Longer than any case may take: whoever sleeps so long does not wake by itself.
const HOUR: Duration = Duration::from_secs(3600);

// Each case has a process of its own, so that these start at zero for each.
/// Tasks that came to their last line.
static DONE: AtomicU64 = AtomicU64::new(0);
/// What a parked task finds when it wakes.
static MAIL: AtomicU64 = AtomicU64::new(0);
/// Counts the holders of a permit, and the jobs of the pool.
static IN_USE: Gauge = Gauge::new();
/// Whether the destructor of a cancelled task ran.
static DROPPED: AtomicBool = AtomicBool::new(false);

// ---- spawn: Thread.startVirtualThread(job), then join() ---------------------------------------

// [threads-spawn]
fn threads_spawn(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let thread = thread::spawn(|| 6 * 7);
    let value = thread.join().unwrap();
    verified(&[("join gives the value", value == 42)])
}
// [/threads-spawn]

// [tokio-spawn]
fn tokio_spawn(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    let value = runtime.block_on(async {
        let task = tokio::spawn(async { 6 * 7 });
        task.await
    })?;
    verified(&[("join gives the value", value == 42)])
}
// [/tokio-spawn]

// [async-std-spawn]
fn async_std_spawn(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    let value = async_std::task::block_on(async {
        let task = async_std::task::spawn(async { 6 * 7 });
        task.await // differs: no Result; a panic in the task would come out here.
    });
    verified(&[("join gives the value", value == 42)])
}
// [/async-std-spawn]

// [smol-spawn]
fn smol_spawn(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let executor = weft::runtime::smol::start(p.workers())?;
    let value = smol::block_on(async {
        // differs: the executor is a value, and a dropped handle cancels its task.
        let task = executor.spawn(async { 6 * 7 });
        task.await
    });
    verified(&[("join gives the value", value == 42)])
}
// [/smol-spawn]

// [may-spawn]
fn may_spawn(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let coroutine = may::go!(|| 6 * 7); // differs: a closure, no async, no await.
    let value = coroutine.join().unwrap();
    verified(&[("join gives the value", value == 42)])
}
// [/may-spawn]

// ---- name: Thread.ofVirtual().name("weaver").start(job) ---------------------------------------

// [threads-name]
fn threads_name(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let builder = thread::Builder::new().name("weaver".to_owned());
    let thread = builder.spawn(|| thread::current().name().map(str::to_owned))?;
    let outside = thread.thread().name().map(str::to_owned);
    let inside = thread.join().unwrap();
    verified(&[
        ("the task reads its name", inside.as_deref() == Some("weaver")),
        ("its handle knows the name", outside.as_deref() == Some("weaver")),
    ])
}
// [/threads-name]

// [async-std-name]
fn async_std_name(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    let builder = async_std::task::Builder::new().name("weaver".to_owned());
    let task = builder.spawn(async { async_std::task::current().name().map(str::to_owned) })?;
    let outside = task.task().name().map(str::to_owned);
    let inside = async_std::task::block_on(task);
    verified(&[
        ("the task reads its name", inside.as_deref() == Some("weaver")),
        ("its handle knows the name", outside.as_deref() == Some("weaver")),
    ])
}
// [/async-std-name]

// [may-name]
fn may_name(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let builder = may::coroutine::Builder::new().name("weaver".to_owned());
    // differs: Builder::spawn is unsafe, go! with a builder wraps it.
    let coroutine = may::go!(builder, || may::coroutine::current().name().map(str::to_owned))?;
    let outside = coroutine.coroutine().name().map(str::to_owned);
    let inside = coroutine.join().unwrap();
    verified(&[
        ("the task reads its name", inside.as_deref() == Some("weaver")),
        ("its handle knows the name", outside.as_deref() == Some("weaver")),
    ])
}
// [/may-name]

// ---- factory: Thread.ofVirtual().factory(), then newThread(job) -------------------------------
// Java's factory is no pool, and neither are these: every job gets a task of its own.

// [threads-factory]
fn threads_factory(_: &Params, _: &mut Recorder) -> Result<Answer> {
    // differs: spawn consumes the builder, so what is kept is a closure that makes one.
    let factory = |number: u64| {
        thread::Builder::new().name(format!("weaver-{number}")).spawn(move || number * number)
    };
    let threads = (0..3).map(factory).collect::<io::Result<Vec<_>>>()?;
    let squares: Vec<u64> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    verified(&[("three tasks of one factory", squares == [0, 1, 4])])
}
// [/threads-factory]

// [tokio-factory]
fn tokio_factory(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    // differs: a Handle can be kept anywhere, and spawns from outside the runtime too.
    let factory = runtime.handle().clone();
    let tasks: Vec<_> = (0..3).map(|n: u64| factory.spawn(async move { n * n })).collect();
    let mut squares = Vec::new();
    for task in tasks {
        squares.push(runtime.block_on(task)?);
    }
    verified(&[("three tasks of one factory", squares == [0, 1, 4])])
}
// [/tokio-factory]

// [async-std-factory]
fn async_std_factory(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    let factory = |number: u64| {
        let builder = async_std::task::Builder::new().name(format!("weaver-{number}"));
        builder.spawn(async move { number * number })
    };
    let tasks = (0..3).map(factory).collect::<io::Result<Vec<_>>>()?;
    let squares: Vec<u64> = tasks.into_iter().map(async_std::task::block_on).collect();
    verified(&[("three tasks of one factory", squares == [0, 1, 4])])
}
// [/async-std-factory]

// [smol-factory]
fn smol_factory(p: &Params, _: &mut Recorder) -> Result<Answer> {
    // differs: the executor is the factory; who may spawn is who has a reference to it.
    let factory: &smol::Executor<'_> = weft::runtime::smol::start(p.workers())?;
    let tasks: Vec<_> = (0..3).map(|n: u64| factory.spawn(async move { n * n })).collect();
    let squares: Vec<u64> = tasks.into_iter().map(smol::block_on).collect();
    verified(&[("three tasks of one factory", squares == [0, 1, 4])])
}
// [/smol-factory]

// [may-factory]
fn may_factory(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let factory = |number: u64| {
        let builder = may::coroutine::Builder::new().name(format!("weaver-{number}"));
        may::go!(builder, move || number * number)
    };
    let coroutines = (0..3).map(factory).collect::<io::Result<Vec<_>>>()?;
    let squares: Vec<u64> = coroutines.into_iter().map(|co| co.join().unwrap()).collect();
    verified(&[("three tasks of one factory", squares == [0, 1, 4])])
}
// [/may-factory]

// ---- sleep: Thread.sleep(duration) ------------------------------------------------------------
// The post's listing prints what sleep returns and does not compile: in Java, too, it is nothing.

// [threads-sleep]
fn threads_sleep(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let thread = thread::spawn(|| {
        let began = Instant::now();
        thread::sleep(NAP);
        began.elapsed()
    });
    let slept = thread.join().unwrap();
    verified(&[("it slept at least as long as asked", slept >= NAP)])
}
// [/threads-sleep]

// [tokio-sleep]
fn tokio_sleep(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    let slept = runtime.block_on(runtime.spawn(async {
        let began = Instant::now();
        tokio::time::sleep(NAP).await; // differs: thread::sleep would block the worker.
        began.elapsed()
    }))?;
    verified(&[("it slept at least as long as asked", slept >= NAP)])
}
// [/tokio-sleep]

// [async-std-sleep]
fn async_std_sleep(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    let slept = async_std::task::block_on(async_std::task::spawn(async {
        let began = Instant::now();
        async_std::task::sleep(NAP).await;
        began.elapsed()
    }));
    verified(&[("it slept at least as long as asked", slept >= NAP)])
}
// [/async-std-sleep]

// [smol-sleep]
fn smol_sleep(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let executor = weft::runtime::smol::start(p.workers())?;
    let slept = smol::block_on(executor.spawn(async {
        let began = Instant::now();
        smol::Timer::after(NAP).await; // differs: a timer is a value, and gives the Instant.
        began.elapsed()
    }));
    verified(&[("it slept at least as long as asked", slept >= NAP)])
}
// [/smol-sleep]

// [may-sleep]
fn may_sleep(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let coroutine = may::go!(|| {
        let began = Instant::now();
        may::coroutine::sleep(NAP); // differs: no await shows that the coroutine waits here.
        began.elapsed()
    });
    let slept = coroutine.join().unwrap();
    verified(&[("it slept at least as long as asked", slept >= NAP)])
}
// [/may-sleep]

// ---- light: Thread.currentThread().isVirtual() ------------------------------------------------

// [tokio-light]
fn tokio_light(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    // differs: block_on's own future is no task. `Handle::try_current` asks something else,
    // whether tokio can be used here, and says yes in it.
    let outside = runtime.block_on(async { tokio::task::try_id().is_some() });
    let inside = runtime.block_on(runtime.spawn(async { tokio::task::try_id().is_some() }))?;
    verified(&[("a task is light", inside), ("what is no task is not", !outside)])
}
// [/tokio-light]

// [async-std-light]
fn async_std_light(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    // differs: in block_on the answer would be yes, so this asks the thread itself.
    let outside = async_std::task::try_current().is_some();
    let task = async_std::task::spawn(async { async_std::task::try_current().is_some() });
    let inside = async_std::task::block_on(task);
    verified(&[("a task is light", inside), ("what is no task is not", !outside)])
}
// [/async-std-light]

// [may-light]
fn may_light(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    // differs: the same function may be called by both kinds, so that asking makes sense, and
    // may's own calls do ask: `sleep` on a thread is thread::sleep.
    let outside = may::coroutine::is_coroutine();
    let inside = may::go!(may::coroutine::is_coroutine).join().unwrap();
    verified(&[("a task is light", inside), ("what is no task is not", !outside)])
}
// [/may-light]

// ---- who: Thread.currentThread(), which prints task and carrier -------------------------------

// [threads-who]
fn threads_who(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let threads: Vec<_> = (0..TASKS).map(|_| thread::spawn(|| thread::current().id())).collect();
    // differs: task and worker are one, and so are their ids.
    let ids: HashSet<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    verified(&[
        ("each task has an id of its own", ids.len() == TASKS as usize),
        ("it ran on a worker", !ids.contains(&thread::current().id())),
    ])
}
// [/threads-who]

// [tokio-who]
fn tokio_who(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| runtime.spawn(async { (tokio::task::id(), tokio::runtime::worker_index()) }))
        .collect();
    let (mut ids, mut workers) = (HashSet::new(), HashSet::new());
    for task in tasks {
        let (id, worker) = runtime.block_on(task)?;
        ids.insert(id);
        workers.insert(worker); // differs: a number; the name is the same for all workers.
    }
    let one_of_them = |worker: &Option<usize>| worker.is_some_and(|n| n < p.workers());
    verified(&[
        ("each task has an id of its own", ids.len() == TASKS as usize),
        ("it ran on a worker", workers.iter().all(one_of_them)),
    ])
}
// [/tokio-who]

// [async-std-who]
fn async_std_who(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    let who = || async { (async_std::task::current().id(), thread::current().id()) };
    let tasks: Vec<_> = (0..TASKS).map(|_| async_std::task::spawn(who())).collect();
    let (ids, workers): (Vec<_>, HashSet<_>) =
        tasks.into_iter().map(async_std::task::block_on).unzip();
    let ids: HashSet<_> = ids.into_iter().collect();
    let main = thread::current().id();
    verified(&[
        ("each task has an id of its own", ids.len() == TASKS as usize),
        ("it ran on a worker", workers.len() <= p.workers() && !workers.contains(&main)),
    ])
}
// [/async-std-who]

// [smol-who]
fn smol_who(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let executor = weft::runtime::smol::start(p.workers())?;
    // differs: a task has no id. Whoever needs one counts, and the future carries its number.
    let who = |number: u64| async move { (number, thread::current().id()) };
    let tasks: Vec<_> = (0..TASKS).map(|number| executor.spawn(who(number))).collect();
    let (ids, workers): (HashSet<_>, HashSet<_>) = tasks.into_iter().map(smol::block_on).unzip();
    let main = thread::current().id();
    verified(&[
        ("each task has an id of its own", ids.len() == TASKS as usize),
        ("it ran on a worker", workers.len() <= p.workers() && !workers.contains(&main)),
    ])
}
// [/smol-who]

// [may-who]
fn may_who(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let mut coroutines = Vec::new();
    for number in 0..TASKS {
        // differs: a coroutine has no id; its name can stand in for one. It asks before its
        // first wait: after a sleep it would go on, until its next wait, on may's timer thread.
        let builder = may::coroutine::Builder::new().name(format!("weaver-{number}"));
        coroutines.push(may::go!(builder, || {
            (may::coroutine::current().name().map(str::to_owned), thread::current().id())
        })?);
    }
    let (ids, workers): (HashSet<_>, HashSet<_>) =
        coroutines.into_iter().map(|coroutine| coroutine.join().unwrap()).unzip();
    let main = thread::current().id();
    verified(&[
        ("each task has an id of its own", ids.len() == TASKS as usize),
        ("it ran on a worker", workers.len() <= p.workers() && !workers.contains(&main)),
    ])
}
// [/may-who]

// ---- join all: try (var e = Executors.newVirtualThreadPerTaskExecutor()) { … } ----------------

// [threads-join-all]
fn threads_join_all(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let done = AtomicU64::new(0);
    // The scope's end joins all, so that its threads may borrow from the function.
    thread::scope(|scope| {
        for _ in 0..TASKS {
            scope.spawn(|| {
                thread::sleep(NAP);
                done.fetch_add(1, Relaxed);
            });
        }
    });
    verified(&[("all are done after the block", done.load(Relaxed) == TASKS)])
}
// [/threads-join-all]

// [tokio-join-all]
fn tokio_join_all(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..TASKS {
            tasks.spawn(async {
                tokio::time::sleep(NAP).await;
                DONE.fetch_add(1, Relaxed);
            });
        }
        tasks.join_all().await; // differs: without this line the set's end aborts them all.
    });
    verified(&[("all are done after the block", DONE.load(Relaxed) == TASKS)])
}
// [/tokio-join-all]

// [async-std-join-all]
fn async_std_join_all(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    async_std::task::block_on(async {
        let mut tasks = Vec::new(); // differs: no scope and no set, only a list of handles.
        for _ in 0..TASKS {
            tasks.push(async_std::task::spawn(async {
                async_std::task::sleep(NAP).await;
                DONE.fetch_add(1, Relaxed);
            }));
        }
        for task in tasks {
            task.await;
        }
    });
    verified(&[("all are done after the block", DONE.load(Relaxed) == TASKS)])
}
// [/async-std-join-all]

// [smol-join-all]
fn smol_join_all(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let done = AtomicU64::new(0);
    // differs: an executor of the block's own, whose tasks may borrow what outlives it. They
    // run on the threads that call `run`: here on this one, interleaved.
    let executor = smol::Executor::new();
    let mut tasks = Vec::new();
    for _ in 0..TASKS {
        tasks.push(executor.spawn(async {
            smol::Timer::after(NAP).await;
            done.fetch_add(1, Relaxed);
        }));
    }
    smol::block_on(executor.run(async {
        for task in tasks {
            task.await;
        }
    }));
    verified(&[("all are done after the block", done.load(Relaxed) == TASKS)])
}
// [/smol-join-all]

// [may-join-all]
fn may_join_all(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let done = AtomicU64::new(0);
    may::coroutine::scope(|scope| {
        for _ in 0..TASKS {
            may::go!(scope, || {
                may::coroutine::sleep(NAP);
                done.fetch_add(1, Relaxed);
            });
        }
    });
    verified(&[("all are done after the block", done.load(Relaxed) == TASKS)])
}
// [/may-join-all]

// ---- latch: CountDownLatch, countDown() and await() -------------------------------------------
// Nobody joins these tasks: the latch alone says that they came to their last line. They count
// down one after another, so that a latch that opens too early is found out.

// [threads-latch]
fn threads_latch(_: &Params, _: &mut Recorder) -> Result<Answer> {
    // differs: std has no latch. A lock, a number and a condition variable are one.
    let latch = Arc::new((Mutex::new(TASKS), Condvar::new()));
    for number in 0..TASKS as u32 {
        let latch = latch.clone();
        thread::spawn(move || {
            thread::sleep(NAP * number);
            DONE.fetch_add(1, Relaxed);
            *latch.0.lock().unwrap() -= 1;
            latch.1.notify_all();
        });
    }
    let (count, changed) = &*latch;
    let _zero = changed.wait_while(count.lock().unwrap(), |count| *count > 0).unwrap();
    verified(&[("all had counted down", DONE.load(Relaxed) == TASKS)])
}
// [/threads-latch]

// [tokio-latch]
fn tokio_latch(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    // differs: a watched number is a latch; any number of tasks may wait for its zero.
    let (latch, mut count) = tokio::sync::watch::channel(TASKS);
    for number in 0..TASKS as u32 {
        let latch = latch.clone();
        runtime.spawn(async move {
            tokio::time::sleep(NAP * number).await;
            DONE.fetch_add(1, Relaxed);
            latch.send_modify(|count| *count -= 1);
        });
    }
    runtime.block_on(count.wait_for(|count| *count == 0))?;
    verified(&[("all had counted down", DONE.load(Relaxed) == TASKS)])
}
// [/tokio-latch]

// [async-std-latch]
fn async_std_latch(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    // differs: nothing is ever sent. The channel closes when the last of its senders is gone.
    let (latch, zero) = async_std::channel::bounded::<()>(1);
    for number in 0..TASKS as u32 {
        let latch = latch.clone();
        async_std::task::spawn(async move {
            async_std::task::sleep(NAP * number).await;
            DONE.fetch_add(1, Relaxed);
            drop(latch);
        });
    }
    drop(latch);
    let closed = async_std::task::block_on(zero.recv()).is_err();
    verified(&[("all had counted down", closed && DONE.load(Relaxed) == TASKS)])
}
// [/async-std-latch]

// [smol-latch]
fn smol_latch(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let executor = weft::runtime::smol::start(p.workers())?;
    // differs: as with async-std, a channel that closes. smol::lock::Barrier is no latch: at a
    // barrier those who arrive wait as well.
    let (latch, zero) = smol::channel::bounded::<()>(1);
    for number in 0..TASKS as u32 {
        let latch = latch.clone();
        let task = executor.spawn(async move {
            smol::Timer::after(NAP * number).await;
            DONE.fetch_add(1, Relaxed);
            drop(latch);
        });
        task.detach();
    }
    drop(latch);
    let closed = smol::block_on(zero.recv()).is_err();
    verified(&[("all had counted down", closed && DONE.load(Relaxed) == TASKS)])
}
// [/smol-latch]

// [may-latch]
fn may_latch(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    // differs: the latch counts its own clones; dropping one counts down.
    let latch = may::sync::WaitGroup::new();
    for number in 0..TASKS as u32 {
        let latch = latch.clone();
        may::go!(move || {
            may::coroutine::sleep(NAP * number);
            DONE.fetch_add(1, Relaxed);
            drop(latch);
        });
    }
    latch.wait();
    verified(&[("all had counted down", DONE.load(Relaxed) == TASKS)])
}
// [/may-latch]

// ---- mutex: synchronized, ReentrantLock -------------------------------------------------------
// Each task waits while it holds the lock, between reading and writing: without the lock, counts
// would be lost. Where nothing is awaited under it, std's Mutex is right in async code too (06).

// [threads-mutex]
fn threads_mutex(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let counter = Mutex::new(0);
    thread::scope(|scope| {
        for _ in 0..TASKS {
            scope.spawn(|| {
                let mut count = counter.lock().unwrap();
                let before = *count;
                thread::sleep(Duration::from_millis(1));
                *count = before + 1;
            });
        }
    });
    verified(&[("no count is lost", counter.into_inner().unwrap() == TASKS)])
}
// [/threads-mutex]

// [tokio-mutex]
fn tokio_mutex(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    let counter = Arc::new(tokio::sync::Mutex::new(0));
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..TASKS {
            let counter = counter.clone();
            tasks.spawn(async move {
                let mut count = counter.lock().await;
                let before = *count;
                tokio::time::sleep(Duration::from_millis(1)).await;
                *count = before + 1;
            });
        }
        tasks.join_all().await;
        verified(&[("no count is lost", *counter.lock().await == TASKS)])
    })
}
// [/tokio-mutex]

// [async-std-mutex]
fn async_std_mutex(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    let counter = Arc::new(async_std::sync::Mutex::new(0));
    async_std::task::block_on(async {
        let mut tasks = Vec::new();
        for _ in 0..TASKS {
            let counter = counter.clone();
            tasks.push(async_std::task::spawn(async move {
                let mut count = counter.lock().await;
                let before = *count;
                async_std::task::sleep(Duration::from_millis(1)).await;
                *count = before + 1;
            }));
        }
        for task in tasks {
            task.await;
        }
        verified(&[("no count is lost", *counter.lock().await == TASKS)])
    })
}
// [/async-std-mutex]

// [smol-mutex]
fn smol_mutex(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let executor = weft::runtime::smol::start(p.workers())?;
    let counter = Arc::new(smol::lock::Mutex::new(0));
    smol::block_on(async {
        let mut tasks = Vec::new();
        for _ in 0..TASKS {
            let counter = counter.clone();
            tasks.push(executor.spawn(async move {
                let mut count = counter.lock().await;
                let before = *count;
                smol::Timer::after(Duration::from_millis(1)).await;
                *count = before + 1;
            }));
        }
        for task in tasks {
            task.await;
        }
        verified(&[("no count is lost", *counter.lock().await == TASKS)])
    })
}
// [/smol-mutex]

// [may-mutex]
fn may_mutex(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let counter = may::sync::Mutex::new(0);
    may::coroutine::scope(|scope| {
        for _ in 0..TASKS {
            may::go!(scope, || {
                // differs: std's Mutex would compile here as well, and block the worker.
                let mut count = counter.lock().unwrap();
                let before = *count;
                may::coroutine::sleep(Duration::from_millis(1));
                *count = before + 1;
            });
        }
    });
    verified(&[("no count is lost", counter.into_inner().unwrap() == TASKS)])
}
// [/may-mutex]

// ---- channel: BlockingQueue, put() and take() -------------------------------------------------

// [threads-channel]
fn threads_channel(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let (sender, receiver) = mpsc::sync_channel(4);
    let thread = thread::spawn(move || (0..100).try_for_each(|number| sender.send(number)));
    // The iterator ends when the sender is gone and the queue is empty.
    let received: Vec<u64> = receiver.iter().collect();
    thread.join().unwrap()?;
    verified(&[("all arrive, in order", received.into_iter().eq(0..100))])
}
// [/threads-channel]

// [tokio-channel]
fn tokio_channel(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    let (sender, mut receiver) = tokio::sync::mpsc::channel(4);
    let task = runtime.spawn(async move {
        for number in 0..100 {
            sender.send(number).await?;
        }
        anyhow::Ok(())
    });
    let received: Vec<u64> = runtime.block_on(async {
        let mut received = Vec::new();
        while let Some(number) = receiver.recv().await {
            received.push(number);
        }
        received
    });
    runtime.block_on(task)??;
    verified(&[("all arrive, in order", received.into_iter().eq(0..100))])
}
// [/tokio-channel]

// [async-std-channel]
fn async_std_channel(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    async_std::task::block_on(async {
        let (sender, receiver) = async_std::channel::bounded(4);
        let task = async_std::task::spawn(async move {
            for number in 0..100 {
                sender.send(number).await?;
            }
            anyhow::Ok(())
        });
        let mut received: Vec<u64> = Vec::new();
        while let Ok(number) = receiver.recv().await {
            received.push(number); // differs: a closed channel is an error, not None.
        }
        task.await?;
        verified(&[("all arrive, in order", received.into_iter().eq(0..100))])
    })
}
// [/async-std-channel]

// [smol-channel]
fn smol_channel(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let executor = weft::runtime::smol::start(p.workers())?;
    smol::block_on(async {
        let (sender, receiver) = smol::channel::bounded(4);
        let task = executor.spawn(async move {
            for number in 0..100 {
                sender.send(number).await?;
            }
            anyhow::Ok(())
        });
        let mut received: Vec<u64> = Vec::new();
        while let Ok(number) = receiver.recv().await {
            received.push(number);
        }
        task.await?;
        verified(&[("all arrive, in order", received.into_iter().eq(0..100))])
    })
}
// [/smol-channel]

// [may-channel]
fn may_channel(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    // differs: may's channels have no bound, so that a quick sender is not held back.
    let (sender, receiver) = may::sync::mpsc::channel();
    let coroutine = may::go!(move || (0..100).try_for_each(|number| sender.send(number)));
    let received: Vec<u64> = receiver.iter().collect();
    coroutine.join().unwrap()?;
    verified(&[("all arrive, in order", received.into_iter().eq(0..100))])
}
// [/may-channel]

// ---- permit: Semaphore, acquire() and release() -----------------------------------------------
// A permit is held until all three are out, so that the peak is exact on a busy machine too.

// [threads-permit]
fn threads_permit(_: &Params, _: &mut Recorder) -> Result<Answer> {
    // differs: std has no semaphore. A lock, a number and a condition variable are one.
    let (free, freed) = (Mutex::new(THREE), Condvar::new());
    thread::scope(|scope| {
        for _ in 0..TASKS {
            scope.spawn(|| {
                *freed.wait_while(free.lock().unwrap(), |free| *free == 0).unwrap() -= 1;
                let holder = IN_USE.enter();
                thread::sleep(NAP);
                while IN_USE.peak_alive() < THREE {
                    thread::sleep(NAP);
                }
                drop(holder);
                *free.lock().unwrap() += 1;
                freed.notify_one();
            });
        }
    });
    limited_to_three()
}
// [/threads-permit]

// [tokio-permit]
fn tokio_permit(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    let permits = Arc::new(tokio::sync::Semaphore::new(THREE as usize));
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..TASKS {
            let permits = permits.clone();
            tasks.spawn(async move {
                // An error would mean that somebody closed the semaphore; nobody does.
                let _permit = permits.acquire().await.unwrap();
                let _holder = IN_USE.enter();
                tokio::time::sleep(NAP).await;
                while IN_USE.peak_alive() < THREE {
                    tokio::time::sleep(NAP).await;
                }
            });
        }
        tasks.join_all().await;
    });
    limited_to_three()
}
// [/tokio-permit]

// [async-std-permit]
fn async_std_permit(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    // differs: async-std has no semaphore. A channel with room for three tokens is one.
    let (taken, free) = async_std::channel::bounded::<()>(THREE as usize);
    async_std::task::block_on(async {
        let mut tasks = Vec::new();
        for _ in 0..TASKS {
            let (taken, free) = (taken.clone(), free.clone());
            tasks.push(async_std::task::spawn(async move {
                taken.send(()).await?;
                let holder = IN_USE.enter();
                async_std::task::sleep(NAP).await;
                while IN_USE.peak_alive() < THREE {
                    async_std::task::sleep(NAP).await;
                }
                drop(holder);
                free.recv().await?;
                anyhow::Ok(())
            }));
        }
        for task in tasks {
            task.await?;
        }
        limited_to_three()
    })
}
// [/async-std-permit]

// [smol-permit]
fn smol_permit(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let executor = weft::runtime::smol::start(p.workers())?;
    let permits = Arc::new(smol::lock::Semaphore::new(THREE as usize));
    smol::block_on(async {
        let mut tasks = Vec::new();
        for _ in 0..TASKS {
            let permits = permits.clone();
            tasks.push(executor.spawn(async move {
                let _permit = permits.acquire().await;
                let _holder = IN_USE.enter();
                smol::Timer::after(NAP).await;
                while IN_USE.peak_alive() < THREE {
                    smol::Timer::after(NAP).await;
                }
            }));
        }
        for task in tasks {
            task.await;
        }
    });
    limited_to_three()
}
// [/smol-permit]

// [may-permit]
fn may_permit(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    // differs: may spells it so; `post` gives the permit back by hand.
    let permits = may::sync::Semphore::new(THREE as usize);
    may::coroutine::scope(|scope| {
        for _ in 0..TASKS {
            may::go!(scope, || {
                permits.wait();
                let holder = IN_USE.enter();
                may::coroutine::sleep(NAP);
                while IN_USE.peak_alive() < THREE {
                    may::coroutine::sleep(NAP);
                }
                drop(holder);
                permits.post();
            });
        }
    });
    limited_to_three()
}
// [/may-permit]

// ---- offload: a job that blocks, on a platform thread -----------------------------------------
// One worker, and std's `recv`, which blocks the thread that calls it: on the worker it would
// wait for ever for the answer of a task that has no worker to run on.

// [threads-offload]
fn threads_offload(_: &Params, _: &mut Recorder) -> Result<Answer> {
    // differs: a thread may block, so that there is nothing to move.
    let (reply, question) = mpsc::channel();
    let blocking = thread::spawn(move || (question.recv(), thread::current().id()));
    let other = thread::spawn(move || (reply.send(42), thread::current().id()));
    let (answer, blocked) = blocking.join().unwrap();
    let (_, worker) = other.join().unwrap();
    verified(&[
        ("a task ran while it blocked", answer == Ok(42)),
        ("it blocked another thread", blocked != worker),
    ])
}
// [/threads-offload]

// [tokio-offload]
fn tokio_offload(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(1)?;
    let (reply, question) = mpsc::channel();
    runtime.block_on(async {
        let blocking =
            tokio::task::spawn_blocking(move || (question.recv(), thread::current().id()));
        let other = tokio::spawn(async move { (reply.send(42), thread::current().id()) });
        let (answer, blocked) = blocking.await?;
        let (_, worker) = other.await?;
        verified(&[
            ("a task ran while it blocked", answer == Ok(42)),
            ("it blocked another thread", blocked != worker),
        ])
    })
}
// [/tokio-offload]

// [async-std-offload]
fn async_std_offload(_: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(1);
    let (reply, question) = mpsc::channel();
    async_std::task::block_on(async {
        let blocking =
            async_std::task::spawn_blocking(move || (question.recv(), thread::current().id()));
        let other = async_std::task::spawn(async move { (reply.send(42), thread::current().id()) });
        let (answer, blocked) = blocking.await;
        let (_, worker) = other.await;
        verified(&[
            ("a task ran while it blocked", answer == Ok(42)),
            ("it blocked another thread", blocked != worker),
        ])
    })
}
// [/async-std-offload]

// [smol-offload]
fn smol_offload(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let executor = weft::runtime::smol::start(1)?;
    let (reply, question) = mpsc::channel();
    smol::block_on(async {
        // differs: `unblock` belongs to no executor; its pool is the process's.
        let blocking = smol::unblock(move || (question.recv(), thread::current().id()));
        let other = executor.spawn(async move { (reply.send(42), thread::current().id()) });
        let (answer, blocked) = blocking.await;
        let (_, worker) = other.await;
        verified(&[
            ("a task ran while it blocked", answer == Ok(42)),
            ("it blocked another thread", blocked != worker),
        ])
    })
}
// [/smol-offload]

// [may-offload]
fn may_offload(_: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(1);
    let (reply, question) = mpsc::channel();
    let blocking = may::go!(move || {
        // differs: may has no pool for this. A thread does the work and hands the result back
        // through may's own channel, whose `recv` parks the coroutine and not the worker.
        let (done, result) = may::sync::mpsc::channel();
        thread::spawn(move || done.send((question.recv(), thread::current().id())));
        result.recv()
    });
    let other = may::go!(move || (reply.send(42), thread::current().id()));
    let (answer, blocked) = blocking.join().unwrap()?;
    let (_, worker) = other.join().unwrap();
    verified(&[
        ("a task ran while it blocked", answer == Ok(42)),
        ("it blocked another thread", blocked != worker),
    ])
}
// [/may-offload]

// ---- timeout: future.get(50, MILLISECONDS) ----------------------------------------------------

// [threads-timeout]
fn threads_timeout(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let (done, result) = mpsc::channel();
    let began = Instant::now();
    thread::spawn(move || {
        thread::sleep(HOUR);
        done.send(42)
    });
    // differs: only the waiting is given up. The thread goes on until the process ends.
    let given_up = result.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout);
    verified(&[
        ("the wait was given up", given_up),
        ("not before its time", began.elapsed() >= LIMIT),
    ])
}
// [/threads-timeout]

// [tokio-timeout]
fn tokio_timeout(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    let began = Instant::now();
    let result = runtime.block_on(async {
        let work = tokio::time::sleep(HOUR);
        tokio::time::timeout(LIMIT, work).await // The work is dropped, which is its end.
    });
    verified(&[
        ("the wait was given up", result.is_err()),
        ("not before its time", began.elapsed() >= LIMIT),
    ])
}
// [/tokio-timeout]

// [async-std-timeout]
fn async_std_timeout(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    let began = Instant::now();
    let result = async_std::task::block_on(async {
        let work = async_std::task::sleep(HOUR);
        async_std::future::timeout(LIMIT, work).await
    });
    verified(&[
        ("the wait was given up", result.is_err()),
        ("not before its time", began.elapsed() >= LIMIT),
    ])
}
// [/async-std-timeout]

// [smol-timeout]
fn smol_timeout(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let began = Instant::now();
    let result = smol::block_on(async {
        let work = async { Some(smol::Timer::after(HOUR).await) };
        let limit = async {
            smol::Timer::after(LIMIT).await;
            None
        };
        // differs: no timeout. `or` gives what is ready first and drops the other future.
        smol::future::or(work, limit).await
    });
    verified(&[
        ("the wait was given up", result.is_none()),
        ("not before its time", began.elapsed() >= LIMIT),
    ])
}
// [/smol-timeout]

// [may-timeout]
fn may_timeout(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let (done, result) = may::sync::mpsc::channel();
    let began = Instant::now();
    may::go!(move || {
        may::coroutine::sleep(HOUR);
        done.send(42)
    });
    // differs: as with threads the work goes on; here `cancel`, the next phrase, would end it.
    let waiter = may::go!(move || result.recv_timeout(LIMIT));
    let given_up = waiter.join().unwrap() == Err(mpsc::RecvTimeoutError::Timeout);
    verified(&[
        ("the wait was given up", given_up),
        ("not before its time", began.elapsed() >= LIMIT),
    ])
}
// [/may-timeout]

// ---- cancel: Thread.interrupt(), future.cancel(true) ------------------------------------------
// Java's interrupt wakes a sleeper, which may go on. Here the task ends where it waits, and its
// destructors run; `OnDrop`, at the end of this file, notes that they did.

// [threads-cancel]
fn threads_cancel(_: &Params, _: &mut Recorder) -> Result<Answer> {
    // differs: a thread cannot be cancelled. It waits where it can be told, and must look itself.
    let (cancel, cancelled) = mpsc::channel::<()>();
    let thread = thread::spawn(move || {
        let _held = OnDrop;
        cancelled.recv_timeout(HOUR) == Err(mpsc::RecvTimeoutError::Disconnected)
    });
    drop(cancel);
    let was_told = thread.join().unwrap();
    verified(&[("it was cancelled", was_told), ("its destructor ran", DROPPED.load(Relaxed))])
}
// [/threads-cancel]

// [tokio-cancel]
fn tokio_cancel(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    runtime.block_on(async {
        let (started, running) = tokio::sync::oneshot::channel();
        let task = tokio::spawn(async move {
            let _held = OnDrop;
            let _ = started.send(());
            tokio::time::sleep(HOUR).await;
        });
        running.await?;
        task.abort(); // Asks; the await says that it has happened.
        let ended = task.await;
        verified(&[
            ("it was cancelled", ended.is_err_and(|error| error.is_cancelled())),
            ("its destructor ran", DROPPED.load(Relaxed)),
        ])
    })
}
// [/tokio-cancel]

// [async-std-cancel]
fn async_std_cancel(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    async_std::task::block_on(async {
        let (started, running) = async_std::channel::bounded(1);
        let task = async_std::task::spawn(async move {
            let _held = OnDrop;
            let _ = started.send(()).await;
            async_std::task::sleep(HOUR).await;
        });
        running.recv().await?;
        let output = task.cancel().await; // differs: asks and waits; dropping only detaches.
        verified(&[
            ("it was cancelled", output.is_none()),
            ("its destructor ran", DROPPED.load(Relaxed)),
        ])
    })
}
// [/async-std-cancel]

// [smol-cancel]
fn smol_cancel(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let executor = weft::runtime::smol::start(p.workers())?;
    smol::block_on(async {
        let (started, running) = smol::channel::bounded(1);
        let task = executor.spawn(async move {
            let _held = OnDrop;
            let _ = started.send(()).await;
            smol::Timer::after(HOUR).await;
        });
        running.recv().await?;
        let output = task.cancel().await; // differs: dropping cancels too, but does not wait.
        verified(&[
            ("it was cancelled", output.is_none()),
            ("its destructor ran", DROPPED.load(Relaxed)),
        ])
    })
}
// [/smol-cancel]

// [may-cancel]
#[allow(unsafe_code, reason = "may's cancel is unsafe")]
fn may_cancel(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let (started, running) = may::sync::mpsc::channel();
    let coroutine = may::go!(move || {
        let _held = OnDrop;
        let _ = started.send(());
        may::coroutine::sleep(HOUR);
    });
    running.recv()?;
    // differs: `sleep` panics in there, and the unwinding runs the destructors.
    // SAFETY: a coroutine that is cancelled can unwind at any of its waits; this one holds only
    // values that may be dropped at each of them, and its destructor calls nothing of may's.
    unsafe { coroutine.coroutine().cancel() };
    let ended = coroutine.join();
    verified(&[("it was cancelled", ended.is_err()), ("its destructor ran", DROPPED.load(Relaxed))])
}
// [/may-cancel]

// ---- interval: ScheduledExecutorService.scheduleAtFixedRate -----------------------------------

// [threads-interval]
fn threads_interval(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let began = Instant::now();
    let ticker = thread::spawn(move || {
        let mut ticks = Vec::new();
        for tick in 1..=3 {
            // differs: std has no interval. Sleeping to a planned moment keeps it from drifting.
            let planned = began + PERIOD * tick;
            thread::sleep(planned.saturating_duration_since(Instant::now()));
            ticks.push(began.elapsed());
        }
        ticks
    });
    verified(&[("three ticks, none too early", three_on_time(&ticker.join().unwrap()))])
}
// [/threads-interval]

// [tokio-interval]
fn tokio_interval(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    let began = Instant::now();
    let ticks = runtime.block_on(runtime.spawn(async move {
        // differs: with `interval` the first tick comes at once, so this says when.
        let first = tokio::time::Instant::now() + PERIOD;
        let mut interval = tokio::time::interval_at(first, PERIOD);
        let mut ticks = Vec::new();
        for _ in 0..3 {
            interval.tick().await;
            ticks.push(began.elapsed());
        }
        ticks
    }))?;
    verified(&[("three ticks, none too early", three_on_time(&ticks))])
}
// [/tokio-interval]

// [async-std-interval]
fn async_std_interval(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    let began = Instant::now();
    let ticker = async_std::task::spawn(async move {
        let mut ticks = Vec::new();
        for tick in 1..=3 {
            // differs: `stream::interval` needs async-std's feature `unstable`.
            let planned = began + PERIOD * tick;
            async_std::task::sleep(planned.saturating_duration_since(Instant::now())).await;
            ticks.push(began.elapsed());
        }
        ticks
    });
    let ticks = async_std::task::block_on(ticker);
    verified(&[("three ticks, none too early", three_on_time(&ticks))])
}
// [/async-std-interval]

// [smol-interval]
fn smol_interval(p: &Params, _: &mut Recorder) -> Result<Answer> {
    use smol::stream::StreamExt;
    let executor = weft::runtime::smol::start(p.workers())?;
    let began = Instant::now();
    let ticks: Vec<Duration> = smol::block_on(executor.spawn(async move {
        // differs: the timer is a stream, with all that streams have.
        smol::Timer::interval(PERIOD).take(3).map(|_| began.elapsed()).collect().await
    }));
    verified(&[("three ticks, none too early", three_on_time(&ticks))])
}
// [/smol-interval]

// [may-interval]
fn may_interval(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let began = Instant::now();
    let ticker = may::go!(move || {
        let mut ticks = Vec::new();
        for tick in 1..=3 {
            // differs: may has no interval either; the same as with threads.
            let planned = began + PERIOD * tick;
            may::coroutine::sleep(planned.saturating_duration_since(Instant::now()));
            ticks.push(began.elapsed());
        }
        ticks
    });
    verified(&[("three ticks, none too early", three_on_time(&ticker.join().unwrap()))])
}
// [/may-interval]

// ---- park: LockSupport.park() and unpark(thread) ----------------------------------------------
// It does not matter which comes first: an unpark before the park lets it through. The nap is
// there so that the task really parks.

// [threads-park]
fn threads_park(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let thread = thread::spawn(|| {
        while MAIL.load(Acquire) == 0 {
            thread::park(); // It may also wake for no reason, hence the loop.
        }
        MAIL.load(Acquire)
    });
    thread::sleep(NAP);
    MAIL.store(42, Release);
    thread.thread().unpark();
    verified(&[("it woke after the unpark", thread.join().unwrap() == 42)])
}
// [/threads-park]

// [tokio-park]
fn tokio_park(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    // differs: a task has no park of its own; both sides share a thing to wait for.
    let token = Arc::new(tokio::sync::Notify::new());
    let wakes = token.clone();
    let task = runtime.spawn(async move {
        wakes.notified().await;
        MAIL.load(Acquire)
    });
    thread::sleep(NAP);
    MAIL.store(42, Release);
    token.notify_one(); // Kept for the next one who waits, if nobody does yet.
    let found = runtime.block_on(task)?;
    verified(&[("it woke after the unpark", found == 42)])
}
// [/tokio-park]

// [async-std-park]
fn async_std_park(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    // differs: a channel with room for one message keeps one unpark, as a thread does.
    let (unpark, parked) = async_std::channel::bounded(1);
    let task = async_std::task::spawn(async move {
        parked.recv().await?;
        anyhow::Ok(MAIL.load(Acquire))
    });
    thread::sleep(NAP);
    MAIL.store(42, Release);
    unpark.try_send(())?;
    let found = async_std::task::block_on(task)?;
    verified(&[("it woke after the unpark", found == 42)])
}
// [/async-std-park]

// [smol-park]
fn smol_park(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let executor = weft::runtime::smol::start(p.workers())?;
    let (unpark, parked) = smol::channel::bounded(1); // differs: as with async-std.
    let task = executor.spawn(async move {
        parked.recv().await?;
        anyhow::Ok(MAIL.load(Acquire))
    });
    thread::sleep(NAP);
    MAIL.store(42, Release);
    unpark.try_send(())?;
    let found = smol::block_on(task)?;
    verified(&[("it woke after the unpark", found == 42)])
}
// [/smol-park]

// [may-park]
fn may_park(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let coroutine = may::go!(|| {
        while MAIL.load(Acquire) == 0 {
            may::coroutine::park(); // differs: on a plain thread this returns at once.
        }
        MAIL.load(Acquire)
    });
    thread::sleep(NAP);
    MAIL.store(42, Release);
    coroutine.coroutine().unpark();
    verified(&[("it woke after the unpark", coroutine.join().unwrap() == 42)])
}
// [/may-park]

// ---- fixed pool: Executors.newFixedThreadPool(3) ----------------------------------------------
// Three workers, one queue. To limit light tasks, the permit above is the better phrase: a pool of
// them only puts the ceiling back (04). Java's "pool of virtual threads" is a pool of carriers;
// the virtual threads themselves are made one for each job.

// [threads-fixed-pool]
fn threads_fixed_pool(_: &Params, _: &mut Recorder) -> Result<Answer> {
    let (jobs, queue) = mpsc::channel::<u64>();
    let queue = Mutex::new(queue); // differs: std's receiver has one owner at a time.
    thread::scope(|scope| {
        for _ in 0..THREE {
            scope.spawn(|| {
                loop {
                    let job = queue.lock().unwrap().recv();
                    let Ok(_job) = job else { break };
                    let _busy = IN_USE.enter();
                    thread::sleep(NAP);
                }
            });
        }
        (0..TASKS).try_for_each(|job| jobs.send(job))?;
        drop(jobs); // The workers end when the queue is closed and empty.
        anyhow::Ok(())
    })?;
    done_by_three()
}
// [/threads-fixed-pool]

// [tokio-fixed-pool]
fn tokio_fixed_pool(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let runtime = weft::runtime::tokio::start(p.workers())?;
    let (jobs, queue) = tokio::sync::mpsc::unbounded_channel::<u64>();
    // differs: tokio's receiver has one owner at a time, too, and the lock is tokio's.
    let queue = Arc::new(tokio::sync::Mutex::new(queue));
    runtime.block_on(async {
        let mut pool = tokio::task::JoinSet::new();
        for _ in 0..THREE {
            let queue = queue.clone();
            pool.spawn(async move {
                loop {
                    let job = queue.lock().await.recv().await;
                    let Some(_job) = job else { break };
                    let _busy = IN_USE.enter();
                    tokio::time::sleep(NAP).await;
                }
            });
        }
        (0..TASKS).try_for_each(|job| jobs.send(job))?;
        drop(jobs);
        pool.join_all().await;
        done_by_three()
    })
}
// [/tokio-fixed-pool]

// [async-std-fixed-pool]
fn async_std_fixed_pool(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::async_std::start(p.workers());
    let (jobs, queue) = async_std::channel::unbounded::<u64>();
    async_std::task::block_on(async {
        let mut pool = Vec::new();
        for _ in 0..THREE {
            let queue = queue.clone(); // differs: this channel has any number of receivers.
            pool.push(async_std::task::spawn(async move {
                while let Ok(_job) = queue.recv().await {
                    let _busy = IN_USE.enter();
                    async_std::task::sleep(NAP).await;
                }
            }));
        }
        for job in 0..TASKS {
            jobs.send(job).await?;
        }
        drop(jobs);
        for task in pool {
            task.await;
        }
        done_by_three()
    })
}
// [/async-std-fixed-pool]

// [smol-fixed-pool]
fn smol_fixed_pool(p: &Params, _: &mut Recorder) -> Result<Answer> {
    let executor = weft::runtime::smol::start(p.workers())?;
    let (jobs, queue) = smol::channel::unbounded::<u64>();
    smol::block_on(async {
        let mut pool = Vec::new();
        for _ in 0..THREE {
            let queue = queue.clone(); // differs: this channel has any number of receivers.
            pool.push(executor.spawn(async move {
                while let Ok(_job) = queue.recv().await {
                    let _busy = IN_USE.enter();
                    smol::Timer::after(NAP).await;
                }
            }));
        }
        for job in 0..TASKS {
            jobs.send(job).await?;
        }
        drop(jobs);
        for task in pool {
            task.await;
        }
        done_by_three()
    })
}
// [/smol-fixed-pool]

// [may-fixed-pool]
fn may_fixed_pool(p: &Params, _: &mut Recorder) -> Result<Answer> {
    weft::runtime::may::start(p.workers());
    let (jobs, queue) = may::sync::mpmc::channel::<u64>();
    let mut pool = Vec::new();
    for _ in 0..THREE {
        let queue = queue.clone(); // differs: `mpmc` has any number of receivers.
        pool.push(may::go!(move || {
            while let Ok(_job) = queue.recv() {
                let _busy = IN_USE.enter();
                may::coroutine::sleep(NAP);
            }
        }));
    }
    (0..TASKS).try_for_each(|job| jobs.send(job))?;
    drop(jobs);
    for coroutine in pool {
        coroutine.join().unwrap();
    }
    done_by_three()
}
// [/may-fixed-pool]

// ---- dump: jstack PID, jcmd PID Thread.dump_to_file -------------------------------------------
// No code: none of the five has it as a call on stable Rust. The reasons stand in the table.

// ---- what was verified ------------------------------------------------------------------------

/// The answer of a phrase: how many things were looked at, all of them right. The first that is
/// not fails the case.
fn verified(things: &[(&str, bool)]) -> Result<Answer> {
    for (thing, right) in things {
        ensure!(right, "this is not so: {thing}");
    }
    Ok(Answer::new().with("checked", things.len()))
}

fn limited_to_three() -> Result<Answer> {
    verified(&[
        ("three at once, and never a fourth", IN_USE.peak_alive() == THREE),
        ("all had their turn", IN_USE.finished() == TASKS),
    ])
}

fn done_by_three() -> Result<Answer> {
    verified(&[
        ("at most three at once", (1..=THREE).contains(&IN_USE.peak_alive())),
        ("all jobs were done", IN_USE.finished() == TASKS),
    ])
}

/// Ticks are counted from the beginning: the first is due after one period.
fn three_on_time(ticks: &[Duration]) -> bool {
    ticks.len() == 3 && ticks.iter().zip(1..).all(|(tick, number)| *tick >= PERIOD * number)
}

/// Lives in a task that will be cancelled.
struct OnDrop;

impl Drop for OnDrop {
    fn drop(&mut self) {
        DROPPED.store(true, Relaxed);
    }
}

/// A phrase that looked at fewer things than its name promises is not right, however it ended.
fn all_of(things: u64, answer: &Answer) -> Result<(), String> {
    match answer.number("checked") {
        Some(checked) if checked == things => Ok(()),
        checked => Err(format!("{} of {things} things were checked", checked.unwrap_or(0))),
    }
}

// ---- the claim --------------------------------------------------------------------------------

fn all_phrases(document: &Document) -> Result<Checked, NotApplicable> {
    let has = |status: Status| document.cases.iter().filter(|case| case.status == status).count();
    let right = has(Status::Ok);
    let tried = right + has(Status::Failed) + has(Status::Timeout) + has(Status::Limit);
    if tried == 0 {
        return Err(NotApplicable("needs a phrase that its runtime has".to_owned()));
    }
    Ok(Checked {
        holds: right == tried,
        expected: format!("all {tried}"),
        measured: format!("{right} of {tried} phrases"),
    })
}

fn main() -> std::process::ExitCode {
    weft::main(&EXPERIMENT)
}
