//! Lines: a figure against a parameter of the cases, a line with points for each runtime, and a
//! dashed one for the floor. Points differ in shape as well as in colour.

use super::axis::{Axis, Unit};
use super::colour::{DASHED, GRID, MUTED, of_runtime};
use super::frame::{self, Area, Frame, Key};
use crate::document::{CaseResult, ChartSpec, Column, Document, Status};
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

const BELOW: u32 = 28;
/// Room at the right for half of the last label below the axis.
const RIGHT: u32 = 34;

/// The points of one runtime, by the parameter.
struct Series {
    name: &'static str,
    points: Vec<(f64, f64)>,
}

/// The chart, or nothing without a figure.
pub fn draw(
    document: &Document,
    spec: &ChartSpec,
    param: &str,
    width: u32,
) -> Result<Option<String>> {
    let groups = super::groups(document, spec);
    let cases: Vec<&CaseResult> = groups.into_iter().flatten().collect();
    let across = Across::of(param, &cases);
    let series: Vec<Series> = document
        .runtimes()
        .into_iter()
        .filter(|runtime| cases.iter().any(|case| case.runtime == runtime.name()))
        .map(|runtime| {
            // A case that a limit cut short does not belong where its parameter says.
            let whole = |case: &&&CaseResult| case.status != Status::Limit;
            let own = cases.iter().filter(|case| case.runtime == runtime.name()).filter(whole);
            let point =
                |case: &&CaseResult| Some((across.value(case)?, super::figure(spec, case)?));
            Series { name: runtime.name(), points: sorted(own.filter_map(point).collect()) }
        })
        .collect();
    let all: Vec<(f64, f64)> = series.iter().flat_map(|series| series.points.clone()).collect();
    if all.is_empty() {
        return Ok(None);
    }
    let floors = floors(&cases, spec, &across);
    let ys: Vec<f64> = all.iter().chain(&floors).map(|point| point.1).collect();
    let mut xs: Vec<f64> = all.iter().map(|point| point.0).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();

    let high = if width < 500 { 240 } else { 320 };
    let y_axis = Axis::new(&ys, Unit::of(&spec.figure), true, high as usize / 40);
    let labels = y_axis.ticks.iter().map(|tick| frame::width_of(&y_axis.unit.show(*tick)));
    let left = labels.max().unwrap_or(0) + 12;
    let wide = width.saturating_sub(left + RIGHT).max(60);
    let mut x_axis = Axis::new(&xs, across.unit, false, wide as usize / 65);
    x_axis.tick_at(&xs, wide, frame::width_of);

    let more = |series: &Series| if series.points.is_empty() { " —" } else { "" };
    let mut keys: Vec<Key> = series.iter().map(|s| Key::Runtime(s.name, more(s))).collect();
    if floors.len() > 1 {
        keys.push(Key::Dashes("floor: waves × wait"));
    }
    let label = frame::words(&spec.figure, y_axis.log);
    let frame = Frame::new(document, &spec.title, &label, keys, width);
    let drawn = frame.draw(high + 2 * BELOW, |sheet, area| {
        let mut chart = ChartBuilder::on(area)
            .margin_top(6)
            .margin_right(RIGHT)
            .margin_bottom(BELOW)
            .set_label_area_size(LabelAreaPosition::Left, left)
            .set_label_area_size(LabelAreaPosition::Bottom, BELOW)
            .build_cartesian_2d(x_axis.clone(), y_axis.clone())?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(GRID)
            .label_style(frame::small(MUTED, HPos::Center))
            .x_label_formatter(&|tick| x_axis.unit.show(*tick))
            .y_label_formatter(&|tick| y_axis.unit.show(*tick))
            .draw()?;
        chart.draw_series(LineSeries::new(floors, DASHED.stroke_width(2)))?;
        for Series { name, points } in &series {
            let style = of_runtime(name).stroke_width(2);
            chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
        }
        for Series { name, points } in &series {
            for value in points {
                point(sheet, name, chart.backend_coord(value))?;
            }
        }
        let (x, y) = chart.backend_coord(&(x_axis.high, y_axis.low));
        let (x, y) = (x - wide as i32 / 2, y + BELOW as i32 * 3 / 2);
        let log = if x_axis.log { " · logarithmic scale" } else { "" };
        sheet.draw_text(
            &format!("{}{log}", across.words),
            &frame::text(MUTED, HPos::Center),
            (x, y),
        )?;
        Ok(())
    })?;
    Ok(Some(drawn))
}

/// The parameter on the horizontal axis.
struct Across {
    key: String,
    unit: Unit,
    factor: f64,
    words: String,
}

impl Across {
    /// The document keeps a wait as a number of milliseconds, under `wait_ms`.
    fn of(param: &str, cases: &[&CaseResult]) -> Across {
        let plain = cases.iter().any(|case| case.params.contains_key(param));
        let key = if plain { param.to_owned() } else { format!("{param}_ms") };
        let (words, unit, factor) = match (key.strip_suffix("_ms"), key.strip_suffix("_bytes")) {
            (Some(name), _) => (name, Unit::Nanoseconds, 1e6),
            (_, Some(name)) => (name, Unit::Bytes, 1.0),
            _ => (key.as_str(), Unit::Count, 1.0),
        };
        Across { words: words.replace('_', " "), unit, factor, key }
    }

    fn value(&self, case: &CaseResult) -> Option<f64> {
        Some(case.params.get(&self.key)?.as_f64()? * self.factor)
    }
}

fn sorted(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// The floor at each value of the parameter, where the figure is a time that it bounds.
fn floors(cases: &[&CaseResult], spec: &ChartSpec, across: &Across) -> Vec<(f64, f64)> {
    let drawn = |case: &&&CaseResult| super::figure(spec, case).is_some();
    let point = |case: &&CaseResult| Some((across.value(case)?, Column::Floor.number(case)?));
    let mut points = match spec.figure {
        Column::Wall => sorted(cases.iter().filter(drawn).filter_map(point).collect()),
        _ => Vec::new(),
    };
    points.dedup();
    points
}

/// The mark of a runtime, round a point of the sheet. The marks become smaller in the order in
/// which they are drawn: where several runtimes have the same figure, none hides another.
pub fn point(sheet: &Area<'_>, runtime: &str, (x, y): (i32, i32)) -> Result<()> {
    let fill = of_runtime(runtime).filled();
    let corners: &[(i32, i32)] = match runtime {
        "threads" => &[(-7, -7), (7, -7), (7, 7), (-7, 7)],
        "async-std" => &[(0, -7), (6, 5), (-6, 5)],
        "smol" => &[(0, -5), (5, 0), (0, 5), (-5, 0)],
        "may" => &[(0, 4), (4, -3), (-4, -3)],
        _ => {
            sheet.draw(&Circle::new((x, y), 6, fill))?;
            return Ok(());
        }
    };
    let placed: Vec<(i32, i32)> = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    sheet.draw(&Polygon::new(placed, fill))?;
    Ok(())
}
