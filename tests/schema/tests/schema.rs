//! Every document, fresh or recorded, is of the shape that data/schema.json says, and a document
//! that is not is refused.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn schema() -> Validator {
    jsonschema::validator_for(&read(&checkout().join("data/schema.json"))).expect("a valid schema")
}

/// Validates against one definition, so that the errors name the place and not just "anyOf".
fn errors(definition: &str, document: &Value) -> Vec<String> {
    let mut schema = read(&checkout().join("data/schema.json"));
    let root = schema.as_object_mut().expect("an object");
    root.remove("anyOf");
    root.insert("$ref".into(), json!(format!("#/$defs/{definition}")));
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    validator.iter_errors(document).map(|e| format!("{}: {e}", e.instance_path())).take(5).collect()
}

/// The tour's document, of a run at quick size: every experiment in one.
fn tour() -> Value {
    let test = std::env::current_exe().expect("a test knows its own path");
    let target = test.ancestors().nth(2).expect("…/target/debug/deps/test");
    let tour = target.join("examples").join(format!("tour{}", std::env::consts::EXE_SUFFIX));
    let report = std::env::temp_dir().join(format!("weft-schema-{}.html", std::process::id()));
    let out = Command::new(&tour)
        .args(["--json", "--report"])
        .arg(&report)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|e| panic!("{}: {e}; run cargo build --examples", tour.display()));
    let _ = std::fs::remove_file(report);
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("one JSON document")
}

#[test]
fn the_tours_document_is_valid_and_spoiled_ones_are_not() {
    let tour = tour();
    assert_eq!(errors("tour", &tour), Vec::<String>::new());
    assert!(schema().is_valid(&tour));
    assert_eq!(tour["complete"], json!(true));
    let good = &tour["experiments"][1];
    assert_eq!(errors("document", good), Vec::<String>::new());
    let spoilt: [(&str, Value); 8] = [
        ("/schema", json!(2)),
        ("/complete", json!("yes")),
        ("/cases/0/runtime", json!("java")),
        ("/cases/0/status", json!("great")),
        ("/cases/0/samples/0/wall_ns", json!(-1)),
        ("/cases/0/samples/0/answer", json!({"an_unknown_key": 1})),
        ("/claims/0/verdict", json!("perhaps")),
        ("/machine/cpus", json!(0)),
    ];
    for (place, value) in spoilt {
        let mut document = good.clone();
        *document.pointer_mut(place).unwrap_or_else(|| panic!("{place} is there")) = value;
        assert!(!errors("document", &document).is_empty(), "{place} spoilt, and nobody noticed");
    }
}

#[test]
fn every_recorded_document_is_valid() {
    let mut seen = 0;
    let folder = checkout().join("data/recorded");
    for machine in std::fs::read_dir(folder).expect("data/recorded").flatten() {
        for file in std::fs::read_dir(machine.path()).expect("a machine's folder").flatten() {
            let document = read(&file.path());
            assert_eq!(
                errors("document", &document),
                Vec::<String>::new(),
                "{}",
                file.path().display()
            );
            assert_eq!(document["complete"], json!(true), "{}", file.path().display());
            seen += 1;
        }
    }
    assert!(seen > 0, "nothing is recorded");
}
