//! Claims: shapes that the figures must have, judged from the document alone.

use crate::document::{CaseResult, ClaimResult, Column, Document, Status, Verdict};
use crate::experiment::{Claim, Runtime};

/// A claim that was judged.
#[derive(Debug)]
pub struct Checked {
    /// Whether it holds.
    pub holds: bool,
    /// The threshold, in words.
    pub expected: String,
    /// The figures, in words.
    pub measured: String,
}

/// Why a claim cannot be judged by this run; names what it would need.
#[derive(Debug)]
pub struct NotApplicable(pub String);

impl Document {
    /// A figure of a case (nanoseconds, bytes or a count; the median of its samples).
    pub fn figure(&self, id: &str, column: &Column) -> Result<f64, NotApplicable> {
        self.case(id)
            .and_then(|case| column.number(case))
            .ok_or_else(|| NotApplicable(format!("needs the {} of case {id}", column.heading())))
    }

    /// Median wall-clock time of a case, in nanoseconds.
    pub fn wall(&self, id: &str) -> Result<f64, NotApplicable> {
        self.figure(id, &Column::Wall)
    }

    /// Judges one figure of all cases of a kind on the given runtimes; the claim does not apply
    /// where none of them has it.
    ///
    /// # Errors
    /// What the claim would need.
    pub fn all(
        &self,
        kind: &str,
        runtimes: &[Runtime],
        column: &Column,
        expected: impl Into<String>,
        passes: impl Fn(f64, &CaseResult) -> bool,
    ) -> Result<Checked, NotApplicable> {
        let mut holds = true;
        let mut measured = Vec::new();
        let taken = |case: &&CaseResult| {
            case.kind() == kind && runtimes.iter().any(|runtime| runtime.name() == case.runtime)
        };
        for case in self.cases.iter().filter(taken) {
            let Some(value) = column.number(case) else {
                // What cannot be on a runtime is no gap in the claim; what went wrong is.
                if case.status == Status::Skipped {
                    continue;
                }
                return Err(NotApplicable(format!(
                    "needs the {} of {}",
                    column.heading(),
                    case.id
                )));
            };
            holds &= passes(value, case);
            measured.push(format!("{} {}", case.runtime, column.cell(case)));
        }
        match measured.is_empty() {
            true => Err(NotApplicable(format!("needs the {} of '{kind}'", column.heading()))),
            false => {
                Ok(Checked { holds, expected: expected.into(), measured: measured.join(", ") })
            }
        }
    }

    /// The cases of a kind (`each`) that have samples; at least one, or the claim does not apply.
    pub fn kind(&self, kind: &str) -> Result<Vec<&CaseResult>, NotApplicable> {
        let cases: Vec<_> =
            self.cases.iter().filter(|c| c.kind() == kind && !c.samples.is_empty()).collect();
        if cases.is_empty() {
            Err(NotApplicable(format!("needs a case '{kind}'")))
        } else {
            Ok(cases)
        }
    }
}

/// Judges every claim of an experiment.
pub fn judge(claims: &[Claim], document: &Document) -> Vec<ClaimResult> {
    claims
        .iter()
        .map(|claim| {
            let judged = match document.complete {
                true => (claim.check)(document),
                false => Err(NotApplicable("needs a run to its end".to_owned())),
            };
            let (verdict, expected, measured) = match judged {
                Ok(Checked { holds: true, expected, measured }) => {
                    (Verdict::Holds, expected, measured)
                }
                Ok(Checked { expected, measured, .. }) => (Verdict::Fails, expected, measured),
                Err(NotApplicable(why)) => (Verdict::NotApplicable, why, String::new()),
            };
            ClaimResult {
                id: claim.id.to_owned(),
                text: claim.text.to_owned(),
                verdict,
                expected,
                measured,
            }
        })
        .collect()
}
