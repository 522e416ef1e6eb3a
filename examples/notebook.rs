//! Keeps the chapters true to the code.
//!
//! Run: `cargo run --example notebook -- check`, `-- record`, `-- compare mine.json`.
//!
//! Look at: the last line, how many places differ; each is named with its file and line.
//!
//! Left out: the prose.

use std::process::ExitCode;

fn main() -> ExitCode {
    weft::notebook::main()
}
