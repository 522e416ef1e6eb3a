//! Tests of the page and of its path.

use super::*;
use crate::chart::tests::document;
use crate::experiment::Layout;

#[test]
fn the_page_loads_nothing_from_anywhere() {
    let page = html(&[document()], 1).replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assert!(page.contains("<svg "));
    for reference in ["http:", "https:", "src=", "url(", "@import", "<script", "<link"] {
        assert!(!page.contains(reference), "{reference}");
    }
    assert!(page.split("href=\"").skip(1).all(|link| link.starts_with('#')));
}

#[test]
fn an_interrupted_run_calls_itself_partial_before_anything_else() {
    let mut document = document();
    let first_words = |page: &str| {
        let after = page.split("</h1>").nth(1).unwrap_or_default();
        after.split("</strong>").next().unwrap_or_default().to_owned()
    };
    assert!(first_words(&html(&[document.clone()], 1)).ends_with("Complete."));
    assert!(!html(&[document.clone()], 1).contains("<strong>Partial"));
    // One experiment of two never began.
    assert!(first_words(&html(&[document.clone()], 2)).ends_with("Partial."));
    assert!(first_words(&html(&[], 1)).ends_with("Partial."));
    document.complete = false;
    let page = html(&[document], 1);
    assert!(first_words(&page).ends_with("Partial."));
    assert!(page.contains("0 of 1 experiments"));
}

#[test]
fn text_is_escaped() {
    let mut document = document();
    document.cases[9].reason = Some("<script>alert('\u{1b}[31m')</script>".to_owned());
    for layout in [Layout::Rows, Layout::Matrix] {
        document.layout = layout;
        let page = html(&[document.clone()], 1);
        assert!(page.contains("Is &lt;b&gt; &amp; &quot;c&quot; escaped?"));
        assert!(page.contains("many &lt;tasks&gt; &amp; &quot;more&quot;"));
        assert!(page.contains("&lt;script&gt;alert(&#39;&#39;)"));
        for raw in ["<b>", "<tasks>", "<script>", "<clock>", "\u{1b}"] {
            assert!(!page.contains(raw), "{raw}");
        }
    }
}

#[test]
fn verdicts_are_words_and_are_counted() {
    let page = html(&[document()], 1);
    assert!(page.contains("1 hold, 1 fail and 1 do not apply"));
    for word in [">holds</strong> A &lt; B.", ">FAILS</strong> B.", ">n/a</strong> C."] {
        assert!(page.contains(word), "{word}");
    }
}

#[test]
fn every_case_has_a_row_and_a_missing_one_its_reason() {
    let mut document = document();
    let page = html(&[document.clone()], 1);
    assert!(page.contains("<caption>One repetition of each case, default size</caption>"));
    assert_eq!(page.matches("<th scope=\"rowgroup\"").count(), 2);
    assert_eq!(page.matches("<tr><th scope=\"row\" class=\"short\">").count(), 10);
    assert!(page.contains("<strong class=\"word\">—</strong> many &lt;tasks&gt; "));
    assert!(page.contains("may: no &lt;such&gt; thing"));
    document.layout = Layout::Matrix;
    let page = html(&[document], 1);
    assert!(page.contains("</th><td>ok</td><td>ok</td><td>ok</td><td>ok</td><td>—</td></tr>"));
}

#[test]
fn how_far_repetitions_lie_apart_is_said_where_there_are_several() {
    let mut document = document();
    assert!(!html(&[document.clone()], 1).contains("widest apart"));
    let first = document.cases[0].samples[0].clone();
    document.cases[0].samples.push(crate::document::Sample { wall_ns: 30_000_000, ..first });
    let page = html(&[document], 1);
    assert!(page.contains(
        "widest apart: threads few &lt;tasks&gt; &amp; &quot;more&quot; 10.0\u{a0}ms to"
    ));
}

#[test]
fn each_link_of_the_contents_has_its_target() {
    let page = html(&[document()], 1);
    for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert_eq!(page.matches(&format!(" id=\"{link}\"")).count(), 1, "{link}");
    }
}

#[test]
fn the_command_to_repeat_it_is_quoted_for_a_shell() {
    let page = html(&[document()], 1);
    // cargo run --example tour -- --case 'it'\''s'
    let command = r"cargo run --example tour -- --case &#39;it&#39;\&#39;&#39;s&#39;<";
    assert!(page.contains(command));
    assert!(page.contains("A selection."));
    assert_eq!(section::command::<&str>("04-pool", &[]), "cargo run --example 04-pool");
}

#[test]
fn the_report_stands_in_the_target_folder_of_the_program() {
    let target = target_of(Path::new("/nowhere/weft/target/debug/examples/tour"));
    assert_eq!(target, Some(PathBuf::from("/nowhere/weft/target")));
    assert_eq!(target_of(Path::new("/nowhere/bin/tour")), None);
    // This test is itself a program that cargo built.
    let path = prepare(None).expect("cargo can write there, so can we");
    assert!(path.is_absolute() && path.ends_with(FILE), "{path:?}");
}

#[test]
fn a_path_that_is_no_file_is_refused_with_its_option() {
    let folder = std::env::temp_dir();
    let below = folder.join("weft-no-such-folder/");
    for path in [folder.as_path(), below.as_path(), Path::new("..")] {
        match prepare(Some(path)) {
            Err(Stop::Usage(why)) => assert!(why.contains("--report"), "{why}"),
            other => panic!("{path:?}: {other:?}"),
        }
    }
    #[cfg(unix)]
    assert!(matches!(prepare(Some(Path::new("/dev/null"))), Err(Stop::Usage(_))));
}

#[test]
fn the_folder_is_made_beforehand_or_the_machine_is_named() -> std::io::Result<()> {
    let folder = std::env::temp_dir().join(format!("weft-report-{}", std::process::id()));
    let path = folder.join("deep/r.html");
    assert!(matches!(prepare(Some(&path)), Ok(same) if same == path));
    assert!(folder.join("deep").is_dir() && !path.exists());
    // A file cannot have files in it, not even for root.
    std::fs::write(&path, "")?;
    match prepare(Some(&path.join("r.html"))) {
        Err(Stop::Machine(why)) => assert!(why.contains("deep/r.html/r.html"), "{why}"),
        other => panic!("{other:?}"),
    }
    std::fs::remove_dir_all(&folder)
}
