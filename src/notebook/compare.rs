//! `compare`: a run of one's own beside the recorded one, case by case, as ratios.

use super::{Failure, sources};
use crate::document::{CaseResult, Column, Document};
use crate::human;
use crate::record;
use crate::text;
use clap::ArgMatches;
use comfy_table::{Cell, CellAlignment, Table};
use std::path::Path;

/// Reads the two documents and prints the table.
pub fn main(given: &ArgMatches) -> Result<u8, Failure> {
    let path = |name: &str| given.get_one::<String>(name).map(Path::new);
    let mine =
        path("mine").map_or(Err("no file".to_owned()), sources::load).map_err(Failure::Usage)?;
    let other = match path("other") {
        Some(path) => sources::load(path),
        None => {
            let file = record::file_name(&mine.experiment, mine.size);
            sources::recorded(&record::checkout(), file.trim_end_matches(".json"))
        }
    };
    let other = other.map_err(Failure::Usage)?;
    if mine.experiment != other.experiment {
        return Err(Failure::Usage(format!(
            "two runs of one experiment can be compared, not {} and {}",
            mine.experiment, other.experiment
        )));
    }
    super::print(&text::plain(&render(&mine, &other)))?;
    Ok(0)
}

fn render(mine: &Document, other: &Document) -> String {
    let mut out = format!("{}: this run, the other, and their ratio\n\n", mine.experiment);
    for (name, document) in [("this", mine), ("other", other)] {
        let machine = &document.machine;
        out.push_str(&format!(
            "{name:<6} {} · {} {} · {} CPUs {} · {} · n = {}\n",
            &document.date.get(..10).unwrap_or_default(),
            machine.os,
            machine.arch,
            machine.cpus,
            machine.cpu,
            machine.profile,
            document.reps
        ));
    }
    if (mine.size, &mine.params) != (other.size, &other.params) {
        out.push_str("\nThe parameters differ, so the ratios compare different work.\n");
    }
    let mut table = Table::new();
    let right = |text: &str| Cell::new(text).set_alignment(CellAlignment::Right);
    let header = ["wall", "other", "ratio", "CPU ratio", "RSS ratio"];
    table.set_header([Cell::new("case")].into_iter().chain(header.map(right)));
    for case in &mine.cases {
        let Some(theirs) = other.case(&case.id) else { continue };
        let ratio = |column: &Column| ratio(column, case, theirs);
        table.add_row([
            Cell::new(&case.id),
            right(&Column::Wall.cell(case)),
            right(&Column::Wall.cell(theirs)),
            right(&ratio(&Column::Wall)),
            right(&ratio(&Column::Cpu)),
            right(&ratio(&Column::PeakRss)),
        ]);
    }
    table.load_style(comfy_table::TableStyle::default());
    if let Some(first) = table.column_mut(0) {
        first.set_padding((0, 1));
    }
    out.push('\n');
    for line in table.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    for claim in &mine.claims {
        let theirs = other.claims.iter().find(|theirs| theirs.id == claim.id);
        if theirs.is_some_and(|theirs| theirs.verdict != claim.verdict) {
            out.push_str(&format!("\nThe other verdict: {}\n", claim.text));
        }
    }
    out
}

fn ratio(column: &Column, mine: &CaseResult, theirs: &CaseResult) -> String {
    match (column.number(mine), column.number(theirs)) {
        (Some(mine), Some(theirs)) if theirs > 0.0 => human::ratio(mine / theirs),
        _ => "—".to_owned(),
    }
}
