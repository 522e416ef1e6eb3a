//! stub
use crate::document::{ChartSpec, Document};
/// stub
pub enum Theme {
    Light,
    Dark,
    Page,
}
/// stub
pub fn svg(_: &Document, _: &ChartSpec, _: Theme) -> anyhow::Result<Option<String>> {
    Ok(None)
}
