//! Makes what stands behind the markers: excerpts of code, tables and charts of recorded runs,
//! published figures, the index. Everything here depends on files of the checkout alone.

use crate::chart::{self, Theme};
use crate::document::Document;
use crate::machine::Machine;
use crate::notebook::markers::Finding;
use crate::record;
use crate::text;
use std::fs;
use std::path::{Path, PathBuf};

/// The headings of every chapter but `method.md`, in this order.
pub const HEADINGS: [&str; 9] = [
    "Hypothesis",
    "Code",
    "Run",
    "What came out",
    "Why",
    "What this does not show",
    "Where the post is wrong",
    "In Java terms",
    "Exercises",
];

/// `examples/FILE.rs#ANCHOR`: the lines between `// [ANCHOR]` and `// [/ANCHOR]`, as a fence.
pub fn excerpt(root: &Path, value: &str) -> Result<String, String> {
    let (lines, _) = anchored(root, value)?;
    Ok(format!("```rust\n{}\n```", lines.join("\n")))
}

fn anchored(root: &Path, value: &str) -> Result<(Vec<String>, usize), String> {
    let (file, anchor) = value.split_once('#').ok_or("an excerpt is FILE#ANCHOR")?;
    let text = fs::read_to_string(root.join(file)).map_err(|error| format!("{file}: {error}"))?;
    let lines: Vec<&str> = text.lines().collect();
    let find = |mark: String| lines.iter().position(|line| line.trim() == mark);
    let (begin, end) = (find(format!("// [{anchor}]")), find(format!("// [/{anchor}]")));
    match (begin, end) {
        (Some(begin), Some(end)) if begin < end => {
            let inner = lines[begin + 1..end].iter().map(ToString::to_string).collect();
            Ok((inner, begin + 2))
        }
        _ => Err(format!("{file} has no lines between // [{anchor}] and // [/{anchor}]")),
    }
}

/// Where the n-th line behind a marker comes from, for a finding.
pub fn place(root: &Path, kind: &str, value: &str, line: usize) -> String {
    match (kind, anchored(root, value)) {
        // The fence's own first line is not in the source.
        ("weft-code", Ok((_, first))) => {
            let file = value.split('#').next().unwrap_or_default();
            format!("{file}:{}", first + line.saturating_sub(1))
        }
        ("weft-table" | "weft-chart", _) => "data/recorded".to_owned(),
        ("weft-published", _) => "data/published.csv".to_owned(),
        _ => "chapters".to_owned(),
    }
}

/// The recorded document of a stem, `04-pool-vs-per-task` or `04-pool-vs-per-task-full`, from
/// the first machine that has one.
pub fn recorded(root: &Path, stem: &str) -> Result<Document, String> {
    let folder = root.join("data/recorded");
    let mut machines: Vec<PathBuf> = fs::read_dir(&folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    machines.sort();
    let file =
        machines.iter().map(|machine| machine.join(format!("{stem}.json"))).find(|f| f.exists());
    let file = file.ok_or_else(|| format!("nothing is recorded for {stem}"))?;
    load(&file)
}

/// Reads a document, of one experiment.
pub fn load(file: &Path) -> Result<Document, String> {
    let shown = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text)
        .map_err(|error| format!("{shown} is not a result of --json: {error}"))
}

/// `STEM kinds=a,b claims`: the table of a recorded run, of some kinds of cases.
pub fn table(root: &Path, value: &str) -> Result<String, String> {
    let mut words = value.split_whitespace();
    let mut document = recorded(root, words.next().unwrap_or_default())?;
    let mut claims = false;
    for word in words {
        match word.split_once('=') {
            Some(("kinds", list)) => {
                let kinds: Vec<&str> = list.split(',').collect();
                document.cases.retain(|case| kinds.contains(&case.kind()));
            }
            None if word == "claims" => claims = true,
            _ => return Err(format!("a table takes kinds=a,b and claims, not '{word}'")),
        }
    }
    if document.cases.is_empty() {
        return Err("no recorded case is of these kinds".to_owned());
    }
    current(&document)?;
    let mut out = format!(
        "```text\n{}{}{}",
        text::table(&document),
        text::spread(&document),
        text::reasons(&document)
    );
    if claims {
        out.push_str(&text::claims(&document));
    }
    out = text::plain(&out);
    out.push_str("```\n\n");
    out.push_str(&provenance(&document));
    Ok(out)
}

/// A recorded run is of the runtimes that Cargo.lock names, or it is out of date.
fn current(document: &Document) -> Result<(), String> {
    let now = Machine::read().versions;
    let old = |(name, version): (&String, &String)| {
        (now.get(name) != Some(version)).then(|| format!("{name} {version}"))
    };
    match document.machine.versions.iter().find_map(old) {
        Some(old) => {
            Err(format!("{} was recorded with {old}; record it again", document.experiment))
        }
        None => Ok(()),
    }
}

fn provenance(document: &Document) -> String {
    let machine = &document.machine;
    let memory = machine
        .memory_bytes
        .map_or(String::new(), |bytes| format!(", {}", crate::human::bytes(bytes as f64)));
    let versions: Vec<String> = machine.versions.iter().map(|(n, v)| format!("{n} {v}")).collect();
    let reps = match document.reps {
        1 => "one repetition".to_owned(),
        reps => format!("medians of {reps} repetitions"),
    };
    format!(
        "*Measured {} on {} {} {}, {} CPUs ({}){memory}; {reps}; rustc {}, {}; {}; `cargo run --example {} -- {}`*",
        document.date.get(..10).unwrap_or_default(),
        machine.os,
        machine.kernel,
        machine.arch,
        machine.cpus,
        machine.cpu,
        machine.rustc,
        machine.profile,
        versions.join(", "),
        document.experiment,
        document.arguments.join(" ")
    )
}

/// `STEM/ID`: a chart of a recorded run as a pair of pictures, light and dark.
pub fn chart(root: &Path, value: &str, write: bool) -> Result<String, String> {
    let (stem, id) = value.split_once('/').ok_or("a chart is STEM/ID")?;
    let document = recorded(root, stem)?;
    let spec = document.charts.iter().find(|spec| spec.id == id);
    let spec = spec.ok_or_else(|| format!("{stem} has no chart '{id}'"))?;
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let svg = chart::svg(&document, spec, theme).map_err(|error| error.to_string())?;
        let svg = svg.ok_or_else(|| format!("nothing to draw for {value}"))?;
        let file = root.join(format!("chapters/charts/{stem}-{id}-{name}.svg"));
        if write {
            let folder = file.parent().unwrap_or(root);
            fs::create_dir_all(folder)
                .and_then(|()| record::write_whole(&file, &svg))
                .map_err(|error| format!("{}: {error}", file.display()))?;
        } else if fs::read_to_string(&file).ok().as_deref() != Some(svg.as_str()) {
            let shown = file.strip_prefix(root).unwrap_or(&file).display();
            return Err(format!("{shown} is not the chart of the recorded data"));
        }
    }
    Ok(format!(
        "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"charts/{stem}-{id}-dark.svg\">\n  <img alt=\"{}\" src=\"charts/{stem}-{id}-light.svg\">\n</picture>",
        spec.title.replace('"', "&quot;")
    ))
}

/// `ID,ID`: published figures, with where they are from.
pub fn published(root: &Path, value: &str) -> Result<String, String> {
    let file = root.join("data/published.csv");
    let mut reader = csv::Reader::from_path(&file).map_err(|error| error.to_string())?;
    let rows: Vec<csv::StringRecord> = reader.records().filter_map(Result::ok).collect();
    let mut out = "| published | figure | row |\n|---|---:|---|\n".to_owned();
    for id in value.split(',').map(str::trim) {
        let row = rows.iter().find(|row| row.get(0) == Some(id));
        let row = row.ok_or_else(|| format!("data/published.csv has no figure '{id}'"))?;
        let cell = |i: usize| row.get(i).unwrap_or_default();
        let quoted = match cell(6) {
            "yes" => ", quoted there from elsewhere",
            "prediction" => ", a prediction",
            _ => "",
        };
        let figure = match cell(3).parse::<u64>() {
            Ok(whole) => crate::human::count(whole),
            Err(_) => cell(3).to_owned(),
        };
        out.push_str(&format!("| {} | {figure} {} | {}{quoted} |\n", cell(2), cell(4), cell(1)));
    }
    Ok(out.trim_end().to_owned())
}

/// The list of chapters for the README: number, question, minutes.
pub fn index(root: &Path) -> Result<String, String> {
    let folder = root.join("chapters");
    let mut pages: Vec<PathBuf> = fs::read_dir(&folder)
        .map_err(|error| error.to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    let mut out = "| chapter | question | minutes |\n|---|---|---:|\n".to_owned();
    for page in pages {
        let text = fs::read_to_string(&page).map_err(|error| error.to_string())?;
        let stem = page.file_stem().unwrap_or_default().to_string_lossy();
        let title =
            text.lines().next().unwrap_or_default().trim_start_matches('#').trim().to_owned();
        let minutes = minutes(&text).ok_or_else(|| format!("{stem} does not say its minutes"))?;
        out.push_str(&format!("| [{stem}](chapters/{stem}.md) | {title} | {minutes} |\n"));
    }
    Ok(out.trim_end().to_owned())
}

/// `Reading time: 12 minutes.`
fn minutes(text: &str) -> Option<u32> {
    let line = text.lines().find(|line| line.starts_with("Reading time: "))?;
    line.split_whitespace().nth(2)?.parse().ok()
}

/// What is missing of a chapter's headings and minutes.
pub fn headings(name: &str, lines: &[&str]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut find = |line: usize, what: String| {
        findings.push(Finding { page: name.to_owned(), line, what });
    };
    if !lines.first().is_some_and(|line| line.starts_with("# ")) {
        find(1, "a chapter begins with its title".to_owned());
    }
    if minutes(&lines.join("\n")).is_none() {
        find(1, "a chapter says 'Reading time: N minutes'".to_owned());
    }
    if name.ends_with("method.md") {
        return findings;
    }
    let has: Vec<(usize, &str)> = lines
        .iter()
        .enumerate()
        .filter_map(|(i, line)| Some((i + 1, line.strip_prefix("## ")?.trim())))
        .collect();
    let mut from = 0;
    for wanted in HEADINGS {
        match has.iter().skip(from).position(|(_, heading)| *heading == wanted) {
            Some(skipped) => from += skipped + 1,
            None => {
                let line = has.get(from.saturating_sub(1)).map_or(1, |(line, _)| *line);
                find(line, format!("the heading '## {wanted}' is missing here"));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_heading_and_missing_minutes_are_found() {
        let mut lines = vec!["# Title", "Reading time: 3 minutes."];
        let all: Vec<String> = HEADINGS.iter().map(|heading| format!("## {heading}")).collect();
        lines.extend(all.iter().map(String::as_str));
        assert!(headings("chapters/04-x.md", &lines).is_empty());
        lines.remove(4);
        let found = headings("chapters/04-x.md", &lines);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].to_string().starts_with("chapters/04-x.md:4: the heading '## Run'"),
            "{}",
            found[0]
        );
        lines.remove(1);
        assert_eq!(headings("chapters/04-x.md", &lines).len(), 2);
    }

    #[test]
    fn an_excerpt_names_the_line_that_it_comes_from() -> Result<(), String> {
        let root = record::checkout();
        let value = "examples/04-pool-vs-per-task.rs#tokio-each";
        let text = excerpt(&root, value)?;
        assert!(text.starts_with("```rust\nfn tokio_each("), "{text}");
        let place = place(&root, "weft-code", value, 1);
        let line: usize = place.rsplit(':').next().and_then(|n| n.parse().ok()).ok_or("no line")?;
        let source = fs::read_to_string(root.join("examples/04-pool-vs-per-task.rs"))
            .map_err(|e| e.to_string())?;
        assert_eq!(
            source.lines().nth(line - 1).map(|l| l.starts_with("fn tokio_each(")),
            Some(true)
        );
        Ok(())
    }

    #[test]
    fn an_anchor_that_is_not_there_is_named() {
        let error = excerpt(&record::checkout(), "examples/04-pool-vs-per-task.rs#nowhere");
        assert!(error.is_err_and(|error| error.contains("// [nowhere]")));
    }
}
