//! Compares an output with the one in a chapter. *Exact*: line by line. *Shape*: word by word,
//! where a measured number (one with a unit, or after `≈`) is as good as another, and the facts
//! of the machine are left out.

/// The first line that differs.
pub fn first_difference(old: &[&str], fresh: &[String]) -> Option<usize> {
    let differs = |i: &usize| old.get(*i).copied() != fresh.get(*i).map(String::as_str);
    (0..old.len().max(fresh.len())).find(differs)
}

/// The first line that differs, counted in `old`, and what is wrong.
pub fn exact(old: &[&str], fresh: &[String]) -> Option<(usize, String)> {
    let i = first_difference(old, fresh)?;
    let now = fresh.get(i).map_or("nothing", String::as_str);
    Some((i, format!("shows '{}', the run gave '{now}'", old.get(i).unwrap_or(&""))))
}

/// As [`exact`], but for the shape only.
pub fn shape(old: &[&str], fresh: &[String]) -> Option<(usize, String)> {
    let old_words = words(old.iter().copied());
    let fresh_words = words(fresh.iter().map(String::as_str));
    let longer = old_words.len().max(fresh_words.len());
    let word = |words: &[(usize, String)], i: usize| words.get(i).map(|(_, word)| word.clone());
    let i = (0..longer).find(|i| word(&old_words, *i) != word(&fresh_words, *i))?;
    let line = old_words.get(i).or(old_words.last()).map_or(0, |(line, _)| *line);
    let shown =
        |word: Option<String>| word.map_or("the end".to_owned(), |word| format!("'{word}'"));
    let what = format!(
        "shows {}, the run gave {}",
        shown(word(&old_words, i)),
        shown(word(&fresh_words, i))
    );
    Some((line, what))
}

const UNITS: [&str; 11] = ["ns", "µs", "ms", "s", "B", "KiB", "MiB", "GiB", "thr", "×", "%"];

/// The words with the number of their line; measured numbers as `#`.
fn words<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<(usize, String)> {
    let mut words: Vec<(usize, String)> = Vec::new();
    let (mut in_facts, mut in_limit, mut in_spread) = (false, false, false);
    for (number, line) in lines.enumerate() {
        // The three lines of facts, with their continuations, end where the size begins.
        in_facts = (in_facts || line.starts_with("machine  ")) && !line.starts_with("size  ");
        if in_facts {
            continue;
        }
        // Which cases lie widest apart is chance.
        in_spread = line.starts_with("medians of ") || (in_spread && line.starts_with("    "));
        if in_spread {
            continue;
        }
        // What a limit allows, and which one it is, are facts of the machine too.
        in_limit = line.starts_with("limit  ") || (in_limit && line.starts_with("    "));
        for word in line.replace('–', " – ").split_whitespace() {
            let bare = word.trim_end_matches([',', ';', '.', ')']);
            if in_limit && words.last().is_some_and(|(_, word)| word.ends_with(':')) {
                continue;
            }
            let measured = bare.strip_prefix('≈').is_some_and(is_number);
            if measured || (in_limit && is_number(bare)) {
                words.push((number, "#".to_owned()));
            } else if UNITS.contains(&bare) && words.last().is_some_and(|(_, w)| is_number(w)) {
                words.pop();
                words.push((number, "#".to_owned()));
            } else {
                words.push((number, word.to_owned()));
            }
        }
    }
    // A spread of "1 ms–2 ms" and rules of the table's width say nothing.
    words.retain(|(_, word)| !word.chars().all(|c| c == '─'));
    words
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_measured_number_is_as_good_as_another() {
        let old = ["  tokio   250 ms  1.40 ms  4.31 MiB  3 thr  1,000", "≈12 lines"];
        assert_eq!(shape(&old, &fresh("  tokio 251 ms 982 µs 4 MiB 4 thr 1,000\n≈13 lines")), None);
    }

    #[test]
    fn a_number_without_a_unit_and_a_word_must_be_right() {
        let old = ["head", "  tokio  250 ms  1,000", "holds  it does"];
        let found = shape(&old, &fresh("head\n  tokio  250 ms  1,001\nholds  it does"));
        assert_eq!(found, Some((1, "shows '1,000', the run gave '1,001'".to_owned())));
        let found = shape(&old, &fresh("head\n  tokio  250 ms  1,000\nFAILS  it does"));
        assert_eq!(found, Some((2, "shows 'holds', the run gave 'FAILS'".to_owned())));
    }

    #[test]
    fn a_row_too_few_or_too_many_is_found() {
        let old = ["a  1 ms", "b  2 ms"];
        assert!(shape(&old, &fresh("a  1 ms")).is_some());
        assert!(shape(&old[..1], &fresh("a  1 ms\nb  2 ms")).is_some());
    }

    #[test]
    fn facts_of_the_machine_are_left_out_but_the_size_is_not() {
        let old = ["machine  linux 6.1 · 2 CPUs", "limits   a", "         b", "size     quick"];
        assert_eq!(shape(&old, &fresh("machine  macos\nlimits   c\nsize     quick")), None);
        assert!(shape(&old, &fresh("machine  macos\nlimits   c\nsize     full")).is_some());
    }

    #[test]
    fn a_line_broken_elsewhere_is_the_same() {
        let old = ["holds  measured 12 ms", "       tokio"];
        assert_eq!(shape(&old, &fresh("holds  measured\n       9.5 ms tokio")), None);
    }
}
