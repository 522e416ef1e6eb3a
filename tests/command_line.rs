//! The command line: wrong input is one sentence that names the option and its range, exit 2,
//! before anything starts; output to pipes, files and closed readers.

mod common;

use common::{document, example, finish, run, run_command, sentence};
use std::process::{Command, Stdio};
use std::time::Duration;

const EXPERIMENTS: [&str; 3] = ["00-phrasebook", "02-million-tasks", "04-pool-vs-per-task"];

fn refused(name: &str, arguments: &[&str]) -> String {
    let ran = run(name, arguments);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {ran:?}");
    sentence(&ran)
}

#[test]
fn a_number_out_of_range_or_no_number_names_the_option_and_its_range() {
    let counts = [
        ("02-million-tasks", "--tasks", "1 to 50,000,000"),
        ("04-pool-vs-per-task", "--pool-size", "1 to 10,000"),
        ("tour", "--reps", "1 to 1,000"),
        ("tour", "--workers", "1 to 256"),
    ];
    for (name, option, range) in counts {
        for bad in ["0", "-1", "", " ", "ten", "1.5", "99999999999999999999", "1e30", "0x10", "½"]
        {
            let said = refused(name, &[option, bad, "--quick"]);
            let wanted = format!("{option} takes a whole number from {range}, not '{bad}'");
            assert_eq!(said, wanted);
        }
    }
}

#[test]
fn a_duration_out_of_range_or_without_a_unit_names_the_option_and_its_range() {
    for bad in ["0ms", "-5ms", "", "100", "1h", "soon", "61s", "1e99s"] {
        let said = refused("04-pool-vs-per-task", &["--wait", bad]);
        assert_eq!(
            said,
            format!("--wait takes a duration such as 250ms or 1s from 1 ms to 60 s, not '{bad}'")
        );
    }
}

#[test]
fn every_option_of_every_experiment_refuses_text_and_names_itself() {
    for name in EXPERIMENTS {
        let help = run(name, &["-h"]).stdout;
        let options =
            help.lines().filter_map(|line| line.trim().strip_prefix("--")?.split_once(" <"));
        for (option, _) in options {
            let said = refused(name, &[&format!("--{option}"), "?"]);
            assert!(said.starts_with(&format!("--{option} takes ")), "{said}");
        }
    }
}

#[test]
fn an_unknown_option_runtime_or_case_is_named() {
    for name in ["04-pool-vs-per-task", "tour"] {
        assert!(refused(name, &["--runtmie", "tokio"]).contains("'--runtmie'; perhaps --runtime"));
        assert!(refused(name, &["--nonsense"]).contains("there is no option '--nonsense'"));
        assert!(refused(name, &["stray"]).contains("there is no option 'stray'"));
        assert!(refused(name, &["--runtime", "java"]).contains("not 'java'"));
        assert!(refused(name, &["--runtime", ""]).contains("not ''"));
        assert!(
            refused(name, &["--runtime", "tokio,"])
                .contains("threads, tokio, async-std, smol, may")
        );
        assert!(refused(name, &["--case", "tokio-nothing"]).contains("not 'tokio-nothing'"));
        assert!(
            refused(name, &["--case", "may-each", "--runtime", "smol"]).contains("select no case")
        );
    }
}

#[test]
fn options_that_exclude_each_other_come_twice_or_lack_their_value_are_named() {
    let name = "04-pool-vs-per-task";
    assert!(refused(name, &["--quick", "--full"]).contains("--quick and --full"));
    assert!(refused(name, &["--tasks", "1", "--tasks", "2"]).contains("--tasks is given twice"));
    assert!(
        refused(name, &["--tasks"]).contains("--tasks needs a value: jobs in all, 1 to 1,000,000")
    );
    assert!(refused(name, &["--json=yes"]).contains("--json takes no value"));
    assert!(refused(name, &["--record", "--quick"]).contains("--record"));
    assert!(refused(name, &["--record", "--runtime", "tokio"]).contains("--record"));
    assert!(refused("tour", &["--report", ""]).contains("--report"));
    assert!(refused("tour", &["--tasks", "5"]).contains("there is no option '--tasks'"));
}

#[test]
fn numbers_may_be_written_with_underscores_and_exponents() {
    let ran = run(
        "04-pool-vs-per-task",
        &["--case", "tokio-each", "--tasks", "1_0", "--wait", "2ms", "--reps", "1e0", "--json"],
    );
    let document = document(&ran);
    assert_eq!(document.params.get("tasks").and_then(|n| n.as_u64()), Some(10));
    assert_eq!(document.cases[0].samples[0].answer.number("finished"), Some(10));
}

#[test]
fn help_fits_one_screen_and_goes_to_stdout() {
    for name in EXPERIMENTS.into_iter().chain(["tour"]) {
        let ran = run(name, &["-h"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        assert!(ran.stdout.lines().count() <= 24, "{} lines", ran.stdout.lines().count());
        assert!(ran.stdout.lines().all(|line| line.chars().count() <= 100), "{}", ran.stdout);
    }
}

#[test]
fn list_shows_every_case_and_runs_nothing() {
    let ran = run("04-pool-vs-per-task", &["--list", "--runtime", "may"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout.matches("  may-").count(), 5, "{}", ran.stdout);
}

#[test]
fn a_pipe_gets_no_escape_codes_and_a_table_of_80_columns() {
    let ran = run("04-pool-vs-per-task", &["--quick", "--runtime", "tokio,may"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
    let widest = ran.stdout.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{widest:?}: {}", ran.stdout);
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    for arguments in
        [&["--quick", "--case", "tokio-each"][..], &["--quick", "--json"], &["-h"], &["--list"]]
    {
        let mut child = Command::new(example("04-pool-vs-per-task"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        // Closed before anything is written: every write fails.
        drop(child.stdout.take());
        let ran = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(0), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panic") && !stderr.contains("error"), "{stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_exit_3_and_one_sentence() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let out = Command::new(example("04-pool-vs-per-task"))
        .args(["--case", "tokio-each", "--quick", "--json"])
        .stdin(Stdio::null())
        .stdout(full)
        .output()
        .expect("it runs");
    let stderr = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("error: the output cannot be written:"), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn an_open_silent_stdin_changes_nothing() {
    let mut child = Command::new(example("04-pool-vs-per-task"))
        .args(["--quick", "--case", "tokio-each", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let _open = child.stdin.take();
    let ran = finish(child, Duration::from_secs(60));
    assert_eq!((ran.code, document(&ran).complete), (Some(0), true));
}

#[test]
fn a_folder_that_cannot_be_written_is_said_before_anything_runs() {
    // A file where the folder should be: nobody can write into it, root neither.
    let blocked = std::env::temp_dir().join(format!("weft-blocked-{}", std::process::id()));
    std::fs::create_dir_all(&blocked).expect("a temporary folder");
    std::fs::write(blocked.join("data"), "a file").expect("a temporary file");
    let mut command = Command::new(example("04-pool-vs-per-task"));
    command.args(["--record"]).env("CARGO_MANIFEST_DIR", &blocked);
    let ran = run_command(&mut command);
    std::fs::remove_dir_all(&blocked).expect("it was ours");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:?}");
    assert!(sentence(&ran).contains("cannot be written"), "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_system_that_allows_too_little_is_said_beforehand() {
    let name = example("02-million-tasks");
    let line = format!(
        "ulimit -v 2000000; exec '{}' --tasks 1e7 --case tokio-alive --json",
        name.display()
    );
    let ran = run_command(Command::new("sh").args(["-c", &line]));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:?}");
    let last = ran.stderr.lines().last().unwrap_or_default();
    assert_eq!(
        last,
        "error: no selected case can run here: RLIMIT_AS is 1.91 GiB; raise it with ulimit -v KIB"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn one_cpu_is_enough() {
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(example("04-pool-vs-per-task"));
    command.args(["--quick", "--json", "--case", "each"]);
    let ran = run_command(&mut command);
    let document = document(&ran);
    assert_eq!((ran.code, document.machine.cpus), (Some(0), 1));
    assert_eq!(document.params.get("workers").and_then(|n| n.as_u64()), Some(1));
}
