//! Horizontal bars: a group for each kind of case, a bar for each runtime. The name stands at
//! the bar, so that nobody needs to match colours with a legend.

use super::axis::{Axis, Unit};
use super::colour::{GRID, INK, MUTED, of_runtime};
use super::frame::{self, Frame, Key};
use crate::document::{CaseResult, ChartSpec, Column, Document, Status};
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

const HEADING: i32 = 22;
const ROW: i32 = 20;
const BAR: i32 = 14;
const GAP: i32 = 10;
const AXIS: i32 = 28;

/// A line of the picture and its upper edge.
enum Line<'a> {
    Heading(String),
    Row(&'a CaseResult),
}

/// The chart, or nothing without a figure.
pub fn draw(document: &Document, spec: &ChartSpec, width: u32) -> Result<Option<String>> {
    let groups = super::groups(document, spec);
    let cases: Vec<&CaseResult> = groups.iter().flatten().copied().collect();
    let mut values: Vec<f64> = cases.iter().filter_map(|c| super::figure(spec, c)).collect();
    if values.is_empty() {
        return Ok(None);
    }
    let floors: Vec<f64> = cases.iter().filter_map(|case| floor(spec, case)).collect();
    values.extend(&floors);
    let widest = |texts: &mut dyn Iterator<Item = String>| {
        texts.map(|text| frame::width_of(&text)).max().unwrap_or(0) + 12
    };
    let left = widest(&mut cases.iter().map(|case| case.runtime.clone()));
    let right = widest(&mut cases.iter().map(|case| value(spec, case)));
    let across = width.saturating_sub(left + right).max(60);
    let axis = Axis::new(&values, Unit::of(&spec.figure), true, across as usize / 65);
    let (lines, height) = layout(&groups, width);

    let key = (!floors.is_empty()).then_some(Key::Tick("floor: waves × wait"));
    let label = frame::words(&spec.figure, axis.log);
    let frame = Frame::new(document, &spec.title, &label, key.into_iter().collect(), width);
    let drawn = frame.draw((height + AXIS) as u32, |sheet, area| {
        let mut chart = ChartBuilder::on(area)
            .set_label_area_size(LabelAreaPosition::Left, left)
            .set_label_area_size(LabelAreaPosition::Bottom, AXIS)
            .margin_right(right)
            .build_cartesian_2d(axis.clone(), height..0)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .disable_y_axis()
            .y_labels(0)
            .axis_style(GRID)
            .x_label_style(frame::small(MUTED, HPos::Center))
            .x_label_formatter(&|tick| axis.unit.show(*tick))
            .draw()?;
        for (y, line) in &lines {
            let at = |value: f64, down: i32| chart.backend_coord(&(value, y + down));
            match line {
                Line::Heading(text) => {
                    let at = (0, at(axis.low, HEADING / 2).1);
                    sheet.draw_text(text, &frame::bold(INK, HPos::Left), at)?;
                }
                Line::Row(case) => {
                    let start = at(axis.low, ROW / 2);
                    let name = (start.0 - 8, start.1);
                    sheet.draw_text(&case.runtime, &frame::text(INK, HPos::Right), name)?;
                    let mut end = start.0;
                    if let Some(figure) = super::figure(spec, case) {
                        end = at(figure, 0).0;
                        let corners = [(start.0, start.1 - BAR / 2), (end, start.1 + BAR / 2)];
                        let fill = of_runtime(&case.runtime).filled();
                        sheet.draw(&Rectangle::new(corners, fill))?;
                    }
                    if let Some(floor) = floor(spec, case) {
                        let line = vec![at(floor, 0), at(floor, ROW)];
                        end = end.max(line[0].0);
                        sheet.draw(&PathElement::new(line, INK.stroke_width(2)))?;
                    }
                    let style = frame::text(INK, HPos::Left);
                    sheet.draw_text(&value(spec, case), &style, (end + 7, start.1))?;
                }
            }
        }
        Ok(())
    })?;
    Ok(Some(drawn))
}

/// The floor, where the figure is a time that it bounds and there is a bar to compare.
fn floor(spec: &ChartSpec, case: &CaseResult) -> Option<f64> {
    super::figure(spec, case)?;
    Column::Floor.number(case).filter(|_| spec.figure == Column::Wall)
}

/// The figure as the table shows it, or why there is none.
fn value(spec: &ChartSpec, case: &CaseResult) -> String {
    let cell = spec.figure.cell(case);
    match case.status {
        Status::Ok | Status::Skipped => cell,
        Status::Failed => "FAILED".to_owned(),
        Status::Timeout => "TIMEOUT".to_owned(),
        Status::Limit => format!("{cell} limit"),
    }
}

/// Every line with its upper edge, and the height of all.
fn layout<'a>(groups: &[Vec<&'a CaseResult>], width: u32) -> (Vec<(i32, Line<'a>)>, i32) {
    let mut lines = Vec::new();
    let mut y = 0;
    for group in groups {
        for text in frame::wrapped(&group[0].name, width - width / 10) {
            lines.push((y, Line::Heading(text)));
            y += HEADING;
        }
        for case in group {
            lines.push((y, Line::Row(case)));
            y += ROW;
        }
        y += GAP;
    }
    (lines, y)
}
