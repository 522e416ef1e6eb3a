//! Tests of whole charts, and the document that they and the report's tests are made from.

use super::*;
use crate::Runtime;
use serde_json::json;

/// Two kinds on five runtimes: `tokio-few` takes 20 ms and so on. may has no `many`.
pub(crate) fn document() -> Document {
    let mut cases = Vec::new();
    for (kind, tasks) in [("few", 10), ("many", 1000)] {
        for (i, runtime) in (1..).zip(Runtime::ALL) {
            let runs = (kind, runtime) != ("many", Runtime::May);
            let sample = json!({
                "wall_ns": 10_000_000u64 * i * tasks / 10, "cpu_ns": null,
                "peak_rss_bytes": 1_000_000 * i, "rss_before_bytes": null,
                "peak_os_threads": 3, "context_switches": null, "marks": {},
                "os_threads_over_time": [], "answer": {"finished": tasks},
            });
            cases.push(json!({
                "id": format!("{}-{kind}", runtime.name()), "name": format!("{kind} <tasks> & \"more\""),
                "runtime": runtime.name(), "params": {"tasks": tasks, "wait_ms": 5},
                "floor_ns": 5_000_000, "varies": false, "reason": (!runs).then_some("no <such> thing"),
                "status": if runs { "ok" } else { "skipped" }, "ended": runs.then_some("finish"),
                "samples": if runs { vec![sample] } else { vec![] },
            }));
        }
    }
    let spec = |id: &str, across: Option<&str>| {
        json!({
            "id": id, "title": "Wall <clock> & \"time\"", "kinds": ["few", "many"],
            "figure": "wall", "across": across,
        })
    };
    let document = json!({
        "schema": 1, "experiment": "99-test", "question": "Is <b> & \"c\" escaped?",
        "complete": true, "date": "2026-12-01T00:00:00Z", "arguments": ["--case", "it's"],
        "size": "default", "reps": 1,
        "machine": {
            "os": "linux", "arch": "x86_64", "kernel": "6", "cpu": "", "cpus": 2,
            "memory_bytes": null, "load": null, "limits": {}, "rustc": "1", "profile": "dev",
            "debug_assertions": false, "versions": {},
        },
        "params": {"tasks": 10}, "layout": "rows", "columns": ["wall", "peak_rss"],
        "charts": [spec("bars", None), spec("lines", Some("tasks"))], "cases": cases,
        "claims": [
            {"id": "a", "text": "A < B.", "verdict": "holds", "expected": "1", "measured": "2"},
            {"id": "b", "text": "B.", "verdict": "fails", "expected": "1", "measured": "2"},
            {"id": "c", "text": "C.", "verdict": "not_applicable", "expected": "more", "measured": ""},
        ],
    });
    serde_json::from_value(document).expect("the document's own format")
}

fn drawn(document: &Document, chart: usize, theme: Theme, width: u32) -> String {
    let svg = svg_of_width(document, &document.charts[chart], theme, width);
    svg.expect("no error").expect("something to draw")
}

/// Every chart of the document in every theme, at both widths.
fn all(document: &Document) -> Vec<(u32, String)> {
    let mut out = Vec::new();
    for chart in 0..document.charts.len() {
        for theme in [Theme::Light, Theme::Dark, Theme::Page] {
            out.extend([WIDTH, 360].map(|width| (width, drawn(document, chart, theme, width))));
        }
    }
    out
}

/// The value of an attribute in a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> &'a str {
    let start = tag.split_once(&format!(" {name}=\"")).map_or("", |(_, rest)| rest);
    start.split('"').next().unwrap_or_default()
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    assert_eq!(all(&document()), all(&document()));
}

#[test]
fn every_tag_is_closed_and_the_root_says_what_it_is() {
    for (width, svg) in all(&document()) {
        let root = svg.split('>').next().unwrap_or_default();
        assert_eq!(attribute(root, "role"), "img");
        assert!(attribute(root, "viewBox").starts_with(&format!("0 0 {width} ")), "{root}");
        assert!(svg.contains("><title>Wall &lt;clock&gt; &amp; &quot;time&quot;</title>"), "{svg}");
        let mut open: Vec<&str> = Vec::new();
        for tag in svg.split('<').skip(1) {
            let (tag, text) = tag.split_once('>').expect("a tag has an end");
            assert!(!text.contains('&') || text.contains(';'), "{text}");
            match (tag.strip_prefix('/'), tag.ends_with('/')) {
                (Some(name), _) => assert_eq!(open.pop(), Some(name)),
                (None, true) => {}
                (None, false) => open.push(tag.split(' ').next().unwrap_or_default()),
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }
}

#[test]
fn text_is_escaped() {
    for (_, svg) in all(&document()) {
        assert!(!svg.contains("<clock>") && !svg.contains("<tasks>"), "{svg}");
        assert!(!svg.contains(" & "), "{svg}");
    }
    assert_eq!(escape("<a href='\"'>&\u{1b}[31m"), "&lt;a href=&#39;&quot;&#39;&gt;&amp;[31m");
}

#[test]
fn a_missing_figure_is_left_out_and_says_so() {
    let mut document = document();
    let bars = |document: &Document| drawn(document, 0, Theme::Light, WIDTH);
    assert_eq!(bars(&document).matches("<rect").count(), 9);
    assert_eq!(bars(&document).matches(">—<").count(), 1);
    // What failed is not drawn either, whatever it measured before.
    document.cases[0].status = Status::Failed;
    assert_eq!(bars(&document).matches("<rect").count(), 8);
    assert_eq!(bars(&document).matches(">FAILED<").count(), 1);

    let points = drawn(&document, 1, Theme::Light, WIDTH);
    // tokio's are round: one in the legend and two in the drawing.
    assert_eq!(points.matches("<circle").count(), 3);
    document.cases[6].samples.clear();
    let points = drawn(&document, 1, Theme::Light, WIDTH);
    assert_eq!(points.matches("<circle").count(), 2);
}

#[test]
fn nothing_to_draw_gives_nothing() {
    let mut document = document();
    for case in &mut document.cases {
        case.samples.clear();
    }
    for spec in &document.charts {
        assert!(svg(&document, spec, Theme::Light).expect("no error").is_none());
    }
}

#[test]
fn a_page_sets_every_colour_itself() {
    let document = document();
    for chart in 0..2 {
        let page = drawn(&document, chart, Theme::Page, WIDTH);
        assert!(!page.contains("\"#") && !page.contains("rgb"), "{page}");
        let [light, dark] = css();
        for used in page.split("var(").skip(1).filter_map(|rest| rest.split(')').next()) {
            let declared = format!("{used}:#");
            assert!(light.contains(&declared) && dark.contains(&declared), "{used}");
        }
        // A marker that no theme replaces would be nearly black.
        let fixed = drawn(&document, chart, Theme::Dark, WIDTH);
        assert!(fixed.contains("\"#") && !fixed.contains("0000\""), "{fixed}");
    }
}

#[test]
fn a_large_range_is_drawn_to_a_logarithmic_scale_and_says_so() {
    let mut document = document();
    assert!(drawn(&document, 0, Theme::Light, WIDTH).contains("logarithmic"));
    document.charts[0].kinds.truncate(1);
    assert!(!drawn(&document, 0, Theme::Light, WIDTH).contains("logarithmic"));
}

#[test]
fn the_floor_is_drawn_where_it_bounds_the_figure_only() {
    let mut document = document();
    let floors = |document: &Document| {
        let dashed = drawn(document, 1, Theme::Light, WIDTH).matches("dasharray").count();
        let words = drawn(document, 0, Theme::Light, WIDTH).matches("floor").count();
        (words, dashed)
    };
    // The dashes stand in the legend too.
    assert_eq!(floors(&document), (1, 2));
    for spec in &mut document.charts {
        spec.figure = crate::Column::PeakRss;
    }
    assert_eq!(floors(&document), (0, 0));
}

/// Left, right, upper and lower edge of every text, as wide as in a wide font.
fn boxes(svg: &str) -> Vec<([f64; 4], String)> {
    let of = |text: &str| {
        let (tag, rest) = text.split_once('>')?;
        let words = rest.split('<').next()?.replace("&lt;", "<").replace("&gt;", ">");
        let number = |name| attribute(tag, name).parse::<f64>().ok();
        let (x, y, size) = (number("x")?, number("y")?, number("font-size")?);
        let wide = f64::from(frame::width_of(&words.replace("&quot;", "\""))) * size / 14.0;
        let left = match attribute(tag, "text-anchor") {
            "end" => x - wide,
            "middle" => x - wide / 2.0,
            _ => x,
        };
        let middle = if attribute(tag, "dy") == "0.76em" { y + 0.4 * size } else { y };
        let half = size / 2.0;
        Some(([left, left + wide, middle - half, middle + half], words))
    };
    svg.split("<text").skip(1).filter_map(of).collect()
}

#[test]
fn labels_are_inside_large_enough_and_do_not_overlap() {
    let mut document = document();
    document.charts[0].title = "A title that cannot stand on one line of the chart ".repeat(3);
    for case in &mut document.cases {
        case.name = "a name of a case that is a good deal longer than a phone is wide".to_owned();
    }
    for (width, svg) in all(&document) {
        let boxes = boxes(&svg);
        assert!(boxes.len() > 10);
        for (i, (a, words)) in boxes.iter().enumerate() {
            assert!(a[0] >= 0.0 && a[1] <= f64::from(width), "outside {width}: {words} {a:?}");
            assert!(a[3] - a[2] >= 12.0, "small: {words}");
            for (b, others) in &boxes[i + 1..] {
                let apart = a[1] <= b[0] || b[1] <= a[0] || a[3] <= b[2] || b[3] <= a[2];
                assert!(apart, "'{words}' {a:?} and '{others}' {b:?} at {width}");
            }
        }
    }
}

#[test]
fn a_partial_run_says_so_in_its_caption() {
    let mut document = document();
    let caption = |document: &Document| drawn(document, 0, Theme::Light, WIDTH);
    assert!(caption(&document).contains(">linux · 2 CPUs · default size · n = 1<"));
    document.complete = false;
    assert!(caption(&document).contains(">linux · 2 CPUs · default size · n = 1 · partial<"));
}

#[test]
fn a_wait_is_found_under_its_name_in_the_document_and_shown_as_a_time() {
    let mut document = document();
    document.charts[1].across = Some("wait".to_owned());
    let svg = drawn(&document, 1, Theme::Light, WIDTH);
    assert!(svg.contains(">wait<") && svg.contains(">5 ms<"), "{svg}");
    document.charts[1].across = Some("no_such".to_owned());
    let none = super::svg(&document, &document.charts[1], Theme::Light).expect("no error");
    assert!(none.is_none());
}
