//! Colours. A chart is drawn in marker colours that nothing else has, and each is replaced at
//! the end: by the theme's own colour, or by a CSS variable that the page sets.

use super::frame::FONT;
use super::{Theme, escape};
use plotters::style::RGBColor;
use std::fmt::Write;

pub const INK: RGBColor = RGBColor(1, 0, 0);
pub const MUTED: RGBColor = RGBColor(2, 0, 0);
pub const GRID: RGBColor = RGBColor(3, 0, 0);
/// The line of the floor, which is dashed.
pub const DASHED: RGBColor = RGBColor(4, 0, 0);

/// Marker, name of the variable, colour on a light ground, colour on a dark one.
///
/// The runtimes have the same colour on both. The five were searched for so that each has a
/// contrast of at least 3 : 1 on white and on #161a1f, and so that any two are as far apart as
/// possible under normal sight and under the three kinds of colour blindness.
pub const TABLE: [(RGBColor, &str, &str, &str); 9] = [
    (INK, "ink", "#1f2328", "#e6e9ee"),
    (MUTED, "muted", "#59606a", "#9aa3ae"),
    (GRID, "grid", "#d5dade", "#3a424c"),
    (DASHED, "ink", "#1f2328", "#e6e9ee"),
    (RGBColor(5, 0, 0), "threads", "#95909a", "#95909a"),
    (RGBColor(6, 0, 0), "tokio", "#4b81fa", "#4b81fa"),
    (RGBColor(7, 0, 0), "async-std", "#ce8023", "#ce8023"),
    (RGBColor(8, 0, 0), "smol", "#377351", "#377351"),
    (RGBColor(9, 0, 0), "may", "#8651aa", "#8651aa"),
];

/// The marker of a runtime.
pub fn of_runtime(name: &str) -> RGBColor {
    TABLE[4..].iter().find(|colour| colour.1 == name).map_or(MUTED, |colour| colour.0)
}

/// Declarations for a light and for a dark ground.
pub fn css() -> [String; 2] {
    let mut both = [String::new(), String::new()];
    for (marker, name, light, dark) in TABLE {
        // Dashes are drawn in ink, which is there already.
        if marker != DASHED {
            let _ = write!(both[0], "--weft-{name}:{light};");
            let _ = write!(both[1], "--weft-{name}:{dark};");
        }
    }
    both
}

/// Puts the theme's colours in, and what plotters leaves out: a role and a title for those who
/// hear the page. What every element repeats is said once, at the root.
pub fn finish(svg: &str, title: &str, theme: Theme) -> String {
    let family = format!(" font-family=\"{FONT}\"");
    let mut out = String::with_capacity(svg.len());
    for line in svg.lines() {
        let line = line.replace(&family, "").replace(" opacity=\"1\"", "");
        match line.strip_prefix("<svg ") {
            Some(rest) => {
                let _ = write!(out, "<svg role=\"img\"{family} {rest}");
                let _ = write!(out, "<title>{}</title>", escape(title));
            }
            None => out.push_str(&line),
        }
        // A text stands on lines of its own; put together, it has no space around it.
        if !line.starts_with("<text ") && line.starts_with('<') {
            out.push('\n');
        }
    }
    for (marker, name, light, dark) in TABLE {
        let value = match theme {
            Theme::Light => light.to_owned(),
            Theme::Dark => dark.to_owned(),
            Theme::Page => format!("var(--weft-{name})"),
        };
        let dashes = if marker == DASHED { " stroke-dasharray=\"6 4\"" } else { "" };
        // With its quotes this can only be an attribute: in a text they are escaped.
        let RGBColor(r, g, b) = marker;
        let marker = format!("=\"#{r:02X}{g:02X}{b:02X}\"");
        out = out.replace(&marker, &format!("=\"{value}\"{dashes}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, WCAG 2.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = u8::from_str_radix(&colour[at..at + 2], 16).map_or(0.0, f64::from) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_runtime_has_a_colour_that_can_be_seen_on_both_grounds() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 0.01);
        for runtime in crate::Runtime::ALL {
            let marker = of_runtime(runtime.name());
            let row = TABLE.iter().find(|row| row.0 == marker && row.0 != MUTED);
            let (_, name, light, dark) = row.expect("a colour of its own");
            assert!(contrast(light, "#ffffff") >= 3.0, "{name} on light");
            assert!(contrast(dark, "#161a1f") >= 3.0, "{name} on dark");
        }
    }

    #[test]
    fn text_can_be_read_on_its_ground() {
        for (_, name, light, dark) in &TABLE[..2] {
            assert!(contrast(light, "#ffffff") >= 4.5, "{name} on light");
            assert!(contrast(dark, "#161a1f") >= 4.5, "{name} on dark");
        }
    }
}
