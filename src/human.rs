//! Numbers as people write and read them: `10_000`, `1e6`, `250ms`; `10,000`, `1.02 s`, `447 B`.
//!
//! In every output a measured number carries its unit, and a number without one (a parameter,
//! a count that must be right) does not: the notebook's `check` rests on that.

/// A whole number: digits, `_` or `,` between them, or `1e6` / `2.5e3` where that is whole.
pub fn parse_count(text: &str) -> Option<u64> {
    let text = text.trim();
    if !text.starts_with(|c: char| c.is_ascii_digit()) || text.ends_with('_') {
        return None;
    }
    // A comma stands before three digits, or it may have been meant as a decimal point.
    let thousands = |group: &str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    if !text.split(',').skip(1).all(thousands) {
        return None;
    }
    let plain: String = text.chars().filter(|c| !matches!(c, '_' | ',')).collect();
    if plain.chars().all(|c| c.is_ascii_digit()) {
        return plain.parse().ok();
    }
    let (mantissa, exponent) = plain.split_once(['e', 'E'])?;
    let exponent: u32 = exponent.parse().ok().filter(|e| *e <= 18)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if !digits.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let shift = exponent.checked_sub(fraction.len() as u32)?;
    digits.parse::<u64>().ok()?.checked_mul(10u64.checked_pow(shift)?)
}

/// A duration with its unit, `250ms`, `1s`, `1.5s`, `20us`, `2m`; in nanoseconds.
pub fn parse_duration(text: &str) -> Option<u64> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_alphabetic() || c == 'µ')?;
    let (number, unit) = text.split_at(split);
    let number = number.trim().replace('_', "");
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let number: f64 = number.parse().ok()?;
    let factor = match unit {
        "ns" => 1.0,
        "us" | "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "m" | "min" => 60e9,
        _ => return None,
    };
    let ns = number * factor;
    (ns.is_finite() && ns < 1e18).then_some(ns.round() as u64)
}

/// `1234567` as `1,234,567`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A duration with three significant figures: `950 ns`, `12.4 µs`, `1.02 s`, `50.2 s`.
pub fn duration_ns(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns >= 999.5e6 => (ns / 1e9, "s"),
        ns if ns >= 999.5e3 => (ns / 1e6, "ms"),
        ns if ns >= 999.5 => (ns / 1e3, "µs"),
        _ => (ns, "ns"),
    };
    format!("{} {unit}", three_figures(value))
}

/// Bytes in binary units, three significant figures: `447 B`, `12.1 MiB`.
pub fn bytes(value: f64) -> String {
    let (value, unit) = match value {
        v if v >= 1023.5 * 1024.0 * 1024.0 => (v / (1024.0 * 1024.0 * 1024.0), "GiB"),
        v if v >= 1023.5 * 1024.0 => (v / (1024.0 * 1024.0), "MiB"),
        v if v >= 1023.5 => (v / 1024.0, "KiB"),
        v => (v, "B"),
    };
    format!("{} {unit}", three_figures(value))
}

/// A ratio: `49.3×`.
pub fn ratio(value: f64) -> String {
    format!("{} ×", three_figures(value))
}

/// A number that was given and not measured, without the zeros: `1 s` for `1.00 s`.
pub fn given(text: &str) -> String {
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let short = match number.split_once('.') {
        Some((whole, zeros)) if zeros.chars().all(|c| c == '0') => whole,
        _ => number,
    };
    format!("{short} {unit}").trim_end().to_owned()
}

fn three_figures(value: f64) -> String {
    match value.abs() {
        v if v >= 99.95 => format!("{value:.0}"),
        v if v >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_people_write_them() {
        for (text, value) in [
            ("0", 0),
            ("1_000_000", 1_000_000),
            ("1e6", 1_000_000),
            ("2.5e3", 2_500),
            ("7,000", 7_000),
        ] {
            assert_eq!(parse_count(text), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_whole_number_is_refused() {
        for text in [
            "",
            " ",
            "-1",
            "+1",
            "ten",
            "1.5",
            "1e",
            "2.55e1",
            "1e99",
            "_1",
            "1_",
            "1,5",
            "1,5e3",
            "1,0000",
            "99999999999999999999",
            "0x10",
            "١",
        ] {
            assert_eq!(parse_count(text), None, "{text}");
        }
    }

    #[test]
    fn durations_need_their_unit() {
        assert_eq!(parse_duration("250ms"), Some(250_000_000));
        assert_eq!(parse_duration("1.5 s"), Some(1_500_000_000));
        for text in ["", "250", "ms", "-1s", "1h", "1e400s", "nans", "infs", "1 s s"] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }

    #[test]
    fn figures_have_three_digits_and_a_unit() {
        assert_eq!(duration_ns(1_000_000_000.0), "1.00 s");
        assert_eq!(given(&duration_ns(1_000_000_000.0)), "1 s");
        assert_eq!(given(&duration_ns(1_500_000_000.0)), "1.50 s");
        assert_eq!(duration_ns(50_219_000_000.0), "50.2 s");
        assert_eq!(duration_ns(999_600.0), "1.00 ms");
        assert_eq!(bytes(447.0), "447 B");
        assert_eq!(bytes(4.45e9), "4.14 GiB");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(999), "999");
    }
}
