//! Every claim holds for the recorded figures and fails for figures that contradict it; every
//! check accepts the recorded answers and refuses wrong ones. A claim without its broken variant
//! in the list below fails the test.

use std::path::Path;
use weft::document::{Sample, Status, Verdict};
use weft::{Document, Experiment, Params, claim};

#[path = "../examples/00-phrasebook.rs"]
#[allow(dead_code, reason = "each example has its own main")]
mod phrasebook;

#[path = "../examples/02-million-tasks.rs"]
#[allow(dead_code, reason = "each example has its own main")]
mod million_tasks;

#[path = "../examples/04-pool-vs-per-task.rs"]
#[allow(dead_code, reason = "each example has its own main")]
mod pool_vs_per_task;

const EXPERIMENTS: [&Experiment; 3] =
    [&phrasebook::EXPERIMENT, &million_tasks::EXPERIMENT, &pool_vs_per_task::EXPERIMENT];

type Spoil = fn(&mut Document);

/// For each claim a document that contradicts it.
const SPOILT: [(&str, &str, Spoil); 14] = [
    ("00-phrasebook", "all-phrases", |d| d.cases[0].status = Status::Failed),
    ("02-million-tasks", "all-alive", |d| answer(d, "alive", "peak_alive", |n| n - 1)),
    ("02-million-tasks", "small", |d| answer(d, "alive", "bytes_per_task", |_| 501)),
    ("02-million-tasks", "flat", |d| answer(d, "tenth", "bytes_per_task", |n| n * 2)),
    ("02-million-tasks", "soon-over", |d| wall(d, "alive", 20)),
    ("02-million-tasks", "every-worker", |d| answer(d, "alive", "distinct_workers", |_| 1)),
    ("02-million-tasks", "nobody-waits", |d| answer(d, "post", "finished", |_| 1_000_000)),
    ("04-pool-vs-per-task", "pool-takes-waves", |d| wall(d, "pool", 2)),
    ("04-pool-vs-per-task", "each-takes-one-wave", |d| wall(d, "each", 10)),
    ("04-pool-vs-per-task", "few-os-threads", |d| {
        samples(d, "each", |sample| sample.peak_os_threads = Some(7))
    }),
    ("04-pool-vs-per-task", "pooled-light-tasks", |d| {
        samples(d, "light-pool", |sample| sample.wall_ns /= 2)
    }),
    ("04-pool-vs-per-task", "permit-bounds", |d| answer(d, "permit", "peak_in_use", |n| n + 1)),
    ("04-pool-vs-per-task", "more-threads-help", |d| wall(d, "pool-400", 2)),
    ("04-pool-vs-per-task", "tie", |d| wall(d, "tie-each", 3)),
];

fn samples(document: &mut Document, kind: &str, spoil: impl Fn(&mut Sample)) {
    let cases = document.cases.iter_mut().filter(|case| case.kind() == kind);
    cases.flat_map(|case| &mut case.samples).for_each(spoil);
}

fn wall(document: &mut Document, kind: &str, times: u64) {
    samples(document, kind, |sample| sample.wall_ns *= times);
}

fn answer(document: &mut Document, kind: &str, key: &str, spoil: fn(u64) -> u64) {
    samples(document, kind, |sample| {
        if let Some(number) = sample.answer.number(key) {
            sample.answer.0.insert(key.to_owned(), spoil(number).into());
        }
    });
}

fn recorded(experiment: &Experiment) -> Document {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/recorded");
    let machines = std::fs::read_dir(folder).expect("data/recorded").flatten();
    let file = machines
        .map(|machine| machine.path().join(format!("{}.json", experiment.id)))
        .find(|file| file.exists())
        .unwrap_or_else(|| panic!("nothing is recorded for {}", experiment.id));
    serde_json::from_str(&std::fs::read_to_string(file).expect("a file")).expect("a document")
}

fn verdict(experiment: &Experiment, document: &Document, id: &str) -> Verdict {
    let judged = claim::judge(experiment.claims, document);
    judged.iter().find(|claim| claim.id == id).map(|claim| claim.verdict).expect("a claim")
}

#[test]
fn every_claim_holds_for_the_recorded_figures() {
    for experiment in EXPERIMENTS {
        let document = recorded(experiment);
        for claim in claim::judge(experiment.claims, &document) {
            assert_eq!(claim.verdict, Verdict::Holds, "{}: {claim:?}", experiment.id);
        }
    }
}

#[test]
fn every_claim_fails_for_figures_that_contradict_it() {
    for (id, claim, spoil) in SPOILT {
        let experiment = EXPERIMENTS.into_iter().find(|e| e.id == id).expect("an experiment");
        let mut document = recorded(experiment);
        spoil(&mut document);
        assert_eq!(verdict(experiment, &document, claim), Verdict::Fails, "{id}: {claim}");
    }
    for experiment in EXPERIMENTS {
        for claim in experiment.claims {
            let listed =
                SPOILT.iter().any(|(id, name, _)| *id == experiment.id && *name == claim.id);
            assert!(listed, "{}: {} has no broken variant", experiment.id, claim.id);
        }
    }
}

#[test]
fn a_claim_without_its_cases_does_not_apply() {
    for experiment in EXPERIMENTS.into_iter().filter(|experiment| experiment.id != "00-phrasebook")
    {
        let mut document = recorded(experiment);
        document.cases.clear();
        for claim in claim::judge(experiment.claims, &document) {
            assert_eq!(claim.verdict, Verdict::NotApplicable, "{}: {claim:?}", experiment.id);
        }
    }
}

#[test]
fn every_check_accepts_the_recorded_answer_and_refuses_a_wrong_one() {
    for experiment in EXPERIMENTS {
        let document = recorded(experiment);
        let workers = document.params.get("workers").and_then(|n| n.as_u64()).expect("workers");
        for case in experiment.cases {
            let mut params = Params::new(experiment.params, document.size, workers);
            (case.adjust)(&mut params);
            let result = document.case(case.id).expect("a recorded case");
            for sample in &result.samples {
                let right = &sample.answer;
                assert_eq!((case.check)(&params, right), Ok(()), "{}", case.id);
                assert!(
                    (case.check)(&params, &weft::Answer::new()).is_err(),
                    "{}: no answer",
                    case.id
                );
                for key in ["finished", "checked"] {
                    let Some(number) = right.number(key) else { continue };
                    // One more than there are tasks is wrong for every case.
                    let tasks =
                        result.params.get("tasks").and_then(|n| n.as_u64()).unwrap_or(number);
                    let wrong = right.clone().with(key, tasks.max(number) + 1);
                    assert!((case.check)(&params, &wrong).is_err(), "{}: {key}", case.id);
                }
            }
        }
    }
}
