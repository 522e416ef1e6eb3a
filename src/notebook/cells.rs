//! Runs the command of a cell, the very one that the page shows.

use super::Failure;
use crate::stop;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// The lines that a command writes to its stdout, run in the folder of the checkout.
pub fn run(root: &Path, command: &str) -> Result<Vec<String>, Failure> {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    // Cargo names itself to the programs that it runs; it may not be on the PATH.
    let cargo = std::env::var_os("CARGO").filter(|_| program == "cargo");
    let mut child = Command::new(cargo.unwrap_or_else(|| program.into()))
        .args(words)
        .current_dir(root)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| Failure::Machine(format!("'{program}' cannot be started: {error}")))?;
    note(&format!("  {command}"));
    let Some(mut stdout) = child.stdout.take() else { return Ok(Vec::new()) };
    let reader = thread::spawn(move || {
        let mut text = String::new();
        let _ = stdout.read_to_string(&mut text);
        text
    });
    loop {
        if stop::requested() {
            // It is in our process group, so Ctrl-C reached it too; SIGTERM did not.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::Stopped);
        }
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            _ => break,
        }
    }
    let text = reader.join().unwrap_or_default();
    Ok(text.lines().map(|line| line.trim_end().to_owned()).collect())
}

/// A line on stderr: what is going on.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
