//! A chart of a document as SVG: bars for kinds of cases, lines where a parameter varies.
//!
//! The same document gives the same bytes, so that a chart in the repository can be checked
//! against the recorded data. A missing figure is left out and never drawn as zero.
//!
//! Left out: pictures of single samples and of their spread; three samples do not bear one, and
//! the JSON has them all.

mod axis;
mod bars;
mod colour;
mod frame;
mod lines;
#[cfg(test)]
pub(crate) mod tests;

use crate::document::{CaseResult, ChartSpec, Document, Status};

/// The ground on which a chart stands; the chart itself is transparent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark text, for a light ground.
    Light,
    /// Light text, for a dark ground.
    Dark,
    /// CSS variables in place of colours; [`css`] says which. For an SVG inside an HTML page.
    Page,
}

/// The width of a chart in pixels; the height follows from what is in it.
pub const WIDTH: u32 = 760;

/// The chart that `spec` describes, or nothing when no case of it has a figure.
///
/// # Errors
/// Only what the drawing library reports, which is a mistake in this module.
pub fn svg(document: &Document, spec: &ChartSpec, theme: Theme) -> anyhow::Result<Option<String>> {
    svg_of_width(document, spec, theme, WIDTH)
}

/// The same with another width, from about 320 pixels: for a phone, where a wide picture would
/// be scaled down until its text cannot be read.
///
/// # Errors
/// As for [`svg`].
pub fn svg_of_width(
    document: &Document,
    spec: &ChartSpec,
    theme: Theme,
    width: u32,
) -> anyhow::Result<Option<String>> {
    let drawn = match &spec.across {
        None => bars::draw(document, spec, width)?,
        Some(param) => lines::draw(document, spec, param, width)?,
    };
    Ok(drawn.map(|svg| colour::finish(&svg, &spec.title, theme)))
}

/// The CSS declarations that [`Theme::Page`] needs, for a light and for a dark ground.
pub fn css() -> [String; 2] {
    colour::css()
}

/// Text for XML and HTML, in elements and in attributes. Control characters, which XML does not
/// allow, are dropped: an error message of a child may hold any.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() && c != '\n' => {}
            c => out.push(c),
        }
    }
    out
}

/// The figure to draw. What failed has none, whatever was measured before it failed.
fn figure(spec: &ChartSpec, case: &CaseResult) -> Option<f64> {
    let drawable = matches!(case.status, Status::Ok | Status::Limit);
    let value = spec.figure.number(case).filter(|_| drawable)?;
    (value.is_finite() && value >= 0.0).then_some(value)
}

/// The cases of the chart, a group for each kind, in the order of the runtimes.
fn groups<'a>(document: &'a Document, spec: &ChartSpec) -> Vec<Vec<&'a CaseResult>> {
    let order = document.runtimes();
    let place = |case: &CaseResult| order.iter().position(|r| r.name() == case.runtime);
    let of_kind = |kind: &String| {
        let mut cases: Vec<_> = document.cases.iter().filter(|c| c.kind() == kind).collect();
        cases.sort_by_key(|case| place(case));
        cases
    };
    spec.kinds.iter().map(of_kind).filter(|cases| !cases.is_empty()).collect()
}
