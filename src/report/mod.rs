//! The report of the tour: one HTML page with everything in it, which opens without a network
//! and without scripts, light or dark as the reader has it, on a phone and on paper.
//!
//! Left out: the OS threads over time and the single samples; the JSON has them.

mod section;
#[cfg(test)]
mod tests;

use crate::chart;
use crate::chart::escape;
use crate::cli::Stop;
use crate::document::{ClaimResult, Document, Status, Verdict};
use crate::record;
use crate::warning::Warning;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The name of the report where none is given.
const FILE: &str = "weft-report.html";

/// Where the report goes: the file given, else one in the target folder of this program, else
/// one in the current folder. Its folder exists afterwards and can be written to.
///
/// # Errors
/// `Usage` for a path that cannot be that of a file, `Machine` where nothing can be written.
pub fn prepare(given: Option<&Path>) -> Result<PathBuf, Stop> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => std::env::current_exe().ok().and_then(|exe| target_of(&exe)).map_or_else(
            // An installed program has no target folder.
            || PathBuf::from(FILE),
            |target| target.join(FILE),
        ),
    };
    let shown = path.display();
    let folder_meant = path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/');
    if folder_meant {
        let inside = path.join(FILE);
        return Err(Stop::Usage(format!(
            "--report takes the name of a file, and {shown} is a folder; {} would do",
            inside.display()
        )));
    }
    // The file is replaced as a whole, which must not happen to /dev/null.
    if path.file_name().is_none() || (path.exists() && !path.is_file()) {
        return Err(Stop::Usage(format!(
            "--report takes the name of a file, and {shown} is none; {FILE} would do"
        )));
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    match record::ensure_writable(folder) {
        Ok(()) => Ok(path),
        Err(error) => Err(Stop::Machine(format!(
            "the report {shown} cannot be written: {error}; name a file in a folder of yours with --report"
        ))),
    }
}

/// The target folder that a program was built in: cargo marks it with a tag, unless the folder
/// was there before.
fn target_of(exe: &Path) -> Option<PathBuf> {
    let is_target = |folder: &&Path| {
        folder.join("CACHEDIR.TAG").is_file() || folder.file_name().is_some_and(|n| n == "target")
    };
    exe.ancestors().skip(1).find(is_target).map(Path::to_owned)
}

/// The page of a run that should have given `planned` documents; with fewer, or with one that
/// is not complete, it calls itself partial.
pub fn html(documents: &[Document], planned: usize) -> String {
    let [light, dark] = chart::css();
    let style = include_str!("style.css").replace("/*light*/", &light).replace("/*dark*/", &dark);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Weft: light concurrency, measured</title>\n<style>\n{style}</style>\n</head>\n\
         <body>\n<main>\n<header>\n<h1>Weft: light concurrency, measured</h1>\n"
    );
    out.push_str(&state(documents, planned));
    out.push_str(&machines(documents));
    out.push_str("</header>\n");
    out.push_str(&contents(documents));
    out.push_str(&summary(documents));
    for document in documents {
        out.push_str(&section::html(document));
    }
    out.push_str(&limits(documents));
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// Whether the run is whole, said before anything else.
fn state(documents: &[Document], planned: usize) -> String {
    let done = documents.iter().filter(|document| document.complete).count();
    let mut out = if done < planned {
        format!(
            "<p class=\"state partial\"><strong>Partial.</strong> The run was interrupted: \
             {done} of {planned} experiments ran to their end. What is missing is not shown.</p>\n"
        )
    } else {
        let all = match done {
            1 => "The experiment ran to its end".to_owned(),
            _ => format!("All {done} experiments ran to their end"),
        };
        format!("<p class=\"state\"><strong>Complete.</strong> {all}.</p>\n")
    };
    let given = documents.first().map_or(&[][..], |document| &document.arguments[..]);
    if given.iter().any(|a| a.starts_with("--runtime") || a.starts_with("--case")) {
        let _ = writeln!(
            out,
            "<p class=\"state\"><strong>A selection.</strong> Only a part of the cases was asked \
             for, with <code>{}</code>.</p>",
            escape(&given.join(" "))
        );
    }
    out
}

/// The facts of the machine: once, unless recorded runs of several are shown together.
fn machines(documents: &[Document]) -> String {
    let mut seen: Vec<[String; 3]> = Vec::new();
    for document in documents {
        let lines = document.machine.lines();
        if !seen.contains(&lines) {
            seen.push(lines);
        }
    }
    let mut out = String::new();
    for lines in seen {
        out.push_str("<dl class=\"facts\">\n");
        for line in &lines {
            out.push_str(&section::fact(line));
        }
        out.push_str("</dl>\n");
    }
    out
}

fn contents(documents: &[Document]) -> String {
    let mut out = "<nav aria-labelledby=\"contents\">\n<h2 id=\"contents\">Contents</h2>\n<ol>\n\
                   <li><a href=\"#summary\">Summary</a></li>\n"
        .to_owned();
    for document in documents {
        let (id, question) = (escape(&document.experiment), escape(&document.question));
        let _ = writeln!(out, "<li><a href=\"#{id}\">{id}</a>: {question}</li>");
    }
    out.push_str("<li><a href=\"#limits\">What this does not show</a></li>\n</ol>\n</nav>\n");
    out
}

fn summary(documents: &[Document]) -> String {
    let verdicts = |claims: &[ClaimResult], verdict: Verdict| {
        claims.iter().filter(|claim| claim.verdict == verdict).count()
    };
    let total = |verdict: Verdict| -> usize {
        documents.iter().map(|document| verdicts(&document.claims, verdict)).sum()
    };
    let mut out = format!(
        "<section aria-labelledby=\"summary\">\n<h2 id=\"summary\">Summary</h2>\n\
         <p>Of the claims, {} hold, {} fail and {} do not apply to this run.</p>\n\
         <div class=\"scroll\" role=\"region\" aria-label=\"Summary\" tabindex=\"0\">\n<table class=\"counts\">\n\
         <caption>Claims and cases by experiment</caption>\n<thead>\n\
         <tr><td></td><th scope=\"colgroup\" colspan=\"3\">claims</th>\
         <th scope=\"colgroup\" colspan=\"4\">cases</th></tr>\n\
         <tr><th scope=\"col\">experiment</th>\
         <th scope=\"col\">hold</th><th scope=\"col\">fail</th><th scope=\"col\">n/a</th>\
         <th scope=\"col\">ok</th><th scope=\"col\">limit</th><th scope=\"col\">skip</th>\
         <th scope=\"col\">fail</th></tr>\n</thead>\n<tbody>\n",
        total(Verdict::Holds),
        total(Verdict::Fails),
        total(Verdict::NotApplicable)
    );
    for document in documents {
        let id = escape(&document.experiment);
        let partial = if document.complete { "" } else { " <strong>partial</strong>" };
        let cases = |wanted: &[Status]| {
            document.cases.iter().filter(|case| wanted.contains(&case.status)).count()
        };
        let _ = write!(out, "<tr><th scope=\"row\"><a href=\"#{id}\">{id}</a>{partial}</th>");
        for number in [
            verdicts(&document.claims, Verdict::Holds),
            verdicts(&document.claims, Verdict::Fails),
            verdicts(&document.claims, Verdict::NotApplicable),
            cases(&[Status::Ok]),
            cases(&[Status::Limit]),
            cases(&[Status::Skipped]),
            cases(&[Status::Failed, Status::Timeout]),
        ] {
            let _ = write!(out, "<td>{number}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n</section>\n");
    out
}

/// What a reader must not conclude, and how to repeat it.
fn limits(documents: &[Document]) -> String {
    let mut out = "<section aria-labelledby=\"limits\">\n\
         <h2 id=\"limits\">What this does not show</h2>\n<ul>\n\
         <li>One machine was measured, shared and noisy. Another gives other figures; the claims \
         are about shapes, and their thresholds leave room for noise.</li>\n\
         <li>Figures of the quick size are rough: small parameters, one repetition of each case. \
         The default size, three repetitions, is the one to quote from.</li>\n\
         <li>Only Linux is measured. Elsewhere memory, CPU time and OS threads show as n/a where \
         they cannot be had.</li>\n"
        .to_owned();
    let mut said: Vec<String> = Vec::new();
    for warning in documents.iter().flat_map(Warning::about) {
        let text = warning.to_string();
        // The size has its sentence above.
        if warning != Warning::QuickSize && !said.contains(&text) {
            let _ = writeln!(out, "<li>Of this run: {}.</li>", escape(&text));
            said.push(text);
        }
    }
    out.push_str("</ul>\n");
    if let Some(first) = documents.first() {
        let command = section::command("tour", &first.arguments);
        let _ = writeln!(
            out,
            "<p>To repeat it, in the folder of the project:</p>\n<pre><code>{command}</code></pre>"
        );
    }
    out.push_str("</section>\n");
    out
}
