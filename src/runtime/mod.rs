//! Starts each runtime with a given number of workers and returns its *real* type. Here are the
//! knobs and the caveats of each; what a case does with the runtime stands in the case.

pub mod async_std;
pub mod may;
pub mod smol;
pub mod threads;
pub mod tokio;
