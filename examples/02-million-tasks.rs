//! Question: what do a million tasks cost, alive at the same time?
//!
//! Run: `cargo run --example 02-million-tasks` (`-- --tasks 10_000_000` with 5 GiB to spare).
//!
//! Look at: bytes per task, and that they stay the same from a hundred thousand tasks to a million;
//! then how many of the million lines arrive when nobody waits for the tasks.
//!
//! Left out: tasks that do something. A task is as large as what it keeps across its awaits.

use anyhow::Result;
use std::io::Write;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;
use weft::Runtime::{self, AsyncStd, May, Smol, Threads, Tokio};
use weft::{
    Answer, CASE, Case, Chart, Checked, Claim, Column, Document, Experiment, Gauge, Layout, Limits,
    Needs, NotApplicable, Param, Params, Recorder, human,
};

/// The experiment: its cases, its claims and how they are shown.
pub const EXPERIMENT: Experiment = Experiment {
    id: "02-million-tasks",
    question: "What do a million tasks cost, alive at the same time?",
    // Name, meaning, range, and the values at --quick, by default and at --full.
    params: &[
        Param::count("tasks", "tasks", (1, 50_000_000), (100_000, 1_000_000, 1_000_000)),
        Param::wait_ms("hold", "how long all are held alive", (1, 60_000), (100, 200, 10_000)),
        Param::count("batch", "coroutines in a batch", (1, 30_000), (20_000, 20_000, 20_000)),
        Param::count("coroutines", "coroutines at most", (1, 1_000_000), (40_000, 40_000, 40_000)),
        Param::count("cap", "OS threads at most", (1, 100_000), (2_000, 4_000, 10_000)),
    ],
    cases: &[
        Case { id: "threads-alive", runtime: Threads, run: threads_alive, ..FEW },
        Case { id: "tokio-alive", runtime: Tokio, run: tokio_alive, ..ALIVE },
        Case { id: "async-std-alive", runtime: AsyncStd, run: async_std_alive, ..ALIVE },
        Case { id: "smol-alive", runtime: Smol, run: smol_alive, ..ALIVE },
        Case { id: "may-alive", runtime: May, run: may_alive, ..FEW },
        // The sweep: does the cost of a task depend on how many there are?
        Case { id: "tokio-tenth", run: tokio_alive, runtime: Tokio, adjust: tenth, ..ALIVE },
        Case {
            id: "async-std-tenth",
            run: async_std_alive,
            runtime: AsyncStd,
            adjust: tenth,
            ..ALIVE
        },
        Case { id: "smol-tenth", run: smol_alive, runtime: Smol, adjust: tenth, ..ALIVE },
        Case {
            id: "tokio-hundredth",
            run: tokio_alive,
            runtime: Tokio,
            adjust: hundredth,
            ..ALIVE
        },
        Case {
            id: "async-std-hundredth",
            run: async_std_alive,
            runtime: AsyncStd,
            adjust: hundredth,
            ..ALIVE
        },
        Case { id: "smol-hundredth", run: smol_alive, runtime: Smol, adjust: hundredth, ..ALIVE },
        Case { id: "may-hundredth", run: may_alive, runtime: May, adjust: hundredth, ..FEW },
        Case {
            id: "threads-thousandth",
            run: threads_alive,
            runtime: Threads,
            adjust: thousandth,
            ..FEW
        },
        Case {
            id: "tokio-thousandth",
            run: tokio_alive,
            runtime: Tokio,
            adjust: thousandth,
            ..ALIVE
        },
        Case {
            id: "async-std-thousandth",
            run: async_std_alive,
            runtime: AsyncStd,
            adjust: thousandth,
            ..ALIVE
        },
        Case { id: "smol-thousandth", run: smol_alive, runtime: Smol, adjust: thousandth, ..ALIVE },
        Case { id: "may-thousandth", run: may_alive, runtime: May, adjust: thousandth, ..FEW },
        Case { id: "may-batches", runtime: May, run: may_batches, ..BATCHES },
        // The post's own listing: print and end, and nobody waits.
        Case { id: "threads-post", runtime: Threads, run: threads_post, ..POST },
        Case { id: "tokio-post", runtime: Tokio, run: tokio_post, ..POST },
        Case { id: "async-std-post", runtime: AsyncStd, run: async_std_post, ..POST },
        Case { id: "smol-post", runtime: Smol, run: smol_post, ..POST },
        Case { id: "may-post", runtime: May, run: may_post, ..POST },
    ],
    claims: &[
        Claim {
            id: "all-alive",
            text: "tokio, async-std and smol hold every task alive at once.",
            check: all_alive,
        },
        Claim {
            id: "small",
            text: "A task that only waits costs under 500 bytes there.",
            check: small,
        },
        Claim {
            id: "flat",
            text: "Ten times the tasks cost ten times the memory, not more.",
            check: flat,
        },
        Claim {
            id: "soon-over",
            text: "Starting and ending them takes at most 2 µs each.",
            check: soon_over,
        },
        Claim { id: "every-worker", text: "Every worker runs some of them.", check: every_worker },
        Claim {
            id: "nobody-waits",
            text: "Where nobody waits, some tasks of the million are lost.",
            check: nobody_waits,
        },
    ],
    layout: Layout::Rows,
    columns: &[
        Column::mark("spawned", "spawned"),
        Column::Wall,
        Column::Cpu,
        BYTES,
        Column::answer("alive", "peak_alive"),
        Column::answer("finished", "finished"),
    ],
    charts: &[
        Chart {
            id: "bytes",
            title: "Memory for each task, all alive at once",
            kinds: &["alive"],
            figure: &BYTES,
            across: None,
        },
        Chart {
            id: "sweep",
            title: "Memory for each task against the number of tasks",
            kinds: &["thousandth", "hundredth", "tenth", "alive"],
            figure: &BYTES,
            across: Some("tasks"),
        },
    ],
};

const ALIVE: Case = Case {
    name: "{tasks} alive at once",
    floor: |p| p.duration("hold"),
    patience: |p| Duration::from_secs(30) + Duration::from_micros(20) * p.count("tasks") as u32,
    needs: |p, _| Needs { memory: BYTES_FORESEEN * p.count("tasks"), ..Needs::NOTHING },
    check: |p, answer| every_task(answer, p.count("tasks")),
    ..CASE
};
/// As many as the system allows: these check against what they started, and say the limit.
const FEW: Case =
    Case { needs: |_, _| Needs::NOTHING, check: |_, answer| whatever_started(answer), ..ALIVE };
const BATCHES: Case = Case {
    name: "batches of {batch}",
    floor: |_| Duration::ZERO,
    needs: |p, _| Needs { maps: 2 * p.count("batch"), ..Needs::NOTHING },
    check: |p, answer| match answer.number("finished") {
        Some(finished) if finished == p.count("tasks") => Ok(()),
        finished => Err(format!("{finished:?} of {} finished", p.count("tasks"))),
    },
    ..ALIVE
};
const POST: Case = Case {
    varies: true,
    name: "{tasks} lines, nobody waits",
    floor: |_| Duration::ZERO,
    check: |p, answer| match answer.number("finished") {
        Some(lines) if lines <= p.count("tasks") => Ok(()),
        lines => Err(format!("{lines:?} lines of {} tasks", p.count("tasks"))),
    },
    ..ALIVE
};

/// What a task is foreseen to need, so that a run is refused rather than killed. The measured
/// figure is below 500; allocators keep some more.
const BYTES_FORESEEN: u64 = 512;

/// Counts the tasks. Each case has a process of its own, so it starts at zero.
static TASKS: Gauge = Gauge::new();

// ---- alive at once ----------------------------------------------------------------------------

// [threads-alive]
fn threads_alive(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    // differs: a thread is a thread of the system, so this stops at a number that is safe.
    let tasks = as_many_threads_as_are_safe(p, lab);
    let (hold, release) = (p.duration("hold"), Arc::new(Barrier::new(tasks as usize + 1)));
    lab.begin();
    let mut handles = Vec::new();
    for _ in 0..tasks {
        let release = release.clone();
        handles.push(weft::runtime::threads::spawn(move || {
            let _alive = TASKS.enter();
            release.wait();
        })?);
    }
    lab.mark("spawned");
    while TASKS.alive() < tasks {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(hold);
    release.wait();
    for handle in handles {
        handle.join().unwrap();
    }
    lab.end();
    Ok(answer(lab))
}
// [/threads-alive]

// [tokio-alive]
fn tokio_alive(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, hold) = (p.count("tasks"), p.duration("hold"));
    let runtime = weft::runtime::tokio::start(p.workers())?;
    let (release, released) = tokio::sync::watch::channel(false);
    lab.begin();
    runtime.block_on(async {
        let mut handles = Vec::new();
        for _ in 0..tasks {
            let mut released = released.clone();
            handles.push(tokio::spawn(async move {
                let _alive = TASKS.enter();
                let _ = released.changed().await; // An error is a release too: the sender is gone.
            }));
        }
        lab.mark("spawned");
        while TASKS.alive() < tasks {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(hold).await;
        release.send(true)?;
        for handle in handles {
            handle.await?;
        }
        anyhow::Ok(())
    })?;
    lab.end();
    Ok(answer(lab))
}
// [/tokio-alive]

// [async-std-alive]
fn async_std_alive(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, hold) = (p.count("tasks"), p.duration("hold"));
    weft::runtime::async_std::start(p.workers());
    let (release, released) = async_std::channel::bounded::<()>(1);
    lab.begin();
    async_std::task::block_on(async {
        let mut handles = Vec::new();
        for _ in 0..tasks {
            let released = released.clone();
            handles.push(async_std::task::spawn(async move {
                let _alive = TASKS.enter();
                let _ = released.recv().await; // differs: a closed channel wakes all receivers.
            }));
        }
        lab.mark("spawned");
        while TASKS.alive() < tasks {
            async_std::task::sleep(Duration::from_millis(1)).await;
        }
        async_std::task::sleep(hold).await;
        release.close();
        for handle in handles {
            handle.await;
        }
    });
    lab.end();
    Ok(answer(lab))
}
// [/async-std-alive]

// [smol-alive]
fn smol_alive(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, hold) = (p.count("tasks"), p.duration("hold"));
    let executor = weft::runtime::smol::start(p.workers())?;
    let (release, released) = smol::channel::bounded::<()>(1);
    lab.begin();
    smol::block_on(async {
        let mut handles = Vec::new();
        for _ in 0..tasks {
            let released = released.clone();
            handles.push(executor.spawn(async move {
                let _alive = TASKS.enter();
                let _ = released.recv().await; // differs: a closed channel wakes all receivers.
            }));
        }
        lab.mark("spawned");
        while TASKS.alive() < tasks {
            smol::Timer::after(Duration::from_millis(1)).await;
        }
        smol::Timer::after(hold).await;
        release.close();
        for handle in handles {
            handle.await;
        }
    });
    lab.end();
    Ok(answer(lab))
}
// [/smol-alive]

// [may-alive]
fn may_alive(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    // differs: two memory maps each, so this stops where vm.max_map_count would.
    let tasks = as_many_coroutines_as_fit(p, lab);
    may::config().set_pool_capacity(1); // No stacks in advance, so that all are counted.
    weft::runtime::may::start(p.workers());
    let (hold, release) = (p.duration("hold"), Arc::new(may::sync::SyncFlag::new()));
    lab.begin();
    let mut handles = Vec::new();
    for _ in 0..tasks {
        let release = release.clone();
        handles.push(may::go!(move || {
            let _alive = TASKS.enter();
            release.wait();
        }));
    }
    lab.mark("spawned");
    while TASKS.alive() < tasks {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(hold);
    release.fire();
    for handle in handles {
        handle.join().unwrap();
    }
    lab.end();
    Ok(answer(lab))
}
// [/may-alive]

// [may-batches]
fn may_batches(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    let (tasks, batch) = (p.count("tasks"), p.count("batch"));
    weft::runtime::may::start(p.workers());
    // Stacks of one batch are kept for the next; may keeps only 1,000 unless told otherwise.
    may::config().set_pool_capacity(batch as usize);
    lab.begin();
    let mut left = tasks;
    while left > 0 {
        let (now, release) = (left.min(batch), Arc::new(may::sync::SyncFlag::new()));
        let mut handles = Vec::new();
        for _ in 0..now {
            let release = release.clone();
            handles.push(may::go!(move || {
                let _alive = TASKS.enter();
                release.wait();
            }));
        }
        while TASKS.alive() < now {
            thread::sleep(Duration::from_millis(1));
        }
        release.fire();
        for handle in handles {
            handle.join().unwrap();
        }
        left -= now;
    }
    lab.end();
    Ok(answer(lab))
}
// [/may-batches]

// ---- the post's own form: print, and nobody waits ---------------------------------------------

// [threads-post]
fn threads_post(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    lab.count_lines("finished");
    // differs: in the worst case all are alive at once, so this too stops at a safe number.
    for number in 0..as_many_threads_as_are_safe(p, lab) {
        weft::runtime::threads::spawn(move || print_line(number))?;
    }
    Ok(Answer::new())
}
// [/threads-post]

// [tokio-post]
fn tokio_post(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    lab.count_lines("finished");
    let runtime = weft::runtime::tokio::start(p.workers())?;
    for number in 0..p.count("tasks") {
        runtime.spawn(async move { print_line(number) });
    }
    Ok(Answer::new())
}
// [/tokio-post]

// [async-std-post]
fn async_std_post(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    lab.count_lines("finished");
    weft::runtime::async_std::start(p.workers());
    for number in 0..p.count("tasks") {
        async_std::task::spawn(async move { print_line(number) });
    }
    Ok(Answer::new())
}
// [/async-std-post]

// [smol-post]
fn smol_post(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    lab.count_lines("finished");
    let executor = weft::runtime::smol::start(p.workers())?;
    for number in 0..p.count("tasks") {
        executor.spawn(async move { print_line(number) }).detach(); // differs: or it is cancelled.
    }
    Ok(Answer::new())
}
// [/smol-post]

// [may-post]
fn may_post(p: &Params, lab: &mut Recorder) -> Result<Answer> {
    lab.count_lines("finished");
    weft::runtime::may::start(p.workers());
    // differs: in the worst case all are alive at once, so this stops where the maps would.
    for number in 0..as_many_coroutines_as_fit(p, lab) {
        may::go!(move || print_line(number));
    }
    Ok(Answer::new())
}
// [/may-post]

/// The parent counts the lines; one that cannot be written any more is one that is lost.
fn print_line(number: u64) {
    let _ = writeln!(std::io::stdout(), "{number}");
}

// ---- how many, answers, checks ----------------------------------------------------------------

fn tenth(p: &mut Params) {
    p.divide("tasks", 10);
}

fn hundredth(p: &mut Params) {
    p.divide("tasks", 100);
}

fn thousandth(p: &mut Params) {
    p.divide("tasks", 1_000);
}

/// Half of what the limits leave, and never more than `--cap`: a borrowed laptop stays usable.
fn as_many_threads_as_are_safe(p: &Params, lab: &mut Recorder) -> u64 {
    let (tasks, cap) = (p.count("tasks"), p.count("cap"));
    let (room, limit) = Limits::read().room_for_threads();
    let safe = (room / 2).min(cap).max(1);
    if tasks > safe {
        let why = match limit {
            Some(limit) if room / 2 < cap => format!("half of what {limit}"),
            _ => format!("--cap is {}; --cap goes up to 100,000", human::count(cap)),
        };
        lab.limited(format!("{} OS threads: {why}", human::count(safe)));
    }
    tasks.min(safe)
}

/// Two memory maps a coroutine, and memory; beyond the maps may panics in the thread that spawns.
/// Never more than `--coroutines`, for systems that tell of no limit.
fn as_many_coroutines_as_fit(p: &Params, lab: &mut Recorder) -> u64 {
    let (tasks, most) = (p.count("tasks"), p.count("coroutines"));
    let (room, limit) = weft::runtime::may::room_for_coroutines();
    let fit = room.min(most);
    if tasks > fit {
        let why = match limit {
            Some(limit) if room <= most => limit.to_string(),
            _ => format!("--coroutines is {}; it goes up to 1,000,000", human::count(most)),
        };
        lab.limited(format!("{} coroutines: {why}", human::count(fit)));
    }
    tasks.min(fit)
}

fn answer(lab: &Recorder) -> Answer {
    let peak = TASKS.peak_alive();
    let answer = Answer::new()
        .with("finished", TASKS.finished())
        .with("peak_alive", peak)
        .with("distinct_workers", TASKS.distinct_workers());
    match lab.bytes_per_task(peak) {
        Some(bytes) => answer.with("bytes_per_task", bytes),
        None => answer,
    }
}

fn every_task(answer: &Answer, tasks: u64) -> Result<(), String> {
    match (answer.number("finished"), answer.number("peak_alive")) {
        (Some(finished), Some(peak)) if finished == tasks && peak == tasks => Ok(()),
        (finished, peak) => {
            Err(format!("{finished:?} finished and {peak:?} were alive at once, of {tasks}"))
        }
    }
}

fn whatever_started(answer: &Answer) -> Result<(), String> {
    let started = answer.number("peak_alive").unwrap_or(0);
    if started == 0 { Err("nothing started".to_owned()) } else { every_task(answer, started) }
}

// ---- claims -----------------------------------------------------------------------------------

const STACKLESS: [Runtime; 3] = [Tokio, AsyncStd, Smol];
const BYTES: Column = Column::bytes("per task", "bytes_per_task");

fn all_alive(document: &Document) -> Result<Checked, NotApplicable> {
    let alive = Column::answer("alive", "peak_alive");
    document.all("alive", &STACKLESS, &alive, "as many as asked for", |peak, case| {
        peak == case.param("tasks")
    })
}

/// The runtime's own memory and start weigh less, the more tasks there are.
fn needs_tasks(document: &Document, least: u64) -> Result<(), NotApplicable> {
    match document.params.get("tasks").and_then(|tasks| tasks.as_u64()) {
        Some(tasks) if tasks >= least => Ok(()),
        _ => Err(NotApplicable(format!("needs --tasks {} or more", human::count(least)))),
    }
}

fn small(document: &Document) -> Result<Checked, NotApplicable> {
    needs_tasks(document, 10_000)?;
    document.all("alive", &STACKLESS, &BYTES, "under 500 B", |bytes, _| bytes < 500.0)
}

fn flat(document: &Document) -> Result<Checked, NotApplicable> {
    needs_tasks(document, 100_000)?;
    document.kind("tenth")?;
    let expected = "as for a tenth of the tasks, within 10 % and 1 MiB in all";
    document.all("alive", &STACKLESS, &BYTES, expected, |all, case| {
        // The runtime's own memory, which is up to a MiB, is shared by fewer tasks there.
        let own = (1 << 20) as f64 / (case.param("tasks") / 10.0);
        let tenth = document.figure(&format!("{}-tenth", case.runtime), &BYTES);
        tenth.is_ok_and(|tenth| (tenth - all).abs() <= 0.1 * all + own)
    })
}

fn soon_over(document: &Document) -> Result<Checked, NotApplicable> {
    if needs_tasks(document, 1_000_001).is_ok() {
        return Err(NotApplicable("claimed for up to 1,000,000 tasks".to_owned()));
    }
    let expected = "the hold + 2 µs a task, at least 50 ms";
    document.all("alive", &STACKLESS, &Column::Wall, expected, |wall, case| {
        wall <= case.floor_ns as f64 + (case.param("tasks") * 2e3).max(50e6)
    })
}

fn every_worker(document: &Document) -> Result<Checked, NotApplicable> {
    needs_tasks(document, 10_000)?;
    let cpus = document.machine.cpus;
    if document.params.get("workers").and_then(|n| n.as_u64()) > Some(cpus.min(8)) {
        return Err(NotApplicable("claimed for as many workers as CPUs, up to 8".to_owned()));
    }
    let workers = Column::answer("workers", "distinct_workers");
    document.all("alive", &STACKLESS, &workers, "as many as were started", |ran, case| {
        ran == case.param("workers")
    })
}

fn nobody_waits(document: &Document) -> Result<Checked, NotApplicable> {
    needs_tasks(document, 100_000)?;
    let lines = Column::answer("lines", "finished");
    document.all("post", &STACKLESS, &lines, "fewer lines than tasks", |lines, case| {
        lines < case.param("tasks")
    })
}

fn main() -> std::process::ExitCode {
    weft::main(&EXPERIMENT)
}
