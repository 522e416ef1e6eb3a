//! Holds only the tests of data/schema.json; see `tests/schema.rs` beside this folder.
