//! The backlog, seen from outside.

mod commands;
mod formats;
mod help;
mod processes;
mod resources;
mod wrong_input;

use serde_json::Value as Json;

use crate::fixture::Home;

/// Creates an item and answers with its id.
fn create(home: &Home, args: &[&str]) -> String {
    let created = home.json(&[&["task", "create"], args].concat());
    created["id"].as_str().unwrap().to_owned()
}

fn show(home: &Home, id: &str) -> Json {
    home.json(&["task", "show", id])["tasks"][0].clone()
}

/// The ids of a list, in its order.
fn listed(home: &Home, args: &[&str]) -> Vec<String> {
    let answer = home.json(&[&["task", "list"], args].concat());
    answer["tasks"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap().to_owned()).collect()
}
