//! Runs the command of a cell, the very one that the page shows.

use super::Failure;
use crate::stop;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// The lines that a command writes to its stdout, run in the folder of the checkout; or, when it
/// fails, how it ended and what it said last.
pub fn run(root: &Path, command: &str) -> Result<Result<Vec<String>, String>, Failure> {
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
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::Machine(format!("'{program}' cannot be started: {error}")))?;
    note(&format!("  {command}"));
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let stdout = thread::spawn(move || all_of(stdout));
    let stderr = thread::spawn(move || all_of(stderr));
    let status = loop {
        if stop::requested() {
            // It is in our process group, so Ctrl-C reached it too; SIGTERM did not.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::Stopped);
        }
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            ended => break ended,
        }
    };
    let (stdout, stderr) = (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default());
    match status {
        Ok(Some(status)) if status.success() => {
            Ok(Ok(stdout.lines().map(|line| line.trim_end().to_owned()).collect()))
        }
        Ok(Some(status)) => {
            Ok(Err(format!("{status}: {}", stderr.lines().last().unwrap_or("no word of why"))))
        }
        _ => Ok(Err("its end cannot be waited for".to_owned())),
    }
}

fn all_of(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A line on stderr: what is going on.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
