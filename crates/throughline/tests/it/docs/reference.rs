//! The references are written by the program: `docs/cli.md` from its help, `docs/api.md` from its OpenAPI document. With
//! `UPDATE_DOCS=1` the tests write them anew.

use std::fs;

use serde_json::Value as Json;

use super::root;
use crate::fixture::{Home, served};

#[test]
fn the_reference_of_the_command_line_is_its_help() {
    let home = Home::sqlite();
    let mut text = "# The command line\n\nWhat `--help` says, of every command. Made from the program and held to it by a test.\n".to_owned();
    help(&home, &[], &mut text);
    holds("docs/cli.md", &text);
}

/// The help of a command and, below it, of those inside it.
fn help(home: &Home, command: &[String], text: &mut String) {
    let args: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
    let said = home.ok(&args);
    let title = ["throughline".to_owned()].iter().chain(command).cloned().collect::<Vec<_>>().join(" ");
    // What every command takes stands once.
    let shown = if command.is_empty() { said.as_str() } else { said.split("\nEverywhere:").next().unwrap() };
    text.push_str(&format!("\n## {title}\n\n```text\n{}\n```\n", shown.trim_end()));
    let listed =
        said.split("\nCommands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap_or_default();
    for line in listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let name = line.split_whitespace().next().unwrap();
        help(home, &[command, &[name.to_owned()]].concat(), text);
    }
}

#[test]
fn the_reference_of_the_interface_is_its_document() {
    let home = Home::sqlite();
    let answer = served(&home, "/api/openapi.json");
    let document: Json = serde_json::from_str(&answer).unwrap();
    let mut text = "# The interface\n\nEvery operation of `throughline serve`, made from `/api/openapi.json` and held to it by a test. \
        How requests are answered: [the HTTP server](http-api.md).\n"
        .to_owned();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in
            operations.as_object().unwrap().iter().filter(|(_, value)| value.is_object())
        {
            text.push_str(&described(&method.to_uppercase(), path, operation));
        }
    }
    holds("docs/api.md", &text);
}

fn described(method: &str, path: &str, operation: &Json) -> String {
    let said = |json: &Json, name: &str| json[name].as_str().unwrap_or_default().replace('\n', " ");
    let mut text = format!("\n## {method} {path}\n\n{}\n", said(operation, "summary"));
    let more = said(operation, "description");
    if !more.is_empty() {
        text.push_str(&format!("\n{more}\n"));
    }
    let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
    if !parameters.is_empty() {
        text.push_str("\n| parameter | in | what |\n| --- | --- | --- |\n");
    }
    for parameter in parameters {
        let needed = if parameter["required"] == true { ", needed" } else { "" };
        let what = said(&parameter, "description").replace('|', "\\|");
        text.push_str(&format!(
            "| `{}` | {}{needed} | {what} |\n",
            said(&parameter, "name"),
            said(&parameter, "in")
        ));
    }
    let body = &operation["requestBody"]["content"]["application/json"]["schema"]["properties"];
    if let Some(fields) = body.as_object() {
        let names: Vec<String> = fields.keys().map(|name| format!("`{name}`")).collect();
        text.push_str(&format!("\nBody: {}\n", names.join(", ")));
    }
    text
}

#[track_caller]
fn holds(path: &str, text: &str) {
    let file = root().join(path);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, text).unwrap();
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(written == text, "{path} is not what the program says; UPDATE_DOCS=1 with this test writes it");
}
