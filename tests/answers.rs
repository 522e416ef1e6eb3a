//! What the experiments answer: counts and bounds, never times.

mod common;

use common::{document, run};
use weft::Document;

fn answers(name: &str, arguments: &[&str]) -> Document {
    let ran = run(name, &[arguments, &["--quick", "--json", "--workers", "2"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    document(&ran)
}

fn number(document: &Document, id: &str, key: &str) -> u64 {
    let case = document.case(id).unwrap_or_else(|| panic!("no case {id}"));
    let sample =
        case.samples.first().unwrap_or_else(|| panic!("no sample of {id}: {:?}", case.reason));
    sample.answer.number(key).unwrap_or_else(|| panic!("{id} has no {key}"))
}

#[test]
fn a_pool_of_seven_has_seven_jobs_under_way_whoever_carries_them() {
    let arguments =
        ["--case", "pool,light-pool", "--tasks", "100", "--pool-size", "7", "--wait", "20ms"];
    let document = answers("04-pool-vs-per-task", &arguments);
    for runtime in ["threads", "tokio", "async-std", "smol"] {
        let id = format!("{runtime}-pool");
        assert_eq!(number(&document, &id, "finished"), 100, "{id}");
        assert_eq!(number(&document, &id, "peak_alive"), 7, "{id}");
        assert_eq!(number(&document, &id, "waves"), 15, "100 ÷ 7, rounded up");
    }
    for runtime in ["tokio", "async-std", "smol", "may"] {
        let id = format!("{runtime}-light-pool");
        assert_eq!(number(&document, &id, "finished"), 100, "{id}");
        assert_eq!(number(&document, &id, "peak_alive"), 7, "{id}");
    }
    let wall = document.wall("tokio-light-pool").expect("a figure");
    assert!(wall >= 15.0 * 20e6, "no run is below its floor, {wall} ns");
}

#[test]
fn every_job_finishes_and_no_more_than_the_permits_hold_the_scarce_thing() {
    let arguments = [
        "--case",
        "each,permit",
        "--tasks",
        "200",
        "--permits",
        "3",
        "--hold",
        "1ms",
        "--wait",
        "100ms",
    ];
    let document = answers("04-pool-vs-per-task", &arguments);
    for runtime in ["threads", "tokio", "async-std", "smol", "may"] {
        assert_eq!(number(&document, &format!("{runtime}-each"), "finished"), 200);
        let id = format!("{runtime}-permit");
        assert_eq!(number(&document, &id, "finished"), 200, "{id}");
        assert!((1..=3).contains(&number(&document, &id, "peak_in_use")), "{id}");
    }
}

#[test]
fn all_tasks_are_alive_at_once_and_the_workers_run_them() {
    let document = answers(
        "02-million-tasks",
        &["--case", "alive,batches", "--tasks", "30000", "--batch", "7000"],
    );
    for runtime in ["tokio", "async-std", "smol"] {
        let id = format!("{runtime}-alive");
        assert_eq!(number(&document, &id, "peak_alive"), 30_000, "{id}");
        assert_eq!(number(&document, &id, "finished"), 30_000, "{id}");
        assert!((1..=2).contains(&number(&document, &id, "distinct_workers")), "{id}");
    }
    assert_eq!(number(&document, "may-batches", "finished"), 30_000);
    assert_eq!(number(&document, "may-batches", "peak_alive"), 7_000);
}

#[test]
fn what_a_limit_cuts_short_says_so_in_its_row() {
    let document =
        answers("02-million-tasks", &["--case", "threads-alive", "--tasks", "500", "--cap", "50"]);
    assert_eq!(number(&document, "threads-alive", "peak_alive"), 50);
    let case = &document.cases[0];
    assert_eq!(case.status, weft::document::Status::Limit);
    assert_eq!(
        case.reason.as_deref(),
        Some("50 OS threads: --cap is 50; --cap goes up to 100,000")
    );
}

#[test]
fn the_posts_form_has_as_many_lines_as_its_process_wrote() {
    let document = answers("02-million-tasks", &["--case", "post", "--tasks", "2000"]);
    for runtime in ["threads", "tokio", "async-std", "smol", "may"] {
        assert!(number(&document, &format!("{runtime}-post"), "finished") <= 2_000, "{runtime}");
    }
}

#[test]
fn every_phrase_is_right_with_one_worker_and_with_eight() {
    for workers in ["1", "8"] {
        let ran = run("00-phrasebook", &["--quick", "--json", "--workers", workers]);
        let document = document(&ran);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let right = document.cases.iter().filter(|case| {
            case.samples.iter().any(|sample| sample.answer.number("checked") >= Some(1))
        });
        assert_eq!((document.cases.len(), right.count()), (90, 81));
    }
}
