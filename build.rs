//! Hands the compiler's version and the optimisation level to the program, so that every
//! output can say what it was built with.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("-V")
        .output()
        .ok()
        .and_then(|out| String::from_utf8(out.stdout).ok())
        .and_then(|text| text.split_whitespace().nth(1).map(str::to_owned))
        .unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=WEFT_RUSTC={version}");
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo::rustc-env=WEFT_OPT_LEVEL={level}");
    let profile = std::env::var("PROFILE").unwrap_or_default();
    // Cargo calls the dev profile "debug" here, which is just what it is not.
    let profile = if profile == "debug" { "dev" } else { "release" };
    println!("cargo::rustc-env=WEFT_PROFILE={profile}");
}
