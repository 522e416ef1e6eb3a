//! Runs an example as a user would: as a process, with a deadline.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a program ended and what it wrote.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The built example, beside the test program.
pub fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let target = test.ancestors().nth(2).expect("…/target/debug/deps/test");
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = target.join("examples").join(file);
    assert!(
        path.exists(),
        "{} is not built; run cargo test, or cargo build --examples",
        path.display()
    );
    path
}

/// Runs an example to its end.
pub fn run(name: &str, arguments: &[&str]) -> Ran {
    let mut command = Command::new(example(name));
    command.args(arguments);
    run_command(&mut command)
}

/// Runs any command to its end, and ends it after two minutes.
pub fn run_command(command: &mut Command) -> Ran {
    let child = start(command);
    finish(child, Duration::from_secs(120))
}

/// Starts a command with its output piped.
pub fn start(command: &mut Command) -> Child {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

/// Waits for the end of a process.
pub fn finish(mut child: Child, deadline: Duration) -> Ran {
    let mut stdout = child.stdout.take().expect("stdout is piped");
    let mut stderr = child.stderr.take().expect("stderr is piped");
    let read_stdout = thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
    });
    let read_stderr = thread::spawn(move || {
        let mut bytes = Vec::new();
        stderr.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
    });
    let until = Instant::now() + deadline;
    let status = loop {
        match child.try_wait().expect("a child can be waited for") {
            Some(status) => break status,
            None if Instant::now() > until => {
                let _ = child.kill();
                panic!("still running after {deadline:?}");
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    Ran {
        code: status.code(),
        stdout: read_stdout.join().expect("no panic").expect("stdout can be read"),
        stderr: read_stderr.join().expect("no panic").expect("stderr can be read"),
    }
}

/// The document that a run printed.
pub fn document(ran: &Ran) -> weft::Document {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// The only line of stderr, without its `error: `; there must be just one.
pub fn sentence(ran: &Ran) -> String {
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 1, "one sentence, not {ran:?}");
    lines[0].strip_prefix("error: ").unwrap_or_else(|| panic!("no error: in {ran:?}")).to_owned()
}
