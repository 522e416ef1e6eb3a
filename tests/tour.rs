//! The main job: every experiment, a table each, the claims, and one report.

mod common;

use common::{example, finish, run, run_command, start};
use std::process::Command;
use std::time::Duration;

fn report(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("weft-{name}-{}.html", std::process::id()))
}

#[test]
fn the_tour_prints_a_table_for_each_experiment_and_writes_a_report_that_needs_nothing() {
    let path = report("tour");
    let ran = run("tour", &["--report", &path.display().to_string()]);
    let page = std::fs::read_to_string(&path).expect("the report");
    let _ = std::fs::remove_file(&path);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for experiment in ["00-phrasebook", "02-million-tasks", "04-pool-vs-per-task"] {
        assert_eq!(
            ran.stdout.matches(&format!("\n{experiment}  ")).count(),
            usize::from(experiment != "00-phrasebook")
        );
        assert!(page.contains(experiment), "the report has no {experiment}");
    }
    assert!(ran.stdout.starts_with("00-phrasebook  "));
    assert_eq!(ran.stdout.matches("\nsize     quick").count(), 3, "each table says its size");
    assert_eq!(ran.stdout.matches("\nclaims\n").count(), 3);
    assert!(ran.stderr.ends_with(&format!("report: {}\n", path.display())), "{}", ran.stderr);
    assert!(page.matches("<svg").count() >= 4, "the charts are in the page");
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    for reference in ["http:", "https:", "src=", "@import", "<script"] {
        assert!(!outside.contains(reference), "the report refers to something: {reference}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_said_before_anything_runs() {
    let file = report("blocked");
    std::fs::write(&file, "a file").expect("a temporary file");
    let inside = file.join("report.html");
    let ran = run("tour", &["--report", &inside.display().to_string()]);
    let _ = std::fs::remove_file(&file);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:?}");
    assert!(common::sentence(&ran).contains("cannot be written"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_tour_is_marked_in_text_json_and_report() {
    for json in [false, true] {
        let path = report(if json { "stopped-json" } else { "stopped" });
        let mut command = Command::new(example("tour"));
        command.args(["--reps", "20", "--report"]).arg(&path);
        if json {
            command.arg("--json");
        }
        let child = start(&mut command);
        let pid = child.id().to_string();
        std::thread::sleep(Duration::from_millis(1500));
        run_command(Command::new("kill").args(["-INT", &pid]));
        let ran = finish(child, Duration::from_secs(6));
        let page = std::fs::read_to_string(&path).expect("the report");
        let _ = std::fs::remove_file(&path);
        assert_eq!(ran.code, Some(130));
        assert!(page.contains("<strong>Partial"), "the report calls itself whole");
        if json {
            let document: serde_json::Value =
                serde_json::from_str(&ran.stdout).expect("one document");
            assert_eq!(document["complete"], serde_json::json!(false));
        } else {
            assert!(ran.stdout.contains("partial: interrupted"), "{}", ran.stdout);
        }
    }
}
