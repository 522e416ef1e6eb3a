//! The part of the report about one experiment: question, charts, table, reasons, claims.

use crate::chart::{self, Theme, escape};
use crate::document::{CaseResult, Document, Status, Verdict};
use crate::experiment::{Layout, Runtime};
use crate::params::Size;
use crate::text;
use std::fmt::Write;

/// The width of the charts for a phone.
const NARROW: u32 = 360;

/// The whole section.
pub fn html(document: &Document) -> String {
    let id = escape(&document.experiment);
    let mut out = format!(
        "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{id}</h2>\n<p class=\"question\">{}</p>\n",
        escape(&document.question)
    );
    if !document.complete {
        out.push_str(
            "<p class=\"state partial\"><strong>Partial.</strong> This experiment was interrupted; \
             what was measured until then is shown.</p>\n",
        );
    }
    out.push_str("<dl class=\"facts\">\n");
    out.push_str(&fact(&text::size_line(document)));
    out.push_str(&fact(&format!("date     {}", document.date)));
    out.push_str("</dl>\n");
    out.push_str(&charts(document));
    out.push_str(&table(document));
    let spread = text::spread(document);
    if !spread.is_empty() {
        // Broken into lines for a terminal; here the browser does that.
        let words: Vec<&str> = spread.split_ascii_whitespace().collect();
        let _ = writeln!(out, "<p><small>{}</small></p>", prose(&words.join(" ")));
    }
    out.push_str(&reasons(document));
    out.push_str(&claims(document));
    let alone = command(&document.experiment, size_argument(document.size));
    let _ = writeln!(out, "<p>Alone: <code>{alone}</code></p>\n</section>");
    out
}

/// One line of facts, `machine  linux …`, as a term and its description.
pub fn fact(line: &str) -> String {
    let (term, rest) = line.split_once(' ').unwrap_or((line, ""));
    format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(term), escape(rest.trim_start()))
}

/// What to type, as a shell takes it.
pub fn command<T: AsRef<str>>(example: &str, arguments: &[T]) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=.,/:+%@".contains(c);
    let quoted = |text: &str| match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    };
    let mut line = format!("cargo run --example {}", quoted(example));
    for (i, argument) in arguments.iter().enumerate() {
        let _ = write!(line, "{} {}", if i == 0 { " --" } else { "" }, quoted(argument.as_ref()));
    }
    escape(&line)
}

fn size_argument(size: Size) -> &'static [&'static str] {
    match size {
        Size::Quick => &["--quick"],
        Size::Default => &[],
        Size::Full => &["--full"],
    }
}

/// Each chart twice: the style sheet shows the one that fits.
fn charts(document: &Document) -> String {
    let mut out = String::new();
    for spec in &document.charts {
        let drawn = |width| chart::svg_of_width(document, spec, Theme::Page, width);
        match (drawn(chart::WIDTH), drawn(NARROW)) {
            (Ok(Some(wide)), Ok(Some(narrow))) => {
                let _ = writeln!(
                    out,
                    "<figure>\n<div class=\"wide\">{wide}</div>\n<div class=\"narrow\">{narrow}</div>\n</figure>"
                );
            }
            (Err(error), _) | (_, Err(error)) => {
                let (title, why) = (escape(&spec.title), escape(&error.to_string()));
                let _ = writeln!(out, "<p>The chart “{title}” could not be drawn: {why}</p>");
            }
            _ => {
                let title = escape(&spec.title);
                let _ = writeln!(out, "<p>“{title}”: no case of it has a figure.</p>");
            }
        }
    }
    out
}

fn table(document: &Document) -> String {
    let (headings, body): (Vec<&str>, String) = match document.layout {
        Layout::Rows => (document.columns.iter().map(|c| c.heading()).collect(), rows(document)),
        Layout::Matrix => {
            (document.runtimes().iter().map(|r| r.name()).collect(), matrix(document))
        }
    };
    let what = match (document.layout, document.reps) {
        (Layout::Matrix, _) => "Whether the answers were right".to_owned(),
        (Layout::Rows, 1) => "One repetition of each case".to_owned(),
        (Layout::Rows, n) => format!("Medians of {n} repetitions"),
    };
    let size = document.size.name();
    let headings: String =
        headings.iter().map(|text| format!("<th scope=\"col\">{}</th>", escape(text))).collect();
    format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"Table of {}\" tabindex=\"0\">\n<table>\n\
         <caption>{what}, {size} size</caption>\n<thead>\n<tr><th scope=\"col\">case</th>{headings}</tr>\n\
         </thead>\n{body}</table>\n</div>\n",
        escape(&document.experiment)
    )
}

/// Rows grouped as in the terminal.
fn rows(document: &Document) -> String {
    let mut out = String::new();
    let mut alone_before: Option<&str> = None;
    for group in text::groups(document) {
        let alone = (group.len() == 1).then_some(group[0].runtime.as_str());
        if alone.is_none() || alone != alone_before {
            if !out.is_empty() {
                out.push_str("</tbody>\n");
            }
            let _ = writeln!(
                out,
                "<tbody>\n<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>",
                document.columns.len() + 1,
                escape(alone.unwrap_or(&group[0].name))
            );
        }
        alone_before = alone;
        for case in group {
            let (label, class) = match alone {
                Some(_) => (&case.name, ""),
                None => (&case.runtime, " class=\"short\""),
            };
            let _ = write!(out, "<tr><th scope=\"row\"{class}>{}</th>", escape(label));
            for column in &document.columns {
                let cell = match case.status {
                    Status::Failed => "FAILED".to_owned(),
                    Status::Timeout => "TIMEOUT".to_owned(),
                    _ => column.cell(case),
                };
                let _ = write!(out, "<td>{}</td>", escape(&cell));
            }
            out.push_str("</tr>\n");
        }
    }
    if !out.is_empty() {
        out.push_str("</tbody>\n");
    }
    out
}

fn matrix(document: &Document) -> String {
    let runtimes = document.runtimes();
    let mut out = "<tbody>\n".to_owned();
    for group in text::groups(document) {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escape(&group[0].name));
        for runtime in &runtimes {
            let of = |runtime: &Runtime| group.iter().find(|case| case.runtime == runtime.name());
            let _ = write!(out, "<td>{}</td>", of(runtime).map_or("—", |case| word(case)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n");
    out
}

fn word(case: &CaseResult) -> &'static str {
    match case.status {
        Status::Ok => "ok",
        Status::Failed => "FAILED",
        Status::Timeout => "TIMEOUT",
        Status::Limit => "limit",
        Status::Skipped => "—",
    }
}

/// Escaped, without the colour codes that a child's message may have, and so that no line ends
/// between a number and its unit.
fn prose(text: &str) -> String {
    escape(&text::tied(&text::plain(text)))
}

/// Why rows have no figure, or a limited one.
fn reasons(document: &Document) -> String {
    let mut out = String::new();
    for case in document.cases.iter().filter(|case| case.status != Status::Ok) {
        let Some(reason) = &case.reason else { continue };
        let class = match case.status {
            Status::Failed | Status::Timeout => "word fails",
            _ => "word",
        };
        let _ = writeln!(
            out,
            "<li><strong class=\"{class}\">{}</strong> {}, {}: {}</li>",
            word(case),
            escape(&case.name),
            escape(&case.runtime),
            prose(reason)
        );
    }
    match out.is_empty() {
        true => out,
        false => {
            format!("<h3>Without a figure, or limited</h3>\n<ul class=\"list\">\n{out}</ul>\n")
        }
    }
}

fn claims(document: &Document) -> String {
    if document.claims.is_empty() {
        return String::new();
    }
    let mut out = "<h3>Claims</h3>\n<ul class=\"list\">\n".to_owned();
    for claim in &document.claims {
        let (class, word) = match claim.verdict {
            Verdict::Holds => ("holds", "holds"),
            Verdict::Fails => ("fails", "FAILS"),
            Verdict::NotApplicable => ("na", "n/a"),
        };
        let figures = match claim.verdict {
            Verdict::NotApplicable => prose(&claim.expected),
            _ => {
                format!("expected {}; measured {}", prose(&claim.expected), prose(&claim.measured))
            }
        };
        let _ = writeln!(
            out,
            "<li><strong class=\"word {class}\">{word}</strong> {}<br><small>{figures}</small></li>",
            prose(&claim.text)
        );
    }
    out.push_str("</ul>\n");
    out
}
