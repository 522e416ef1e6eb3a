//! Files that are written whole or not at all: a full disk or an interruption leaves the old
//! file as it was.

use crate::document::Document;
use crate::params::Size;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folder of this checkout: what cargo says when it runs the example, else where it was built.
pub fn checkout() -> PathBuf {
    let at_run = std::env::var_os("CARGO_MANIFEST_DIR");
    at_run.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

/// Where a document of this machine, experiment and size is kept.
pub fn recorded_path(document: &Document) -> PathBuf {
    recorded_folder(&document.machine.slug()).join(file_name(&document.experiment, document.size))
}

/// The folder of a machine's recorded data.
pub fn recorded_folder(machine: &str) -> PathBuf {
    checkout().join("data/recorded").join(machine)
}

/// `04-pool-vs-per-task.json`, and `…-full.json` for the posts' own numbers.
pub fn file_name(experiment: &str, size: Size) -> String {
    match size {
        Size::Full => format!("{experiment}-full.json"),
        Size::Quick | Size::Default => format!("{experiment}.json"),
    }
}

/// Makes sure, before anything is measured, that a folder can be written to.
///
/// # Errors
/// The system's own, when the folder cannot be made or written to.
pub fn ensure_writable(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join(format!(".weft-{}", std::process::id()));
    File::create(&probe)?;
    fs::remove_file(&probe)
}

/// Writes a file by way of a temporary one beside it.
///
/// # Errors
/// The system's own; the file is then as it was before.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    match written.and_then(|()| fs::rename(&temporary, path)) {
        Ok(()) => Ok(()),
        Err(error) => {
            let _ = fs::remove_file(&temporary);
            Err(error)
        }
    }
}

/// The document as `--json` prints it and a file holds it.
pub fn to_json(document: &Document) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_leaves_the_old_file_and_no_other() -> io::Result<()> {
        let folder = std::env::temp_dir().join(format!("weft-record-{}", std::process::id()));
        fs::create_dir_all(folder.join("file.json"))?;
        // A folder of that name cannot be replaced by a file.
        assert!(write_whole(&folder.join("file.json"), "new").is_err());
        assert_eq!(fs::read_dir(&folder)?.count(), 1);
        write_whole(&folder.join("other.json"), "new")?;
        assert_eq!(fs::read_to_string(folder.join("other.json"))?, "new");
        fs::remove_dir_all(&folder)
    }
}
