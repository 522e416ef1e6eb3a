//! Question: is it the pool or the thread? Ten thousand jobs that only wait, on a pool of 200
//! and with one task each.
//!
//! Run: `cargo run --example 04-pool-vs-per-task` (`-- --full` for the posts' own numbers).
//!
//! Look at: the floor beside the wall-clock time. A pool takes tasks ÷ pool size *waves*, and
//! no runtime can change that; light tasks are quick because nothing limits them to 200.
//!
//! Left out: computation (05), a database behind the jobs (08), real sockets (10).

use anyhow::Result;
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread;
use std::time::Duration;
use weft::Runtime::{self, AsyncStd, May, Smol, Threads, Tokio};
use weft::{
    Answer, CASE, Case, Chart, Checked, Claim, Column, Document, Experiment, Gauge, Layout, Limits,
    Needs, NotApplicable, Param, Params, Recorder, Size, human,
};

pub const EXPERIMENT: Experiment = Experiment {
    id: "04-pool-vs-per-task",
    question: "Is it the pool or the thread?",
    // Name, meaning, range, and the values at --quick, by default and at --full.
    params: &[
        Param::count("tasks", "jobs in all", (1, 1_000_000), (1_000, 2_000, 10_000)),
        Param::wait_ms("wait", "how long a job waits", (1, 60_000), (60, 100, 1_000)),
        Param::count("pool_size", "threads or tasks of the pool", (1, 10_000), (200, 200, 200)),
        Param::count("permits", "jobs on the scarce thing at once", (1, 10_000), (200, 200, 200)),
        Param::wait_ms("hold", "how long a permit is held", (1, 10_000), (10, 10, 10)),
    ],
    cases: &[
        Case { id: "threads-pool", runtime: Threads, run: threads_pool, ..POOL },
        Case { id: "tokio-pool", runtime: Tokio, run: tokio_pool, ..POOL },
        Case { id: "async-std-pool", runtime: AsyncStd, run: async_std_pool, ..POOL },
        Case { id: "smol-pool", runtime: Smol, run: smol_pool, ..POOL },
        Case { id: "may-pool", runtime: May, cannot: Some(MAY_HAS_NO_POOL), ..POOL },
        Case {
            id: "threads-each",
            runtime: Threads,
            run: threads_each,
            needs: a_thread_each,
            varies: true,
            ..EACH
        },
        Case { id: "tokio-each", runtime: Tokio, run: tokio_each, ..EACH },
        Case { id: "async-std-each", runtime: AsyncStd, run: async_std_each, ..EACH },
        Case { id: "smol-each", runtime: Smol, run: smol_each, ..EACH },
        Case { id: "may-each", runtime: May, run: may_each, needs: a_coroutine_each, ..EACH },
        Case { id: "threads-light-pool", runtime: Threads, cannot: Some(NOT_LIGHT), ..LIGHT_POOL },
        Case { id: "tokio-light-pool", runtime: Tokio, run: tokio_light_pool, ..LIGHT_POOL },
        Case {
            id: "async-std-light-pool",
            runtime: AsyncStd,
            run: async_std_light_pool,
            ..LIGHT_POOL
        },
        Case { id: "smol-light-pool", runtime: Smol, run: smol_light_pool, ..LIGHT_POOL },
        Case { id: "may-light-pool", runtime: May, run: may_light_pool, ..LIGHT_POOL },
        Case {
            id: "threads-permit",
            runtime: Threads,
            run: threads_permit,
            needs: a_thread_each,
            varies: true,
            ..PERMIT
        },
        Case { id: "tokio-permit", runtime: Tokio, run: tokio_permit, ..PERMIT },
        Case { id: "async-std-permit", runtime: AsyncStd, run: async_std_permit, ..PERMIT },
        Case { id: "smol-permit", runtime: Smol, run: smol_permit, ..PERMIT },
        Case { id: "may-permit", runtime: May, run: may_permit, needs: a_coroutine_each, ..PERMIT },
        // The sweep over pool sizes (B11): what would 300, 400 or thousands of threads give?
        Case { id: "threads-pool-300", adjust: |p| p.set("pool_size", 300), ..SWEEP },
        Case { id: "threads-pool-400", adjust: |p| p.set("pool_size", 400), ..SWEEP },
        Case { id: "threads-pool-quarter", adjust: |p| share_of_tasks(p, 4), ..SWEEP },
        Case { id: "threads-pool-half", adjust: |p| share_of_tasks(p, 2), ..SWEEP },
        // The tie (D4, D5): 200 jobs on 20, 50 and 200 threads, and with one task each.
        Case { id: "threads-tie-20", adjust: |p| tie(p, 20), ..TIE_POOL },
        Case { id: "threads-tie-50", adjust: |p| tie(p, 50), ..TIE_POOL },
        Case { id: "threads-tie-200", adjust: |p| tie(p, 200), ..TIE_POOL },
        Case {
            id: "threads-tie-each",
            runtime: Threads,
            run: threads_each,
            varies: true,
            ..TIE_EACH
        },
        Case { id: "tokio-tie-each", runtime: Tokio, run: tokio_each, ..TIE_EACH },
        Case { id: "async-std-tie-each", runtime: AsyncStd, run: async_std_each, ..TIE_EACH },
        Case { id: "smol-tie-each", runtime: Smol, run: smol_each, ..TIE_EACH },
        Case { id: "may-tie-each", runtime: May, run: may_each, ..TIE_EACH },
    ],
    claims: &[
        Claim {
            id: "pool-takes-waves",
            text: "A pool takes tasks ÷ pool size waves.",
            check: pool_takes_waves,
        },
        Claim {
            id: "each-takes-one-wave",
            text: "One light task each takes one wave.",
            check: each_takes_one_wave,
        },
        Claim {
            id: "few-os-threads",
            text: "Light tasks need no more OS threads than workers + 4.",
            check: few_os_threads,
        },
        Claim {
            id: "pooled-light-tasks",
            text: "A pool of light tasks puts the ceiling back.",
            check: pooled_light_tasks,
        },
        Claim {
            id: "permit-bounds",
            text: "A permit bounds the scarce thing, and only that.",
            check: permit_bounds,
        },
        Claim {
            id: "more-threads-help",
            text: "400 threads against 200: the time falls as the waves do.",
            check: more_threads_help,
        },
        Claim {
            id: "tie",
            text: "A pool as large as the number of jobs ties with one task each.",
            check: tie_holds,
        },
    ],
    layout: Layout::Rows,
    columns: &[
        Column::Floor,
        Column::Wall,
        Column::Cpu,
        Column::PeakRss,
        Column::OsThreads,
        Column::answer("alive", "peak_alive"),
    ],
    charts: &[
        Chart {
            id: "wall",
            title: "The same jobs, five ways: wall-clock time",
            kinds: &["pool", "light-pool", "permit", "each"],
            figure: &Column::Wall,
            across: None,
        },
        Chart {
            id: "sweep",
            title: "Wall-clock time against the number of threads in the pool",
            kinds: &["pool", "pool-300", "pool-400", "pool-quarter", "pool-half"],
            figure: &Column::Wall,
            across: Some("pool_size"),
        },
    ],
};

const POOL: Case = Case {
    name: "pool of {pool_size} threads",
    floor: pool_floor,
    env: |p| vec![("BLOCKING_MAX_THREADS", p.count("pool_size").to_string())],
    needs: |p, _| Needs::threads(p.count("pool_size")),
    check: |p, answer| all_finished(p, answer, p.count("pool_size")),
    ..CASE
};
const EACH: Case = Case {
    name: "one task each",
    floor: |p| p.duration("wait"),
    check: |p, answer| all_finished(p, answer, p.count("tasks")),
    ..CASE
};
const LIGHT_POOL: Case = Case {
    name: "pool of {pool_size} light tasks",
    env: |_| vec![],
    needs: |_, _| Needs::NOTHING,
    ..POOL
};
const PERMIT: Case = Case {
    name: "one each, {permits} permits",
    floor: permit_floor,
    check: permit_checked,
    ..EACH
};
const SWEEP: Case = Case { runtime: Threads, run: threads_pool, ..POOL };
const TIE_POOL: Case =
    Case { name: "{tasks} jobs, pool of {pool_size}", runtime: Threads, run: threads_pool, ..POOL };
const TIE_EACH: Case =
    Case { name: "{tasks} jobs, one task each", adjust: |p| tie(p, 200), ..EACH };

const MAY_HAS_NO_POOL: &str =
    "may has no pool of OS threads; a std pool beside it is the first row";
const NOT_LIGHT: &str = "an OS thread is not light; its pool is the first row";

/// Counts the jobs: alive now, the most at once, finished. Each case has its own process.
static JOBS: Gauge = Gauge::new();
/// Counts the holders of a permit.
static HOLDERS: Gauge = Gauge::new();

// ---- a pool of OS threads -------------------------------------------------------------------

// [threads-pool]
fn threads_pool(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait, size) = (p.count("tasks"), p.duration("wait"), p.count("pool_size"));
    lab.begin();
    // differs: std has no pool. N threads that take jobs from one queue are all there is to it.
    let (jobs, queue) = mpsc::channel::<u64>();
    let queue = Arc::new(Mutex::new(queue));
    let mut pool = Vec::new();
    for _ in 0..size {
        let queue = queue.clone();
        pool.push(weft::runtime::threads::spawn(move || {
            loop {
                let job = queue.lock().unwrap().recv();
                let Ok(_job) = job else { break };
                let _alive = JOBS.enter();
                thread::sleep(wait);
            }
        })?);
    }
    for job in 0..tasks {
        jobs.send(job)?;
    }
    drop(jobs);
    for thread in pool {
        thread.join().unwrap();
    }
    lab.end();
    Ok(answer())
}
// [/threads-pool]

// [tokio-pool]
fn tokio_pool(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait, size) = (p.count("tasks"), p.duration("wait"), p.count("pool_size"));
    // differs: the blocking pool, which a tokio program has anyway, limited to N threads.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(p.workers())
        .max_blocking_threads(size as usize)
        .build()?;
    lab.begin();
    runtime.block_on(async {
        let jobs: Vec<_> = (0..tasks)
            .map(|_| {
                tokio::task::spawn_blocking(move || {
                    let _alive = JOBS.enter();
                    thread::sleep(wait);
                })
            })
            .collect();
        for job in jobs {
            job.await?;
        }
        anyhow::Ok(())
    })?;
    lab.end();
    Ok(answer())
}
// [/tokio-pool]

// [async-std-pool]
fn async_std_pool(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait) = (p.count("tasks"), p.duration("wait"));
    weft::runtime::async_std::start(p.workers());
    lab.begin();
    async_std::task::block_on(async {
        // differs: the size of this pool is the environment variable BLOCKING_MAX_THREADS.
        let jobs: Vec<_> = (0..tasks)
            .map(|_| {
                async_std::task::spawn_blocking(move || {
                    let _alive = JOBS.enter();
                    thread::sleep(wait);
                })
            })
            .collect();
        for job in jobs {
            job.await;
        }
    });
    lab.end();
    Ok(answer())
}
// [/async-std-pool]

// [smol-pool]
fn smol_pool(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait) = (p.count("tasks"), p.duration("wait"));
    lab.begin();
    smol::block_on(async {
        // differs: the same pool as async-std's; its size is BLOCKING_MAX_THREADS too.
        let jobs: Vec<_> = (0..tasks)
            .map(|_| {
                smol::unblock(move || {
                    let _alive = JOBS.enter();
                    thread::sleep(wait);
                })
            })
            .collect();
        for job in jobs {
            job.await;
        }
    });
    lab.end();
    Ok(answer())
}
// [/smol-pool]

// ---- one task each --------------------------------------------------------------------------

// [threads-each]
fn threads_each(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait) = (p.count("tasks"), p.duration("wait"));
    lab.begin();
    let mut jobs = Vec::new();
    for _ in 0..tasks {
        // differs: `Builder::spawn`, since the system may refuse a thread.
        let job = thread::Builder::new().spawn(move || {
            let _alive = JOBS.enter();
            thread::sleep(wait);
        });
        jobs.push(job.map_err(weft::runtime::threads::refused)?);
    }
    for job in jobs {
        job.join().unwrap();
    }
    lab.end();
    Ok(answer())
}
// [/threads-each]

// [tokio-each]
fn tokio_each(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait) = (p.count("tasks"), p.duration("wait"));
    let runtime = weft::runtime::tokio::start(p.workers())?;
    lab.begin();
    runtime.block_on(async {
        let mut jobs = Vec::new();
        for _ in 0..tasks {
            jobs.push(tokio::spawn(async move {
                let _alive = JOBS.enter();
                tokio::time::sleep(wait).await;
            }));
        }
        for job in jobs {
            job.await?;
        }
        anyhow::Ok(())
    })?;
    lab.end();
    Ok(answer())
}
// [/tokio-each]

// [async-std-each]
fn async_std_each(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait) = (p.count("tasks"), p.duration("wait"));
    weft::runtime::async_std::start(p.workers());
    lab.begin();
    async_std::task::block_on(async {
        let mut jobs = Vec::new();
        for _ in 0..tasks {
            jobs.push(async_std::task::spawn(async move {
                let _alive = JOBS.enter();
                async_std::task::sleep(wait).await;
            }));
        }
        for job in jobs {
            job.await; // differs: no Result; a panic in the task would come out here.
        }
    });
    lab.end();
    Ok(answer())
}
// [/async-std-each]

// [smol-each]
fn smol_each(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait) = (p.count("tasks"), p.duration("wait"));
    let executor = weft::runtime::smol::start(p.workers())?;
    lab.begin();
    smol::block_on(async {
        let mut jobs = Vec::new();
        for _ in 0..tasks {
            // differs: the executor is a value; a dropped handle would cancel its task.
            jobs.push(executor.spawn(async move {
                let _alive = JOBS.enter();
                smol::Timer::after(wait).await;
            }));
        }
        for job in jobs {
            job.await;
        }
    });
    lab.end();
    Ok(answer())
}
// [/smol-each]

// [may-each]
fn may_each(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait) = (p.count("tasks"), p.duration("wait"));
    weft::runtime::may::start(p.workers());
    lab.begin();
    let mut jobs = Vec::new();
    for _ in 0..tasks {
        // differs: no async, no await; `sleep` is a function that parks the coroutine.
        jobs.push(may::go!(move || {
            let _alive = JOBS.enter();
            may::coroutine::sleep(wait);
        }));
    }
    for job in jobs {
        job.join().unwrap();
    }
    lab.end();
    Ok(answer())
}
// [/may-each]

// ---- a pool of light tasks: do not ------------------------------------------------------------

// [tokio-light-pool]
fn tokio_light_pool(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait, size) = (p.count("tasks"), p.duration("wait"), p.count("pool_size"));
    let runtime = weft::runtime::tokio::start(p.workers())?;
    lab.begin();
    runtime.block_on(async {
        let (jobs, queue) = tokio::sync::mpsc::unbounded_channel::<u64>();
        // differs: tokio's receiver has one owner, so the pool shares it through a lock.
        let queue = Arc::new(tokio::sync::Mutex::new(queue));
        let mut pool = Vec::new();
        for _ in 0..size {
            let queue = queue.clone();
            pool.push(tokio::spawn(async move {
                loop {
                    let job = queue.lock().await.recv().await;
                    let Some(_job) = job else { break };
                    let _alive = JOBS.enter();
                    tokio::time::sleep(wait).await;
                }
            }));
        }
        for job in 0..tasks {
            jobs.send(job)?;
        }
        drop(jobs);
        for task in pool {
            task.await?;
        }
        anyhow::Ok(())
    })?;
    lab.end();
    Ok(answer())
}
// [/tokio-light-pool]

// [async-std-light-pool]
fn async_std_light_pool(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait, size) = (p.count("tasks"), p.duration("wait"), p.count("pool_size"));
    weft::runtime::async_std::start(p.workers());
    lab.begin();
    async_std::task::block_on(async {
        let (jobs, queue) = async_std::channel::unbounded::<u64>();
        let mut pool = Vec::new();
        for _ in 0..size {
            let queue = queue.clone(); // differs: this channel has any number of receivers.
            pool.push(async_std::task::spawn(async move {
                while let Ok(_job) = queue.recv().await {
                    let _alive = JOBS.enter();
                    async_std::task::sleep(wait).await;
                }
            }));
        }
        for job in 0..tasks {
            jobs.send(job).await?;
        }
        drop(jobs);
        for task in pool {
            task.await;
        }
        anyhow::Ok(())
    })?;
    lab.end();
    Ok(answer())
}
// [/async-std-light-pool]

// [smol-light-pool]
fn smol_light_pool(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait, size) = (p.count("tasks"), p.duration("wait"), p.count("pool_size"));
    let executor = weft::runtime::smol::start(p.workers())?;
    lab.begin();
    smol::block_on(async {
        let (jobs, queue) = smol::channel::unbounded::<u64>();
        let mut pool = Vec::new();
        for _ in 0..size {
            let queue = queue.clone(); // differs: this channel has any number of receivers.
            pool.push(executor.spawn(async move {
                while let Ok(_job) = queue.recv().await {
                    let _alive = JOBS.enter();
                    smol::Timer::after(wait).await;
                }
            }));
        }
        for job in 0..tasks {
            jobs.send(job).await?;
        }
        drop(jobs);
        for task in pool {
            task.await;
        }
        anyhow::Ok(())
    })?;
    lab.end();
    Ok(answer())
}
// [/smol-light-pool]

// [may-light-pool]
fn may_light_pool(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait, size) = (p.count("tasks"), p.duration("wait"), p.count("pool_size"));
    weft::runtime::may::start(p.workers());
    lab.begin();
    let (jobs, queue) = may::sync::mpmc::channel::<u64>();
    let mut pool = Vec::new();
    for _ in 0..size {
        let queue = queue.clone(); // differs: this channel has any number of receivers.
        pool.push(may::go!(move || {
            while let Ok(_job) = queue.recv() {
                let _alive = JOBS.enter();
                may::coroutine::sleep(wait);
            }
        }));
    }
    for job in 0..tasks {
        jobs.send(job)?;
    }
    drop(jobs);
    for coroutine in pool {
        coroutine.join().unwrap();
    }
    lab.end();
    Ok(answer())
}
// [/may-light-pool]

// ---- one task each, and a permit for the scarce thing -----------------------------------------

// [threads-permit]
fn threads_permit(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait, hold) = (p.count("tasks"), p.duration("wait"), p.duration("hold"));
    // differs: std has no semaphore. A lock, a number and a condition variable are one.
    let permits = Arc::new((Mutex::new(p.count("permits")), Condvar::new()));
    lab.begin();
    let mut jobs = Vec::new();
    for _ in 0..tasks {
        let permits = permits.clone();
        jobs.push(weft::runtime::threads::spawn(move || {
            let _alive = JOBS.enter();
            thread::sleep(wait);
            let (free, freed) = &*permits;
            *freed.wait_while(free.lock().unwrap(), |free| *free == 0).unwrap() -= 1;
            {
                let _holder = HOLDERS.enter();
                thread::sleep(hold);
            }
            *free.lock().unwrap() += 1;
            freed.notify_one();
        })?);
    }
    for job in jobs {
        job.join().unwrap();
    }
    lab.end();
    Ok(answer().with("peak_in_use", HOLDERS.peak_alive()))
}
// [/threads-permit]

// [tokio-permit]
fn tokio_permit(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait, hold) = (p.count("tasks"), p.duration("wait"), p.duration("hold"));
    let runtime = weft::runtime::tokio::start(p.workers())?;
    let permits = Arc::new(tokio::sync::Semaphore::new(p.count("permits") as usize));
    lab.begin();
    runtime.block_on(async {
        let mut jobs = Vec::new();
        for _ in 0..tasks {
            let permits = permits.clone();
            jobs.push(tokio::spawn(async move {
                let _alive = JOBS.enter();
                tokio::time::sleep(wait).await;
                let _permit = permits.acquire().await?;
                let _holder = HOLDERS.enter();
                tokio::time::sleep(hold).await;
                anyhow::Ok(())
            }));
        }
        for job in jobs {
            job.await??;
        }
        anyhow::Ok(())
    })?;
    lab.end();
    Ok(answer().with("peak_in_use", HOLDERS.peak_alive()))
}
// [/tokio-permit]

// [async-std-permit]
fn async_std_permit(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait, hold) = (p.count("tasks"), p.duration("wait"), p.duration("hold"));
    weft::runtime::async_std::start(p.workers());
    // differs: async-std has no semaphore. A channel with room for N tokens is one.
    let (taken, free) = async_std::channel::bounded::<()>(p.count("permits") as usize);
    lab.begin();
    async_std::task::block_on(async {
        let mut jobs = Vec::new();
        for _ in 0..tasks {
            let (taken, free) = (taken.clone(), free.clone());
            jobs.push(async_std::task::spawn(async move {
                let _alive = JOBS.enter();
                async_std::task::sleep(wait).await;
                taken.send(()).await?;
                {
                    let _holder = HOLDERS.enter();
                    async_std::task::sleep(hold).await;
                }
                free.recv().await?;
                anyhow::Ok(())
            }));
        }
        for job in jobs {
            job.await?;
        }
        anyhow::Ok(())
    })?;
    lab.end();
    Ok(answer().with("peak_in_use", HOLDERS.peak_alive()))
}
// [/async-std-permit]

// [smol-permit]
fn smol_permit(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait, hold) = (p.count("tasks"), p.duration("wait"), p.duration("hold"));
    let executor = weft::runtime::smol::start(p.workers())?;
    let permits = Arc::new(smol::lock::Semaphore::new(p.count("permits") as usize));
    lab.begin();
    smol::block_on(async {
        let mut jobs = Vec::new();
        for _ in 0..tasks {
            let permits = permits.clone();
            jobs.push(executor.spawn(async move {
                let _alive = JOBS.enter();
                smol::Timer::after(wait).await;
                let _permit = permits.acquire().await;
                let _holder = HOLDERS.enter();
                smol::Timer::after(hold).await;
            }));
        }
        for job in jobs {
            job.await;
        }
    });
    lab.end();
    Ok(answer().with("peak_in_use", HOLDERS.peak_alive()))
}
// [/smol-permit]

// [may-permit]
fn may_permit(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, wait, hold) = (p.count("tasks"), p.duration("wait"), p.duration("hold"));
    weft::runtime::may::start(p.workers());
    // differs: may spells it so; `post` gives the permit back by hand.
    let permits = Arc::new(may::sync::Semphore::new(p.count("permits") as usize));
    lab.begin();
    let mut jobs = Vec::new();
    for _ in 0..tasks {
        let permits = permits.clone();
        jobs.push(may::go!(move || {
            let _alive = JOBS.enter();
            may::coroutine::sleep(wait);
            permits.wait();
            {
                let _holder = HOLDERS.enter();
                may::coroutine::sleep(hold);
            }
            permits.post();
        }));
    }
    for job in jobs {
        job.join().unwrap();
    }
    lab.end();
    Ok(answer().with("peak_in_use", HOLDERS.peak_alive()))
}
// [/may-permit]

// ---- answers, floors, checks ------------------------------------------------------------------

/// Waves of jobs: how often those alive at once had to be replaced. Those of permits, which come
/// after the wait, are not counted.
fn answer() -> Answer {
    let (finished, peak) = (JOBS.finished(), JOBS.peak_alive());
    Answer::new()
        .with("finished", finished)
        .with("peak_alive", peak)
        .with("waves", finished.div_ceil(peak.max(1)))
}

fn pool_floor(p: &Params) -> Duration {
    p.duration("wait") * p.count("tasks").div_ceil(p.count("pool_size")) as u32
}

fn permit_floor(p: &Params) -> Duration {
    p.duration("wait") + p.duration("hold") * p.count("tasks").div_ceil(p.count("permits")) as u32
}

fn a_thread_each(p: &Params, _: &Limits) -> Needs {
    Needs::threads(p.count("tasks"))
}

fn a_coroutine_each(p: &Params, _: &Limits) -> Needs {
    Needs { maps: 2 * p.count("tasks"), memory: 16 * 1024 * p.count("tasks"), ..Needs::NOTHING }
}

fn share_of_tasks(p: &mut Params, divisor: u64) {
    p.set("pool_size", (p.count("tasks") / divisor).max(1));
}

fn tie(p: &mut Params, pool_size: u64) {
    p.set("tasks", 200);
    p.set("pool_size", pool_size);
    if p.size == Size::Full {
        p.set_ms("wait", 100);
    }
}

fn all_finished(p: &Params, answer: &Answer, most: u64) -> Result<(), String> {
    let tasks = p.count("tasks");
    match (answer.number("finished"), answer.number("peak_alive")) {
        (Some(finished), _) if finished != tasks => {
            Err(format!("{finished} of {tasks} jobs finished"))
        }
        (Some(_), Some(peak)) if (1..=most).contains(&peak) => Ok(()),
        (_, peak) => Err(format!("{peak:?} jobs alive at once, where 1 to {most} can be")),
    }
}

fn permit_checked(p: &Params, answer: &Answer) -> Result<(), String> {
    let permits = p.count("permits");
    match answer.number("peak_in_use") {
        Some(peak) if (1..=permits).contains(&peak) => all_finished(p, answer, p.count("tasks")),
        peak => Err(format!("{peak:?} held a permit at once, where 1 to {permits} can")),
    }
}

// ---- claims -----------------------------------------------------------------------------------

/// Starting some hundred threads and a late timer cost this much on a busy machine; it is less
/// than a wave at any size.
const SLACK_NS: f64 = 50e6;

/// Below this wait, starting the threads is most of the time.
fn needs_wait(document: &Document) -> Result<(), NotApplicable> {
    let number = |name: &str| document.params.get(name).and_then(|n| n.as_f64()).unwrap_or(0.0);
    match number("wait_ms") >= 50.0 && number("tasks") >= number("pool_size") {
        true => Ok(()),
        false => {
            Err(NotApplicable("needs a --wait of 50 ms and as many --tasks as threads".into()))
        }
    }
}

fn pool_takes_waves(document: &Document) -> Result<Checked, NotApplicable> {
    needs_wait(document)?;
    let expected = "the floor to the floor + 2 % + 50 ms";
    document.all("pool", &Runtime::ALL, &Column::Wall, expected, |wall, case| {
        let floor = case.floor_ns as f64;
        (floor..=1.02 * floor + SLACK_NS).contains(&wall)
    })
}

fn each_takes_one_wave(document: &Document) -> Result<Checked, NotApplicable> {
    needs_wait(document)?;
    let expected = "wait + 10 µs a task (may 60 µs), at least 50 ms";
    document.all("each", &Runtime::LIGHT, &Column::Wall, expected, |wall, case| {
        // A task costs a few µs to start, to wake and to end; a coroutine has a stack to map.
        let cost_ns = if case.runtime == "may" { 60e3 } else { 10e3 };
        wall <= case.floor_ns as f64 + (case.param("tasks") * cost_ns).max(SLACK_NS)
    })
}

fn few_os_threads(document: &Document) -> Result<Checked, NotApplicable> {
    let most = 4.0 + document.params.get("workers").and_then(|n| n.as_f64()).unwrap_or(0.0);
    let expected = format!("at most {most} thr");
    document
        .all("each", &Runtime::LIGHT, &Column::OsThreads, expected, |threads, _| threads <= most)
}

fn pooled_light_tasks(document: &Document) -> Result<Checked, NotApplicable> {
    needs_wait(document)?;
    let expected = "the pool's floor to the floor + 5 % + 50 ms";
    document.all("light-pool", &Runtime::LIGHT, &Column::Wall, expected, |wall, case| {
        let floor = case.floor_ns as f64;
        (floor..=1.05 * floor + SLACK_NS).contains(&wall)
    })
}

fn permit_bounds(document: &Document) -> Result<Checked, NotApplicable> {
    let in_use = Column::answer("in use", "peak_in_use");
    let expected = "all permits in use at once, never one more";
    document.all("permit", &Runtime::ALL, &in_use, expected, |peak, case| {
        // All are taken only where they are held for longer than it takes to hand them out.
        let long = case.param("hold_ms") * 1e6 >= case.param("permits") * 50e3;
        let all = case.param("permits").min(case.param("tasks"));
        if long { peak == all } else { peak <= all }
    })
}

fn more_threads_help(document: &Document) -> Result<Checked, NotApplicable> {
    needs_wait(document)?;
    let waves = |id: &str| document.case(id).map_or(0.0, |case| case.floor_ns as f64);
    let measured = document.wall("threads-pool")? / document.wall("threads-pool-400")?;
    let expected = waves("threads-pool") / waves("threads-pool-400");
    Ok(Checked {
        holds: (0.75 * expected..=1.1 * expected).contains(&measured),
        expected: format!("the ratio of the waves, {}", human::ratio(expected)),
        measured: human::ratio(measured),
    })
}

fn tie_holds(document: &Document) -> Result<Checked, NotApplicable> {
    needs_wait(document)?;
    let pool = document.wall("threads-tie-200")?;
    let expected = format!("{}, the pool's, ± half a wave", human::duration_ns(pool));
    document.all("tie-each", &Runtime::ALL, &Column::Wall, expected, |wall, case| {
        (pool - wall).abs() <= case.floor_ns as f64 / 2.0
    })
}

fn main() -> std::process::ExitCode {
    weft::main(&EXPERIMENT)
}
