//! What goes wrong in a case is a row with its reason, and the run goes on.

mod common;

use common::{Ran, document, example, run, start};
use std::time::Duration;
use weft::document::{CaseResult, Ended, Status, Verdict};

fn case(id: &str, more: &[&str]) -> (Ran, CaseResult) {
    let ran = run("faults", &[&["--case", id, "--json", "--reps", "1"], more].concat());
    let mut document = document(&ran);
    assert_eq!(document.cases.len(), 1);
    (ran, document.cases.remove(0))
}

#[test]
fn a_good_case_is_ok_and_the_exit_code_is_0() {
    let (ran, case) = case("threads-good", &[]);
    assert_eq!((ran.code, case.status, case.ended), (Some(0), Status::Ok, Some(Ended::Finish)));
    assert_eq!(case.samples[0].answer.number("finished"), Some(7));
    assert!(case.samples[0].wall_ns >= 10_000_000, "it waits for 10 ms");
}

#[test]
fn a_wrong_answer_fails_and_says_what_is_wrong() {
    let (ran, case) = case("threads-good", &["--answer", "8"]);
    assert_eq!((ran.code, case.status), (Some(1), Status::Failed));
    assert_eq!(case.reason.as_deref(), Some("the answer is wrong: Some(8) is not seven, 8"));
    assert!(case.samples.is_empty(), "a wrong answer has no figures");
}

#[test]
fn an_error_is_the_reason() {
    let (ran, case) = case("threads-error", &[]);
    assert_eq!((ran.code, case.status, case.ended), (Some(1), Status::Failed, Some(Ended::Abort)));
    assert_eq!(case.reason.as_deref(), Some("something went wrong"));
}

#[test]
fn a_panic_is_a_reason_with_its_place_and_never_seen_as_such() {
    let (ran, case) = case("threads-panic", &[]);
    assert_eq!((ran.code, case.status), (Some(1), Status::Failed));
    let reason = case.reason.unwrap_or_default();
    assert!(reason.starts_with("panicked: a surprise at tests"), "{reason}");
    assert!(reason.contains("faults.rs:"), "{reason}");
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_child_that_dies_is_a_reason_with_its_signal() {
    let (ran, case) = case("threads-abort", &[]);
    assert_eq!((ran.code, case.status), (Some(1), Status::Failed));
    assert!(case.reason.unwrap_or_default().contains("signal: 6"), "{ran:?}");
}

#[test]
fn a_child_that_leaves_without_an_answer_fails() {
    let (ran, case) = case("threads-exit", &[]);
    assert_eq!((ran.code, case.status), (Some(1), Status::Failed));
    assert_eq!(case.reason.as_deref(), Some("no answer"));
}

#[test]
fn a_hang_ends_at_its_deadline() {
    let (ran, case) = case("threads-hang", &[]);
    assert_eq!((ran.code, case.status, case.ended), (Some(1), Status::Timeout, Some(Ended::Hang)));
    assert!(case.reason.unwrap_or_default().starts_with("still running at its deadline, 0.3 s"));
}

#[test]
fn an_expected_hang_or_abort_is_a_result() {
    let (ran, hang) = case("threads-hang-meant", &[]);
    assert_eq!((ran.code, hang.status, hang.ended), (Some(0), Status::Ok, Some(Ended::Hang)));
    assert!(hang.samples[0].wall_ns >= 300_000_000, "the time until the deadline");
    let (ran, abort) = case("threads-abort-meant", &[]);
    assert_eq!((ran.code, abort.status, abort.ended), (Some(0), Status::Ok, Some(Ended::Abort)));
}

#[test]
fn a_case_that_cannot_be_is_a_row_with_its_reason() {
    let (ran, case) = case("smol-good", &[]);
    assert_eq!((ran.code, case.status), (Some(0), Status::Skipped));
    assert_eq!(case.reason.as_deref(), Some("a reason"));
}

// Elsewhere the memory is not known, and the huge case runs.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_the_only_case_is_exit_3_and_nothing_on_stdout() {
    for (id, sentence) in [
        ("threads-limit", "no selected case can run here: kernel.threads-max is 12; raise it"),
        ("threads-huge", "no selected case can run here: the available memory is"),
    ] {
        let ran = run("faults", &["--case", id, "--json"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:?}");
        let last = ran.stderr.lines().last().unwrap_or_default();
        assert!(last.starts_with(&format!("error: {sentence}")), "{ran:?}");
    }
}

#[test]
fn a_limit_beside_good_cases_is_a_row_and_exit_0() {
    let ran = run("faults", &["--case", "threads-limit,threads-good", "--json"]);
    let document = document(&ran);
    assert_eq!(ran.code, Some(0));
    assert_eq!(document.case("threads-limit").map(|case| case.status), Some(Status::Limit));
    assert_eq!(document.case("threads-good").map(|case| case.samples.len()), Some(3));
}

#[test]
fn the_run_goes_on_after_a_failure() {
    let ran = run("faults", &["--case", "panic,abort,good", "--json", "--reps", "2"]);
    let document = document(&ran);
    assert_eq!(ran.code, Some(1));
    assert_eq!(document.case("threads-good").map(|case| case.samples.len()), Some(2));
    assert!(document.complete);
}

#[test]
fn lines_are_counted_by_the_parent() {
    let (_, case) = case("threads-lines", &[]);
    assert_eq!(case.samples[0].answer.number("finished"), Some(123));
}

#[test]
fn a_case_may_write_more_than_a_pipe_holds() {
    let (ran, case) = case("threads-chatty", &[]);
    assert_eq!((ran.code, case.status), (Some(0), Status::Ok), "{:?}", case.reason);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_child_leaves_behind_is_ended_with_it() {
    let (ran, case) = case("threads-grandchild", &[]);
    assert_eq!((ran.code, case.status), (Some(0), Status::Ok));
    let left = common::run_command(std::process::Command::new("pgrep").args(["-f", "^sleep 60$"]));
    assert_eq!(left.stdout, "", "a sleep of the child is still there");
}

#[test]
fn a_failing_claim_is_exit_1_only_when_strict() {
    let slow = ["--case", "threads-good", "--wait", "500ms", "--json", "--reps", "1"];
    let ran = run("faults", &slow);
    let verdicts: Vec<Verdict> = document(&ran).claims.iter().map(|claim| claim.verdict).collect();
    assert_eq!((ran.code, verdicts), (Some(0), vec![Verdict::Holds, Verdict::Fails]));
    assert_eq!(run("faults", &[&slow[..], &["--strict"]].concat()).code, Some(1));
}

#[test]
fn a_claim_that_cannot_be_judged_does_not_fail() {
    let ran = run("faults", &["--case", "tokio-good", "--json", "--strict"]);
    assert_eq!(document(&ran).claims[1].verdict, Verdict::NotApplicable);
    assert_eq!(ran.code, Some(0));
}

#[cfg(unix)]
fn interrupt(signal: &str, json: bool) -> Ran {
    let mut command = std::process::Command::new(example("faults"));
    command.args(["--case", "good", "--wait", "300ms", "--reps", "100"]);
    if json {
        command.arg("--json");
    }
    let child = start(&mut command);
    let pid = child.id().to_string();
    std::thread::sleep(Duration::from_millis(900));
    for _ in 0..2 {
        common::run_command(std::process::Command::new("kill").args([signal, &pid]));
    }
    // Under two seconds is promised; a loaded machine gets some more.
    common::finish(child, Duration::from_secs(6))
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_prints_what_it_has_and_marks_it() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let ran = interrupt(signal, true);
        let document = document(&ran);
        assert_eq!((ran.code, document.complete), (Some(code), false));
        let samples = document.case("threads-good").map_or(0, |case| case.samples.len());
        assert!((1..100).contains(&samples), "{samples} samples");
        let ran = interrupt(signal, false);
        assert_eq!(ran.code, Some(code));
        assert!(ran.stdout.contains("partial: interrupted"), "{}", ran.stdout);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_dies_with_its_parent() {
    let mut command = std::process::Command::new(example("faults"));
    command.args(["--case", "threads-good", "--wait", "87s"]);
    let mut parent = start(&mut command);
    std::thread::sleep(Duration::from_millis(500));
    let find = || {
        // The child's parameters hold the wait in nanoseconds.
        let pattern = "child 98-faults/threads-good.*87000000000";
        common::run_command(std::process::Command::new("pgrep").args(["-f", "--", pattern])).stdout
    };
    assert_ne!(find(), "", "the child runs");
    parent.kill().expect("it can be killed");
    parent.wait().expect("it can be waited for");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(find(), "", "the child is gone");
}
