//! A program as the model.

use serde_json::json;

use super::{INVOICES, QUIET, RULE, generate, known, say, set, status};
use crate::fixture::{Home, on_both};

on_both![a_program_names_what_no_rule_found, a_program_that_fails_is_no_harm];

fn choose(home: &Home, script: &str, timeout: &str) {
    let script = home.write("model.sh", script);
    let command = json!(["/bin/sh", script]).to_string();
    set(home, &[("provider", "command"), ("command", &command), ("timeout", timeout)]);
}

fn a_program_names_what_no_rule_found(home: &Home) {
    let answer = json!({ "memories": [{
        "topic": "fact", "statement": INVOICES, "quotes": [{ "event": "e1", "line": QUIET }],
    }] });
    choose(
        home,
        &format!(
            "grep -q 'ledger team' || exit 9\ncat <<'END'\nHere you are:\n```json\n{answer}\n```\nEND\n"
        ),
        "60s",
    );
    say(home, "a", &[QUIET]);
    let ledger = generate(home);
    assert_eq!(ledger["model"], json!({ "answered": 1, "named": 1, "related": 0 }), "{ledger:#}");
    assert_eq!(known(home), [INVOICES]);
    assert!(status(home)["budget"]["spent"].as_i64().unwrap() > 100, "counted, as nobody says what it cost");
}

fn a_program_that_fails_is_no_harm(home: &Home) {
    for (script, timeout, why) in [
        ("sleep 600", "300ms", "did not answer within"),
        ("cat >/dev/null; echo no credit left >&2; exit 1", "60s", "no credit left"),
        ("cat >/dev/null; echo 'I would say yes.'", "60s", "no JSON document"),
        ("yes", "60s", "longer than"),
    ] {
        let home = home.fresh();
        choose(&home, script, timeout);
        say(&home, "a", &[RULE, QUIET]);
        let ledger = generate(&home);
        assert!(ledger["model"]["without"].as_str().unwrap().contains(why), "{script}: {ledger:#}");
        assert_eq!(known(&home), ["Never call the Stripe API from a test"]);
        assert_eq!(status(&home)["fallbacks"], 1, "{script}");
    }
}
