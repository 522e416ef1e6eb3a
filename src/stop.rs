//! Ctrl-C and SIGTERM: noted in a flag, so that whatever was measured is still printed.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

static SIGNAL: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on the two signals only set the flag, however often they come.
pub fn listen() {
    let flag = SIGNAL.get_or_init(|| Arc::new(AtomicUsize::new(0)));
    for signal in [SIGINT, SIGTERM] {
        // A system that refuses the handler keeps its default: the program just ends.
        let _ = signal_hook::flag::register_usize(signal, flag.clone(), signal as usize);
    }
}

/// Whether one of them came.
pub fn requested() -> bool {
    exit_code().is_some()
}

/// 130 after Ctrl-C, 143 after SIGTERM.
pub fn exit_code() -> Option<u8> {
    match SIGNAL.get().map_or(0, |flag| flag.load(Relaxed)) {
        0 => None,
        signal => Some(128 + signal as u8),
    }
}
