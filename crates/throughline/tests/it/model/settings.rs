//! Choosing a model, and what is said about a choice that cannot work.

use serde_json::{Value as Json, json};

use super::{QUIET, RULE, generate, known, say, set, status};
use crate::fixture::{Home, shows};

#[test]
fn without_a_choice_there_is_no_model() {
    let home = Home::sqlite();
    say(&home, "a", &[RULE]);
    let ledger = generate(&home);
    assert_eq!(ledger.get("model"), None, "{ledger:#}");
    assert_eq!(
        home.ok(&["model", "status"]),
        "no model; everything works without one (`throughline config set model.provider` chooses one)\n"
    );
    let refused = home.fails(&["model", "test"]);
    assert!(refused.contains("no model was chosen"), "{refused}");
    let doctor = home.json(&["doctor"]).to_string();
    assert!(!doctor.contains("\"model\""), "{doctor}");
}

#[test]
fn a_project_cannot_choose_a_model() {
    let home = Home::sqlite();
    let file = home.work("shop").join(".throughline.toml");
    std::fs::write(file, "[model]\nprovider = \"command\"\ncommand = [\"touch\", \"owned\"]\n").unwrap();
    let ran = home.call(&["model", "status", "--json"]).run();
    assert!(ran.stderr.contains("model is ignored here"), "{ran:?}");
    let status: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(status["provider"], "none");
    let refused = home.call(&["config", "set", "--scope", "project", "model.provider", "command"]).run();
    assert!(refused.stderr.contains("cannot be set for a project"), "{refused:?}");
}

#[test]
fn a_choice_that_cannot_work_says_what_to_change_and_stops_nothing() {
    let home = Home::sqlite();
    for (values, why) in [
        (&[("provider", "openai")][..], "the model's url"),
        (&[("url", "http://127.0.0.1:1")], "model.name"),
        (&[("provider", "command")], "model.command"),
        (&[("provider", "anthropic"), ("url", "http://u:p@127.0.0.1:1")], "user or password"),
    ] {
        set(&home, values);
        assert!(status(&home)["problem"].as_str().unwrap().contains(why), "{:#}", status(&home));
        let refused = home.fails(&["model", "test"]);
        assert!(refused.contains(why), "{refused}");
    }
    say(&home, "a", &[RULE, QUIET]);
    let ledger = generate(&home);
    assert!(ledger["model"]["without"].as_str().unwrap().contains("user or password"), "{ledger:#}");
    assert_eq!(known(&home), ["Never call the Stripe API from a test"]);
    let wrong = home.call(&["config", "set", "model.provider", "oracle"]).run().refuses();
    assert!(wrong.contains("anthropic"), "{wrong}");
    assert_eq!(home.json(&["doctor"])["healthy"], json!(true));
}

#[test]
fn help_of_model() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["model", "--help"]), @r"
    The model that helps, if one was chosen: status, test

    Usage: throughline model [OPTIONS] <COMMAND>

    Commands:
      status  Which model it is, what is left of today's budget, what it was asked for, what went wrong
      test    Ask the model one tiny question

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
}
