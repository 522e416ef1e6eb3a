//! The result in a terminal of 80 columns. Colours are always written; `anstream` takes them
//! out again where stdout is no terminal or NO_COLOR is set.

use crate::document::{CaseResult, Document, Status, Verdict};
use crate::experiment::{Layout, Runtime};
use crate::human;
use crate::stats;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};
use owo_colors::OwoColorize;
use serde_json::Value;
use std::fmt::Write;

const WIDTH: usize = 80;

/// Everything: the head, the table, the reasons, the claims.
pub fn render(document: &Document) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}  {}\n", document.experiment.bold(), document.question);
    for line in document.machine.lines() {
        out.push_str(&wrap(&line, 9));
    }
    out.push_str(&wrap(&size_line(document), 9));
    out.push('\n');
    out.push_str(&table(document));
    out.push_str(&spread(document));
    out.push_str(&reasons(document));
    out.push_str(&claims(document));
    if !document.complete {
        let _ =
            writeln!(out, "\n{}: interrupted; what was measured until then", "partial".yellow());
    }
    out
}

/// What was run: size, repetitions and parameters.
pub fn size_line(document: &Document) -> String {
    let size = document.size.name();
    let reps = if document.reps == 1 { "repetition" } else { "repetitions" };
    let show = |(name, value): (&String, &Value)| match value.as_u64() {
        Some(number) => format!("{name}{TIE}{}", human::count(number)),
        None => format!("{name}{TIE}{value}"),
    };
    let params: Vec<String> = document.params.iter().map(show).collect();
    format!("size     {size} · {} {reps} · {}", document.reps, params.join(" · "))
}

/// The table alone, as the chapters show it.
pub fn table(document: &Document) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::TableStyle::default());
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH as u16);
    let headings = match document.layout {
        Layout::Rows => rows(document, &mut table),
        Layout::Matrix => matrix(document, &mut table),
    };
    if let Some(first) = table.column_mut(0) {
        first.set_padding((0, 1));
    }
    let last = table.column_count().saturating_sub(1);
    if let Some(last) = table.column_mut(last) {
        last.set_padding((1, 0));
    }
    let mut headings = headings.into_iter();
    let mut out = String::new();
    for (number, line) in table.lines().enumerate() {
        let heading = if line.contains(HEADING) { headings.next() } else { None };
        let _ = writeln!(out, "{}", heading.as_deref().unwrap_or(line.trim_end()));
        if number == 0 {
            let _ = writeln!(out, "{}", "─".repeat(WIDTH));
        }
    }
    out
}

fn right(text: impl ToString) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

/// Marks a row that is only a heading: its text must not widen the first column.
const HEADING: char = '\u{1}';

fn rows(document: &Document, table: &mut Table) -> Vec<String> {
    let mut headings = Vec::new();
    let mut header = vec![Cell::new("case")];
    header.extend(document.columns.iter().map(|column| right(column.heading())));
    table.set_header(header);
    let mut alone_before: Option<&str> = None;
    for group in groups(document) {
        // Cases that only one runtime has stand together below its name; others below theirs.
        let alone = (group.len() == 1).then_some(group[0].runtime.as_str());
        if alone.is_none() || alone != alone_before {
            headings.push(alone.unwrap_or(&group[0].name).to_owned());
            table.add_row(vec![Cell::new(HEADING)]);
        }
        alone_before = alone;
        for case in group {
            let label = if alone.is_some() { &case.name } else { &case.runtime };
            let mut row = vec![Cell::new(format!("  {label}"))];
            row.extend(document.columns.iter().map(|column| match case.status {
                Status::Failed => right("FAILED"),
                Status::Timeout => right("TIMEOUT"),
                _ => right(column.cell(case)),
            }));
            table.add_row(row);
        }
    }
    headings
}

fn matrix(document: &Document, table: &mut Table) -> Vec<String> {
    let runtimes = document.runtimes();
    let mut header = vec![Cell::new("case")];
    header.extend(runtimes.iter().map(|runtime| right(runtime.name())));
    table.set_header(header);
    for group in groups(document) {
        let mut row = vec![Cell::new(&group[0].name)];
        let of = |runtime: &Runtime| group.iter().find(|case| case.runtime == runtime.name());
        row.extend(runtimes.iter().map(|runtime| {
            right(match of(runtime).map(|case| case.status) {
                Some(Status::Ok) => "ok",
                Some(Status::Failed) => "FAILED",
                Some(Status::Timeout) => "TIMEOUT",
                Some(Status::Limit) => "limit",
                Some(Status::Skipped) | None => "—",
            })
        }));
        table.add_row(row);
    }
    Vec::new()
}

/// Cases of the same name, in the order in which the names first appear.
pub(crate) fn groups(document: &Document) -> Vec<Vec<&CaseResult>> {
    let mut groups: Vec<Vec<&CaseResult>> = Vec::new();
    for case in &document.cases {
        match groups.iter_mut().find(|group| group[0].name == case.name) {
            Some(group) => group.push(case),
            None => groups.push(vec![case]),
        }
    }
    groups
}

/// How far the repetitions lie apart, for the three cases in which they do most; the JSON has
/// every sample. With six or more, the interval that holds the true median with 95 %.
pub fn spread(document: &Document) -> String {
    let mut cases: Vec<(f64, String)> = Vec::new();
    for case in document.cases.iter().filter(|case| case.samples.len() > 1) {
        let walls: Vec<f64> = case.samples.iter().map(|sample| sample.wall_ns as f64).collect();
        let Some(median) = stats::median(&walls) else { continue };
        let low = walls.iter().copied().fold(f64::INFINITY, f64::min);
        let high = walls.iter().copied().fold(0.0, f64::max);
        let show = human::duration_ns;
        let interval = stats::median_interval(&walls).map_or(String::new(), |(low, high)| {
            format!(", 95 % interval {} to {}", show(low), show(high))
        });
        let text =
            format!("{} {} {} to {}{interval}", case.runtime, case.name, show(low), show(high));
        cases.push(((high - low) / median, text));
    }
    if cases.is_empty() || document.layout == Layout::Matrix {
        return String::new();
    }
    cases.sort_by(|a, b| b.0.total_cmp(&a.0));
    let widest: Vec<String> = cases.into_iter().take(3).map(|(_, text)| text).collect();
    let counts = document.cases.iter().map(|case| case.samples.len()).filter(|n| *n > 0);
    let fewest = counts.min().unwrap_or(0);
    let line = format!("medians of {fewest}; widest apart: {}", widest.join("; "));
    format!("\n{}", wrap(&line, 4))
}

/// Why some rows have no figures.
pub fn reasons(document: &Document) -> String {
    let mut out = String::new();
    for case in &document.cases {
        let Some(reason) = &case.reason else { continue };
        let word = match case.status {
            Status::Ok => continue,
            Status::Failed => "failed".red().to_string(),
            Status::Timeout => "timeout".red().to_string(),
            Status::Skipped => "—".to_owned(),
            Status::Limit => "limit".yellow().to_string(),
        };
        if out.is_empty() {
            out.push('\n');
        }
        out.push_str(&wrap(&format!("{word}  {}, {}: {reason}", case.name, case.runtime), 4));
    }
    out
}

/// The claims with their verdicts.
pub fn claims(document: &Document) -> String {
    let mut out = String::new();
    for claim in &document.claims {
        if out.is_empty() {
            out.push_str("\nclaims\n");
        }
        let (word, figures) = match claim.verdict {
            Verdict::Holds => (
                "holds".green().to_string(),
                format!("expected {}; measured {}", claim.expected, claim.measured),
            ),
            Verdict::Fails => (
                "FAILS".red().to_string(),
                format!("expected {}; measured {}", claim.expected, claim.measured),
            ),
            Verdict::NotApplicable => ("n/a  ".yellow().to_string(), claim.expected.clone()),
        };
        out.push_str(&wrap(&format!("{word}  {}", claim.text), 7));
        out.push_str(&wrap(&format!("       {figures}"), 7));
    }
    out
}

/// Breaks a line at spaces so that it fits, further lines indented.
fn wrap(text: &str, indent: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    let lead: String = text.chars().take_while(|c| *c == ' ').collect();
    out.push_str(&lead);
    column += lead.len();
    let mut first = true;
    for word in tied(text.trim_start()).split(' ') {
        let word = &word.replace(TIE, " ");
        let width = visible(word);
        if !first && column + 1 + width > WIDTH {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else if !first {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
        first = false;
    }
    out.push('\n');
    out
}

/// A space at which a line must not be broken.
const TIE: &str = "\u{a0}";

/// Ties a number to its unit.
pub(crate) fn tied(text: &str) -> String {
    const UNITS: [&str; 12] =
        ["ns", "µs", "ms", "s", "B", "KiB", "MiB", "GiB", "thr", "×", "%", "CPUs"];
    let mut out = String::new();
    for word in text.split(' ') {
        let after_digit = out.ends_with(|c: char| c.is_ascii_digit());
        let bare = word.trim_end_matches([',', '.', ';', ':']);
        if !out.is_empty() {
            out.push_str(if after_digit && UNITS.contains(&bare) { TIE } else { " " });
        }
        out.push_str(word);
    }
    out
}

/// Characters that a terminal shows: without colour codes.
fn visible(word: &str) -> usize {
    anstream::adapter::strip_str(word).to_string().chars().count()
}

/// The same text without colours, for files.
pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_at_spaces_and_keep_their_indent() {
        let text = wrap(&format!("limits   {}", "word ".repeat(30).trim()), 9);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(
            text.lines().nth(1).is_some_and(|line| line.starts_with("         word")),
            "{text}"
        );
    }

    #[test]
    fn colours_do_not_count_as_width() {
        assert_eq!(visible(&"holds".green().to_string()), 5);
    }
}
