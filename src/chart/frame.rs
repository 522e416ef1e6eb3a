//! What stands around a drawing: title, label and legend above it, the caption below. All of it
//! is broken into lines first, since an SVG must know its height before anything is drawn.

use super::colour::{DASHED, INK, MUTED, of_runtime};
use crate::document::{Column, Document};
use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A drawing area in pixels.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The reader's own: an SVG that is shown as a picture cannot load one. Without quotes, which
/// plotters would write as entities.
pub const FONT: &str = "system-ui, sans-serif";
const TITLE: f64 = 16.0;
const TEXT: f64 = 14.0;
const SMALL: f64 = 12.5;
const LINE: i32 = 20;
const GAP: i32 = 10;

/// A line of text, placed by its middle and by its left end, its right end or its middle.
pub fn text(colour: RGBColor, across: HPos) -> TextStyle<'static> {
    styled(TEXT, FontStyle::Normal, colour, across)
}

/// The same, smaller: ticks and the caption.
pub fn small(colour: RGBColor, across: HPos) -> TextStyle<'static> {
    styled(SMALL, FontStyle::Normal, colour, across)
}

/// The same, bold: the heading of a group.
pub fn bold(colour: RGBColor, across: HPos) -> TextStyle<'static> {
    styled(TEXT, FontStyle::Bold, colour, across)
}

fn styled(size: f64, weight: FontStyle, colour: RGBColor, across: HPos) -> TextStyle<'static> {
    // The SVG back end divides by this number before it writes the size.
    let font = (FONT, size * 1.24, weight).into_font();
    let mut style = TextStyle::from(font).pos(Pos::new(across, VPos::Center));
    // `color` would borrow its argument for as long as the style lives.
    style.color = colour.to_backend_color();
    style
}

/// About how wide a text is, in pixels: as wide as in a wide font, since the reader's is not known.
pub fn width_of(text: &str) -> u32 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | ' ' | '.' | ',' | ':' | '·' | '(' | ')' | '\'' => 0.4,
        'm' | 'w' | 'M' | 'W' | '—' => 0.95,
        c if c.is_uppercase() => 0.72,
        _ => 0.63,
    };
    (text.chars().map(em).sum::<f64>() * TEXT).ceil() as u32
}

/// Breaks a text at spaces into lines that are not wider than so many pixels.
pub fn wrapped(text: &str, width: u32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_of(line) + width_of(word) + 6 <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// One entry of the legend: its sign and its words.
pub enum Key {
    /// The upright line of the floor, among bars.
    Tick(&'static str),
    /// The dashed line of the floor, among lines.
    Dashes(&'static str),
    /// The line and the point of a runtime; what to add to its name.
    Runtime(&'static str, &'static str),
}

impl Key {
    fn words(&self) -> String {
        match self {
            Key::Tick(words) | Key::Dashes(words) => (*words).to_owned(),
            Key::Runtime(name, more) => format!("{name}{more}"),
        }
    }

    fn sign(&self, area: &Area<'_>, (x, y): (i32, i32)) -> Result<()> {
        let line = |from, to, style: ShapeStyle| PathElement::new(vec![from, to], style);
        match self {
            Key::Tick(_) => {
                area.draw(&line((x + 12, y - 7), (x + 12, y + 7), INK.stroke_width(2)))?
            }
            Key::Dashes(_) => area.draw(&line((x, y), (x + 24, y), DASHED.stroke_width(2)))?,
            Key::Runtime(name, _) => {
                let colour = of_runtime(name);
                area.draw(&line((x, y), (x + 24, y), colour.stroke_width(2)))?;
                super::lines::point(area, name, (x + 12, y))?;
            }
        }
        Ok(())
    }
}

/// The frame of one chart.
pub struct Frame {
    width: u32,
    title: Vec<String>,
    label: Vec<String>,
    legend: Vec<Vec<(i32, Key)>>,
    caption: Vec<String>,
}

impl Frame {
    /// Title and caption come from the document; `label` says what the figure is.
    pub fn new(document: &Document, title: &str, label: &str, keys: Vec<Key>, width: u32) -> Frame {
        Frame {
            width,
            // The title is larger than what `width_of` measures, and bold.
            title: wrapped(title, (f64::from(width) * TEXT / TITLE / 1.1) as u32),
            label: wrapped(label, width),
            legend: flow(keys, width as i32),
            caption: wrapped(&caption(document), width),
        }
    }

    fn top(&self) -> i32 {
        let lines = self.title.len() + self.label.len() + self.legend.len();
        lines as i32 * LINE + GAP
    }

    /// The whole chart; `body` draws on the area, which is `height` pixels high. It is given the
    /// whole sheet too, on which coordinates are those of plotters' `backend_coord`.
    pub fn draw(
        &self,
        height: u32,
        body: impl FnOnce(&Area<'_>, &Area<'_>) -> Result<()>,
    ) -> Result<String> {
        let bottom = self.top() + height as i32 + GAP;
        let whole = bottom + self.caption.len() as i32 * LINE;
        let mut out = String::new();
        {
            let back = SVGBackend::with_string(&mut out, (self.width, whole as u32));
            let sheet = back.into_drawing_area();
            let mut y = LINE / 2;
            for line in &self.title {
                sheet.draw_text(line, &styled(TITLE, FontStyle::Bold, INK, HPos::Left), (0, y))?;
                y += LINE;
            }
            for line in &self.label {
                sheet.draw_text(line, &text(MUTED, HPos::Left), (0, y))?;
                y += LINE;
            }
            for row in &self.legend {
                for (x, key) in row {
                    key.sign(&sheet, (*x, y))?;
                    sheet.draw_text(&key.words(), &text(INK, HPos::Left), (x + 32, y))?;
                }
                y += LINE;
            }
            body(&sheet, &sheet.clone().shrink((0, self.top()), (self.width, height)))?;
            for (i, line) in (0..).zip(&self.caption) {
                let at = (0, bottom + LINE / 2 + i * LINE);
                sheet.draw_text(line, &small(MUTED, HPos::Left), at)?;
            }
            sheet.present()?;
        }
        Ok(out)
    }
}

/// Sets the keys side by side, in as many rows as they need.
fn flow(keys: Vec<Key>, width: i32) -> Vec<Vec<(i32, Key)>> {
    let mut rows: Vec<Vec<(i32, Key)>> = Vec::new();
    let mut x = 0;
    for key in keys {
        let wide = 32 + width_of(&key.words()) as i32 + 2 * GAP;
        match rows.last_mut() {
            Some(row) if x + wide - 2 * GAP <= width => row.push((x, key)),
            _ => {
                x = 0;
                rows.push(vec![(0, key)]);
            }
        }
        x += wide;
    }
    rows
}

/// `linux · 2 CPUs · default size · n = 3`.
fn caption(document: &Document) -> String {
    let machine = &document.machine;
    let size = document.size.name();
    let cpus = if machine.cpus == 1 { "CPU" } else { "CPUs" };
    let partial = if document.complete { "" } else { " · partial" };
    let n = document.reps;
    format!("{} · {} {cpus} · {size} size · n = {n}{partial}", machine.os, machine.cpus)
}

/// What a figure is, in words: the headings of a table are too short for that.
pub fn words(figure: &Column, log: bool) -> String {
    let what = match figure {
        Column::Floor => "floor: waves × wait",
        Column::Wall => "wall-clock time",
        Column::Cpu => "CPU time, user and system",
        Column::PeakRss => "peak resident memory",
        Column::OsThreads => "OS threads, most at once",
        Column::Answer(heading, _) | Column::AnswerBytes(heading, _) | Column::Mark(heading, _) => {
            heading
        }
    };
    format!("{what}{}", if log { " · logarithmic scale" } else { "" })
}
