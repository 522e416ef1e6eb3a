//! What belongs together is there together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn checkout() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Stems of the files in a folder with an extension.
fn stems(folder: &str, extension: &str) -> BTreeSet<String> {
    fs::read_dir(checkout().join(folder))
        .unwrap_or_else(|error| panic!("{folder}: {error}"))
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect()
}

/// The examples that are experiments with a chapter: all numbered ones but the template.
fn experiments() -> BTreeSet<String> {
    let numbered = |stem: &String| stem.starts_with(|c: char| c.is_ascii_digit());
    let all = stems("examples", "rs");
    all.into_iter().filter(numbered).filter(|stem| stem != "99-yours").collect()
}

fn read(file: impl AsRef<Path>) -> String {
    let path = checkout().join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn machines() -> Vec<PathBuf> {
    let folder = checkout().join("data/recorded");
    fs::read_dir(folder).expect("data/recorded").flatten().map(|entry| entry.path()).collect()
}

#[test]
fn an_experiment_has_a_chapter_a_recorded_file_and_a_place_in_the_tour() {
    let mut chapters = stems("chapters", "md");
    assert!(chapters.remove("method"));
    assert_eq!(experiments(), chapters);
    let tour = read("examples/tour.rs");
    for stem in experiments() {
        assert!(tour.contains(&format!("#[path = \"{stem}.rs\"]")), "the tour has no {stem}");
        for machine in machines() {
            assert!(machine.join(format!("{stem}.json")).exists(), "{stem} is not recorded");
        }
    }
}

#[test]
fn an_experiment_says_its_own_stem_and_the_four_things_of_its_header() {
    for stem in experiments().into_iter().chain(["99-yours".to_owned()]) {
        let text = read(format!("examples/{stem}.rs"));
        assert!(text.contains(&format!("id: \"{stem}\"")), "{stem} has another id");
        let header: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
        for word in ["Question:", "Run:", "Look at:", "Left out:"] {
            assert!(header.contains(word), "{stem} has no '{word}' in its header");
        }
    }
}

#[test]
fn every_case_is_there_for_all_five_runtimes_or_marked_as_a_sweep() {
    // A name in the table that fewer than five runtimes have must be one of these.
    let known = ["02-million-tasks", "04-pool-vs-per-task"];
    for machine in machines() {
        for stem in experiments() {
            let document: weft::Document = serde_json::from_str(
                &fs::read_to_string(machine.join(format!("{stem}.json"))).expect("a file"),
            )
            .expect("a document");
            let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
            for case in &document.cases {
                *kinds.entry(case.kind().to_owned()).or_default() += 1;
            }
            let main = ["alive", "post", "pool", "each", "light-pool", "permit", "tie-each"];
            for (kind, runtimes) in kinds {
                let may_be_fewer = known.contains(&stem.as_str()) && !main.contains(&kind.as_str());
                assert!(runtimes == 5 || may_be_fewer, "{stem}: '{kind}' on {runtimes} runtimes");
            }
        }
    }
}

#[test]
fn published_figures_are_whole_and_unique() {
    let text = read("data/published.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut ids = BTreeSet::new();
    let mut rows = BTreeSet::new();
    for record in reader.records() {
        let record = record.expect("as many fields as the header");
        assert!(ids.insert(record[0].to_owned()), "{} is there twice", &record[0]);
        assert!(record[3].parse::<f64>().is_ok(), "{}: '{}' is no number", &record[0], &record[3]);
        assert!(["yes", "no", "prediction"].contains(&&record[6]), "{}", &record[0]);
        assert!(record[8].ends_with(".txt"), "{} has no source file", &record[0]);
        rows.insert(record[1].to_owned());
    }
    for row in ["A11", "A12", "B1", "B9", "B10", "C6", "D3", "D4", "D6", "D7", "D9", "D10"] {
        assert!(rows.contains(row), "no figure of {row}");
    }
}

#[test]
fn the_changelog_names_every_chapter() {
    let changelog = read("CHANGELOG.md");
    for stem in experiments() {
        let number = &stem[..2];
        assert!(changelog.contains(number), "the changelog does not name {number}");
    }
}

#[test]
fn every_link_of_the_readme_and_the_chapters_leads_somewhere() {
    let mut pages: Vec<PathBuf> = vec!["README.md".into(), "CONTRIBUTING.md".into()];
    pages.extend(
        stems("chapters", "md").into_iter().map(|stem| format!("chapters/{stem}.md").into()),
    );
    for page in pages {
        let folder = checkout().join(&page);
        let folder = folder.parent().expect("a folder");
        let text = read(&page);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let pictures = ["src=\"", "srcset=\""].into_iter().flat_map(|attribute| {
            text.split(attribute)
                .skip(1)
                .filter_map(|rest| rest.split('"').next())
                .collect::<Vec<_>>()
        });
        for target in targets.chain(pictures).filter(|target| !target.contains("://")) {
            let file = target.split('#').next().unwrap_or_default();
            assert!(folder.join(file).exists(), "{}: {target} leads nowhere", page.display());
        }
    }
}
