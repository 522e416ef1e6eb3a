//! Goes through a page: copies the prose, and makes anew or compares what stands behind a marker.

use super::{Failure, cells, shape, sources};
use std::fmt;
use std::path::Path;

/// What to do with what stands behind the markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Write it anew; `run`: the outputs of commands too; `all`: those never compared as well.
    Record { run: bool, all: bool },
    /// Compare it; `run`: the outputs of commands too.
    Check { run: bool },
}

/// A place where a page shows something else than it should.
#[derive(Debug)]
pub struct Finding {
    /// The page, relative to the checkout.
    pub page: String,
    /// The line in it, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.page, self.line, self.what)
    }
}

/// One page on its way through.
pub struct Page<'a> {
    root: &'a Path,
    name: &'a str,
    mode: Mode,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
    /// Markers seen.
    pub cells: usize,
    /// Markers that are never compared, with a reason.
    pub unchecked: usize,
}

/// How an output is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    Exact,
    Shape,
    None,
}

impl<'a> Page<'a> {
    /// A page by its name.
    pub fn new(root: &'a Path, name: &'a str, mode: Mode) -> Page<'a> {
        Page { root, name, mode, findings: Vec::new(), cells: 0, unchecked: 0 }
    }

    /// Returns the page as it should be; in check mode what differs is in `findings`.
    pub fn go_through(&mut self, text: &str) -> Result<String, Failure> {
        let lines: Vec<&str> = text.lines().collect();
        let mut out: Vec<String> = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            out.push(line.to_owned());
            at += 1;
            let Some(marker) = marker(line) else { continue };
            self.cells += 1;
            let line_number = at;
            let body = match marker.kind {
                "weft" | "weft-code" => fence(&lines, at),
                kind => region(&lines, at, kind),
            };
            let Some((begin, end)) = body else {
                let wanted = match marker.kind {
                    "weft" | "weft-code" => "a fence after it".to_owned(),
                    kind => format!("<!-- /{kind} --> after it"),
                };
                self.find(line_number, format!("the marker needs {wanted}"));
                continue;
            };
            let old = &lines[begin..end];
            out.extend(lines[at..begin].iter().map(ToString::to_string));
            match self.fresh(&marker, line_number, old, begin + 1)? {
                Some(fresh) => out.extend(fresh),
                None => out.extend(old.iter().map(ToString::to_string)),
            }
            at = end;
        }
        if self.name.starts_with("chapters/") {
            self.findings.extend(sources::headings(self.name, &lines));
        }
        Ok(out.join("\n") + "\n")
    }

    fn find(&mut self, line: usize, what: String) {
        self.findings.push(Finding { page: self.name.to_owned(), line, what });
    }

    /// What should stand behind a marker; nothing where it is to be left as it is.
    fn fresh(
        &mut self,
        marker: &Marker<'_>,
        at: usize,
        old: &[&str],
        first: usize,
    ) -> Result<Option<Vec<String>>, Failure> {
        let text = match marker.kind {
            "weft" => return self.output(marker, at, old, first),
            "weft-code" => sources::excerpt(self.root, marker.value),
            "weft-table" => sources::table(self.root, marker.value),
            "weft-chart" => {
                let write = matches!(self.mode, Mode::Record { .. });
                sources::chart(self.root, marker.value, write)
            }
            "weft-published" => sources::published(self.root, marker.value),
            "weft-index" => sources::index(self.root),
            kind => Err(format!("there is no marker '{kind}'")),
        };
        match text {
            Ok(text) => {
                let fresh: Vec<String> = text.lines().map(str::to_owned).collect();
                self.compare_exactly(marker, old, &fresh, first);
                Ok(Some(fresh))
            }
            Err(what) => {
                self.find(at, what);
                Ok(None)
            }
        }
    }

    fn compare_exactly(
        &mut self,
        marker: &Marker<'_>,
        old: &[&str],
        fresh: &[String],
        first: usize,
    ) {
        if matches!(self.mode, Mode::Record { .. }) {
            return;
        }
        if let Some(i) = shape::first_difference(old, fresh) {
            let shown = |line: Option<&str>| {
                line.map_or("nothing".to_owned(), |l| format!("'{}'", l.trim()))
            };
            let should = shown(fresh.get(i).map(String::as_str));
            let source = sources::place(self.root, marker.kind, marker.value, i);
            self.find(
                first + i,
                format!("shows {}, should show {should} ({source})", shown(old.get(i).copied())),
            );
        }
    }

    /// The output of a command, behind `<!-- weft: COMMAND | check=… -->`.
    fn output(
        &mut self,
        marker: &Marker<'_>,
        at: usize,
        old: &[&str],
        first: usize,
    ) -> Result<Option<Vec<String>>, Failure> {
        let (command, check) = match parse_command(marker.value) {
            Ok(parsed) => parsed,
            Err(what) => {
                self.find(at, what);
                return Ok(None);
            }
        };
        let run = match self.mode {
            // What is never compared is long, or needs more than a checkout: `--all` records it.
            Mode::Record { run, all } => run && (all || check != Check::None),
            Mode::Check { run } => run && check != Check::None,
        };
        self.unchecked += usize::from(check == Check::None);
        if !run {
            return Ok(None);
        }
        // Figures are rough at quick size, and a busy machine can turn a verdict: a difference
        // must show three times to count. A changed word shows every time.
        let mut difference = None;
        for attempt in 1..=3 {
            let output = match cells::run(self.root, command)? {
                Ok(output) => output,
                Err(how) => {
                    self.find(at, format!("the command failed, {how} ({command})"));
                    return Ok(None);
                }
            };
            let fresh = ["```text".to_owned()].into_iter().chain(output).chain(["```".to_owned()]);
            let fresh: Vec<String> = fresh.collect();
            difference = match (self.mode, check) {
                (Mode::Record { .. }, _) => return Ok(Some(fresh)),
                (_, Check::Exact) => shape::exact(old, &fresh),
                (_, _) => shape::shape(old, &fresh),
            };
            if difference.is_none() || check == Check::Exact {
                break;
            }
            if attempt < 3 {
                cells::note(&format!("{}:{at}: differs, once more", self.name));
            }
        }
        if let Some((line, what)) = difference {
            self.find(first + line, format!("{what} ({command})"));
        }
        Ok(None)
    }
}

/// A marker: `<!-- KIND: VALUE -->`.
struct Marker<'a> {
    kind: &'a str,
    value: &'a str,
}

fn marker(line: &str) -> Option<Marker<'_>> {
    let inner = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    let (kind, value) = inner.split_once(':').unwrap_or((inner, ""));
    kind.starts_with("weft").then(|| Marker { kind, value: value.trim() })
}

/// The lines of the fence that follows, its two fence lines included.
fn fence(lines: &[&str], from: usize) -> Option<(usize, usize)> {
    let begin = (from..lines.len()).find(|i| !lines[*i].trim().is_empty())?;
    if !lines[begin].starts_with("```") {
        return None;
    }
    let end = (begin + 1..lines.len()).find(|i| lines[*i].trim() == "```")?;
    Some((begin, end + 1))
}

/// The lines up to the closing marker, without it.
fn region(lines: &[&str], from: usize, kind: &str) -> Option<(usize, usize)> {
    let close = format!("<!-- /{kind} -->");
    let end = (from..lines.len()).find(|i| lines[*i].trim() == close)?;
    Some((from, end))
}

fn parse_command(value: &str) -> Result<(&str, Check), String> {
    let (command, how) =
        value.rsplit_once('|').ok_or("the marker needs | check=exact, shape or none")?;
    let how = how.trim();
    let check = match how.split_whitespace().next() {
        Some("check=exact") => Check::Exact,
        Some("check=shape") => Check::Shape,
        Some("check=none") if how.contains("why=") => Check::None,
        Some("check=none") => return Err("check=none needs why=\"…\"".to_owned()),
        _ => return Err(format!("check is exact, shape or none, not '{how}'")),
    };
    Ok((command.trim(), check))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        let root = crate::record::checkout();
        let mut page = Page::new(&root, "README.md", Mode::Check { run: false });
        page.go_through(text)
            .map(|_| page.findings.iter().map(Finding::to_string).collect())
            .unwrap_or_default()
    }

    #[test]
    fn a_marker_without_its_body_is_found_with_its_line() {
        let found = findings("a\n\n<!-- weft-table: x -->\n");
        assert_eq!(found, ["README.md:3: the marker needs <!-- /weft-table --> after it"]);
    }

    #[test]
    fn an_unknown_marker_and_an_unknown_check_are_found() {
        assert!(
            findings("<!-- weft-tabel: x -->\n<!-- /weft-tabel -->\n")[0]
                .contains("no marker 'weft-tabel'")
        );
        assert!(
            findings("<!-- weft: ls | check=some -->\n```text\n```\n")[0]
                .contains("exact, shape or none")
        );
        assert!(findings("<!-- weft: ls | check=none -->\n```text\n```\n")[0].contains("why="));
    }

    #[test]
    fn prose_is_copied_as_it_is() -> Result<(), String> {
        let root = crate::record::checkout();
        let mut page = Page::new(&root, "README.md", Mode::Record { run: false, all: false });
        let text = "# A\n\nprose <!-- not a marker -->\n\n```sh\nls\n```\n";
        assert_eq!(page.go_through(text).map_err(|f| format!("{f:?}"))?, text);
        Ok(())
    }
}
