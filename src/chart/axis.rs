//! An axis for plotters: linear or logarithmic, with ticks at round values of its unit.
//!
//! plotters has both kinds, but as two types, and its ticks are round in decimal only: 2 GiB is
//! not, and 20 labels on one axis overlap.

use crate::document::Column;
use crate::human;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;

/// What a number means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Nanoseconds,
    Bytes,
    Count,
}

impl Unit {
    pub fn of(column: &Column) -> Unit {
        match column {
            Column::Floor | Column::Wall | Column::Cpu | Column::Mark(..) => Unit::Nanoseconds,
            Column::PeakRss | Column::AnswerBytes(..) => Unit::Bytes,
            Column::OsThreads | Column::Answer(..) => Unit::Count,
        }
    }

    pub fn show(self, value: f64) -> String {
        match self {
            _ if value == 0.0 => "0".to_owned(),
            Unit::Nanoseconds => human::given(&human::duration_ns(value)),
            Unit::Bytes => human::given(&human::bytes(value)),
            Unit::Count => human::count(value.round() as u64),
        }
    }

    /// Round values, rung by rung; a larger stride leaves more of them out.
    fn rung(self, stride: usize, i: i32) -> f64 {
        match (self, stride) {
            (Unit::Bytes, _) => 2f64.powi(i * [1, 2, 5, 10, 20][stride.min(4)]),
            (_, 0) => [1.0, 2.0, 5.0][i.rem_euclid(3) as usize] * 10f64.powi(i.div_euclid(3)),
            _ => 10f64.powi(i * stride as i32),
        }
    }
}

/// Above this ratio of the largest to the smallest value, a linear scale would hide the small.
const LOG_ABOVE: f64 = 20.0;

/// More values than this are ticked at round ones.
const FEW: usize = 8;

/// One axis.
#[derive(Clone, Debug)]
pub struct Axis {
    pub low: f64,
    pub high: f64,
    pub log: bool,
    pub unit: Unit,
    pub ticks: Vec<f64>,
}

impl Axis {
    /// An axis that reaches from the smallest value to the largest, with at most `most` ticks
    /// (at least three). With `zero`, a linear one begins at zero, and a logarithmic one, which
    /// cannot, a little below the smallest value, so that its bar can be seen.
    pub fn new(values: &[f64], unit: Unit, zero: bool, most: usize) -> Axis {
        let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        let log = smallest > 0.0 && high > LOG_ABOVE * smallest;
        let low = match (log, zero) {
            (true, true) => smallest / 2.0,
            (false, true) => 0.0,
            (_, false) if smallest < high => smallest,
            // One value only, or none.
            (_, false) => 0.0,
        };
        let high = if high > low { high } else { low + 1.0 };
        let most = most.max(3);
        let ticks = match log {
            true => rungs(low, high, unit, most),
            false => multiples(low, high, unit, most),
        };
        Axis { low, high, log, unit, ticks }
    }

    /// Where a value lies between the ends, 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let scale = |v: f64| if self.log { v.ln() } else { v };
        (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low))
    }

    /// Puts the ticks at these values, where they are few, and leaves out those whose label
    /// would touch the one before on an axis of so many pixels.
    pub fn tick_at(&mut self, values: &[f64], pixels: u32, width: impl Fn(&str) -> u32) {
        if values.len() > FEW {
            return;
        }
        let mut end = f64::NEG_INFINITY;
        self.ticks.clear();
        for value in values {
            let at = self.place(*value) * f64::from(pixels);
            let half = f64::from(width(&self.unit.show(*value))) / 2.0;
            if at - half >= end + 8.0 {
                self.ticks.push(*value);
                end = at + half;
            }
        }
    }
}

/// Multiples of the smallest round step that gives no more than `most` of them.
fn multiples(low: f64, high: f64, unit: Unit, most: usize) -> Vec<f64> {
    let ends = |step: f64| ((low / step).ceil() as i64, (high / step).floor() as i64);
    let fits = |step: &f64| {
        let (from, to) = ends(*step);
        to - from < most as i64
    };
    // There is no half of a thing.
    let first = if unit == Unit::Nanoseconds { -9 } else { 0 };
    let step = (first..90).map(|i| unit.rung(0, i)).find(fits).unwrap_or(high);
    let (from, to) = ends(step);
    (from..=to).map(|i| i as f64 * step).collect()
}

/// Round values whose ratios are alike, no more than `most` of them.
fn rungs(low: f64, high: f64, unit: Unit, most: usize) -> Vec<f64> {
    let inside = |rung: &f64| (low..=high).contains(rung);
    let of = |stride| (-12..64).map(|i| unit.rung(stride, i)).filter(inside).collect::<Vec<_>>();
    (0..5).map(of).find(|rungs| rungs.len() <= most).unwrap_or_default()
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (self.place(*value) * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], unit: Unit) -> Vec<String> {
        let axis = Axis::new(values, unit, true, 7);
        axis.ticks.iter().map(|tick| unit.show(*tick)).collect()
    }

    #[test]
    fn a_small_range_is_linear_from_zero() {
        assert_eq!(
            labels(&[100e6, 1020e6], Unit::Nanoseconds),
            ["0", "200 ms", "400 ms", "600 ms", "800 ms", "1 s"]
        );
        assert_eq!(labels(&[0.0, 3.0], Unit::Count), ["0", "1", "2", "3"]);
    }

    #[test]
    fn a_large_range_is_logarithmic_and_holds_its_ends() {
        let axis = Axis::new(&[100e6, 50e9], Unit::Nanoseconds, true, 7);
        assert!(axis.log && axis.low < 100e6 && axis.high >= 50e9, "{axis:?}");
        assert_eq!(axis.ticks, [100e6, 1e9, 10e9]);
        // Zero has no logarithm.
        assert!(!Axis::new(&[0.0, 1e6], Unit::Count, true, 7).log);
    }

    #[test]
    fn bytes_are_ticked_in_powers_of_two() {
        assert_eq!(
            labels(&[300.0 * 1024.0, 9e6], Unit::Bytes),
            ["256 KiB", "512 KiB", "1 MiB", "2 MiB", "4 MiB", "8 MiB"]
        );
    }

    #[test]
    fn few_values_are_ticked_themselves_where_their_labels_do_not_touch() {
        let values = [200.0, 300.0, 1000.0];
        let mut axis = Axis::new(&values, Unit::Count, false, 7);
        axis.tick_at(&values, 800, |_| 30);
        assert_eq!(axis.ticks, values);
        // 300 is now 10 pixels from 200.
        axis.tick_at(&values, 80, |_| 30);
        assert_eq!(axis.ticks, [200.0, 1000.0]);
    }
}
