//! The notebook finds what is not true any more, and says where.

mod common;

use common::{Ran, example, run_command};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of what the notebook reads, to be spoilt.
struct Copy(PathBuf);

impl Copy {
    fn new(name: &str) -> Copy {
        let to = std::env::temp_dir().join(format!("weft-{name}-{}", std::process::id()));
        let from = Path::new(env!("CARGO_MANIFEST_DIR"));
        for folder in ["chapters", "data", "examples"] {
            copy_folder(&from.join(folder), &to.join(folder));
        }
        fs::copy(from.join("README.md"), to.join("README.md")).expect("README.md");
        Copy(to)
    }

    /// Replaces the first occurrence in a file and returns its line there.
    fn replace(&self, file: &str, old: &str, new: &str) -> usize {
        let path = self.0.join(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        let at = text.find(old).unwrap_or_else(|| panic!("{file} has no '{old}'"));
        fs::write(&path, text.replacen(old, new, 1)).expect("a file of ours");
        text[..at].lines().count() + usize::from(text[..at].ends_with('\n'))
    }

    fn notebook(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(example("notebook"));
        run_command(command.args(arguments).env("CARGO_MANIFEST_DIR", &self.0))
    }

    /// Checks without running commands; there must be just one finding.
    fn finding(&self) -> String {
        let ran = self.notebook(&["check", "--static"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stdout.ends_with(", 1 differ\n"), "{}", ran.stdout);
        ran.stdout.lines().next().unwrap_or_default().to_owned()
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder of ours");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).expect("a file")),
        }
    }
}

#[test]
fn the_chapters_are_true() {
    let copy = Copy::new("true");
    let ran = copy.notebook(&["check", "--static"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

#[test]
fn a_changed_line_of_code_is_found_with_both_places() {
    let copy = Copy::new("code");
    let old = "            jobs.push(tokio::spawn(async move {";
    let line = copy.replace("examples/04-pool-vs-per-task.rs", old, &old.replace("jobs", "jbos"));
    let finding = copy.finding();
    assert!(finding.starts_with("chapters/04-pool-vs-per-task.md:"), "{finding}");
    assert!(finding.ends_with(&format!("(examples/04-pool-vs-per-task.rs:{line})")), "{finding}");
    assert!(finding.contains("jbos"), "{finding}");
}

#[test]
fn a_changed_line_of_an_excerpt_is_found() {
    let copy = Copy::new("excerpt");
    let page = "chapters/02-million-tasks.md";
    let line = copy.replace(page, "lab.mark(\"spawned\");", "lab.mark(\"spwaned\");");
    let finding = copy.finding();
    assert!(
        finding.starts_with(&format!("{page}:{line}: shows 'lab.mark(\"spwaned\");'")),
        "{finding}"
    );
}

#[test]
fn a_changed_figure_in_a_table_is_found() {
    let copy = Copy::new("table");
    let page = "chapters/02-million-tasks.md";
    let text = fs::read_to_string(copy.0.join(page)).expect("a page");
    let begin = text.find("<!-- weft-table").expect("a table");
    let row =
        text[begin..].lines().find(|line| line.starts_with("  smol")).expect("a row").to_owned();
    // The quick run above the table may have the same row; spoil the one in the table.
    let spoilt = format!(
        "{}{}",
        &text[..begin],
        text[begin..].replacen(&row, &row.replace(" B ", " X "), 1)
    );
    fs::write(copy.0.join(page), spoilt).expect("a file of ours");
    let line = text[..begin].lines().count()
        + text[begin..].lines().position(|l| l == row).expect("it")
        + 1;
    assert!(copy.finding().starts_with(&format!("{page}:{line}: ")), "{}", copy.finding());
}

#[test]
fn a_picture_that_is_not_of_the_data_is_found() {
    let copy = Copy::new("picture");
    copy.replace("chapters/charts/02-million-tasks-bytes-light.svg", "</svg>", " </svg>");
    let finding = copy.finding();
    assert!(finding.contains("02-million-tasks-bytes-light.svg is not the chart"), "{finding}");
}

#[test]
fn data_of_other_versions_than_those_in_use_are_found() {
    let copy = Copy::new("versions");
    let machine = fs::read_dir(copy.0.join("data/recorded")).expect("data").flatten().next();
    let machine = machine.expect("a machine").file_name().into_string().expect("a name");
    let file = format!("data/recorded/{machine}/02-million-tasks.json");
    copy.replace(&file, "\"smol\": \"2.", "\"smol\": \"1.");
    let ran = copy.notebook(&["check", "--static", "02-million-tasks.md"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("was recorded with smol 1."), "{}", ran.stdout);
}

#[test]
fn a_missing_heading_is_found() {
    let copy = Copy::new("heading");
    copy.replace("chapters/04-pool-vs-per-task.md", "## Why\n", "Why\n");
    assert!(copy.finding().contains("the heading '## Why' is missing"));
}

#[test]
fn a_changed_word_of_an_output_is_found_with_its_line() {
    for check in ["exact", "shape"] {
        let copy = Copy::new(check);
        let page = format!("# A\n\n<!-- weft: cargo --version | check={check} -->\n```text\n```\n");
        fs::write(copy.0.join("README.md"), page).expect("a file of ours");
        assert_eq!(copy.notebook(&["record", "README.md"]).code, Some(0));
        let ran = copy.notebook(&["check", "README.md"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let line = copy.replace("README.md", "cargo 1", "cagro 1");
        assert_eq!(line, 5, "the output follows the fence");
        let ran = copy.notebook(&["check", "README.md"]);
        assert_eq!(ran.code, Some(1));
        assert!(ran.stdout.starts_with("README.md:5: shows 'cagro"), "{}", ran.stdout);
    }
}

#[test]
fn a_command_that_fails_is_found_and_its_output_is_kept() {
    let copy = Copy::new("fails");
    let page = "# A\n\n<!-- weft: cargo --no-such-option | check=shape -->\n```text\nold\n```\n";
    fs::write(copy.0.join("README.md"), page).expect("a file of ours");
    for command in ["check", "record"] {
        let ran = copy.notebook(&[command, "README.md"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stdout.starts_with("README.md:3: the command failed"), "{}", ran.stdout);
    }
    assert_eq!(fs::read_to_string(copy.0.join("README.md")).ok().as_deref(), Some(page));
}

#[test]
fn record_repairs_what_check_finds() {
    let copy = Copy::new("repair");
    let page = "chapters/04-pool-vs-per-task.md";
    copy.replace(page, "tokio::spawn(async move {", "tokio::spawn(async {");
    copy.finding();
    assert_eq!(copy.notebook(&["record", "--static"]).code, Some(0));
    let ran = copy.notebook(&["check", "--static"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    assert_eq!(fs::read_to_string(copy.0.join(page)).ok(), fs::read_to_string(original).ok());
}

#[test]
fn compare_sets_two_runs_side_by_side_and_refuses_other_files() {
    let copy = Copy::new("compare");
    let machine = fs::read_dir(copy.0.join("data/recorded")).expect("data").flatten().next();
    let machine = machine.expect("a machine").path();
    let file = |name: &str| machine.join(name).display().to_string();
    let ran = copy.notebook(&["compare", &file("02-million-tasks.json")]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let row = ran.stdout.lines().find(|line| line.contains("tokio-alive")).unwrap_or_default();
    assert_eq!(row.matches("1.00 ×").count(), 3, "a run against itself: {row}");
    let ran = copy.notebook(&[
        "compare",
        &file("02-million-tasks.json"),
        &file("04-pool-vs-per-task.json"),
    ]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("two runs of one experiment"), "{}", ran.stderr);
    let ran = copy.notebook(&["compare", "README.md"]);
    assert_eq!(ran.code, Some(2));
    let ran = copy.notebook(&["compare", "/nowhere.json"]);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn wrong_words_are_one_sentence_and_exit_2() {
    let copy = Copy::new("words");
    for arguments in
        [&["chek"][..], &[], &["check", "no-such.md"], &["check", "--fast"], &["compare"]]
    {
        let ran = copy.notebook(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {ran:?}");
        common::sentence(&ran);
    }
}
