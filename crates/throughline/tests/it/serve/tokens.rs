//! Who is let in with which token, and how far.

use serde_json::json;

use super::http::Served;
use crate::fixture::{Home, on_both};

on_both![a_token_allows_its_role_and_its_project, a_revoked_token_is_worth_nothing];

fn a_token_allows_its_role_and_its_project(home: &Home) {
    home.ok(&["remember", "in the shop"]);
    home.call(&["remember", "in the bank"]).within(&home.work("bank")).ok();
    let token = |args: &[&str]| {
        let made = home.json(&[&["token", "create"], args].concat());
        format!("Authorization: Bearer {}", made["token"].as_str().unwrap())
    };
    let reads = token(&["reader", "--role", "read"]);
    let writes = token(&["writer", "--role", "write"]);
    let everywhere = token(&["admin", "--role", "admin", "--all-projects"]);
    home.ok(&["config", "set", "server.require_token", "true"]);
    let served = Served::start(home, &[]);
    let status = |line: &str, headers: &[&str]| {
        let body = line.starts_with("POST").then(|| json!({"title": "x"}));
        let answer = served.ask_with(line, headers, body.as_ref());
        assert!(answer.status == 200 || answer.header("content-type") == Some("application/problem+json"));
        answer.status
    };
    assert_eq!(status("GET /api/health", &[]), 200, "that it lives is no secret");
    assert_eq!((status("GET /api/items", &[]), status("GET /metrics", &[])), (401, 401));
    assert_eq!(served.ask("GET /api/items", None).header("www-authenticate"), Some("Bearer"));
    assert_eq!(served.ask("POST /mcp", Some(&json!({}))).status, 401);
    for wrong in
        ["Authorization: Bearer x", "Authorization: Basic eA==", "Authorization: Bearer", "Authorization: x"]
    {
        assert_eq!(status("GET /api/items", &[wrong]), 401, "{wrong}");
    }
    assert_eq!((status("GET /api/items", &[&reads]), status("POST /api/items", &[&reads])), (200, 403));
    assert_eq!(served.ask_with("POST /mcp", &[&reads], Some(&json!({}))).status, 403);
    assert_eq!(status("POST /api/items", &[&writes]), 200);
    for other in ["bank", "nobody"] {
        assert_eq!(status(&format!("GET /api/items?project={other}"), &[&writes]), 403, "{other}");
    }
    assert_eq!(status("GET /api/items?project=shop", &[&writes]), 200);
    assert_eq!(
        (
            status("GET /api/items?project=bank", &[&everywhere]),
            status("GET /api/items?project=nobody", &[&everywhere])
        ),
        (200, 404)
    );
    let projects =
        |token: &str| served.ask_with("GET /api/projects", &[token], None).message()["total"].clone();
    assert_eq!((projects(&reads), projects(&everywhere)), (json!(1), json!(2)));
    let looks = [
        "GET /api/agents/a/context?tier=HOT",
        "GET /api/agents/a/context?tier=HOT&given=true",
        "GET /api/agents/a/context/diff",
    ];
    assert_eq!(looks.map(|line| status(line, &[&reads])), [200, 403, 403]);
}

fn a_revoked_token_is_worth_nothing(home: &Home) {
    let made = home.json(&["token", "create", "laptop", "--expires-in", "90d"]);
    let token = made["token"].as_str().unwrap();
    assert!(token.starts_with("tl_") && token.len() > 60, "{token}");
    let listed = home.json(&["token", "list"]);
    assert!(!listed.to_string().contains(token.rsplit('_').next().unwrap()), "shown once only");
    assert_eq!(
        (&listed["tokens"][0]["state"], &listed["tokens"][0]["project"]),
        (&json!("valid"), &json!("shop"))
    );
    let served = Served::start(home, &[]);
    let header = format!("Authorization: Bearer {token}");
    assert_eq!(served.ask_with("GET /api/items", &[&header], None).status, 200);
    home.ok(&["token", "revoke", "laptop"]);
    assert_eq!(served.ask_with("GET /api/items", &[&header], None).status, 401, "also where none is needed");
    assert_eq!(served.ask("GET /api/items", None).status, 200);
    assert_eq!(home.json(&["token", "list"])["tokens"][0]["state"], "revoked");
}

#[test]
fn beyond_this_machine_it_listens_with_a_token_only() {
    let home = Home::sqlite();
    assert!(
        home.call(&["serve", "--listen", "0.0.0.0:0"]).run().refuses().contains("throughline token create")
    );
    let made = home.json(&["token", "create", "laptop"]);
    home.ok(&["config", "set", "server.allowed_hosts", "[\"team.example\"]"]);
    let served = Served::run(home.call(&["serve", "--listen", "0.0.0.0:0", "--json"]));
    let token = format!("Authorization: Bearer {}", made["token"].as_str().unwrap());
    let status = |host: &str, headers: &[&str]| {
        let host = format!("Host: {host}");
        served.get("/api/items", &[&[host.as_str()], headers].concat()).status
    };
    assert_eq!((status("192.0.2.7:80", &[]), status("192.0.2.7:80", &[&token])), (401, 200));
    assert_eq!((status("team.example", &[&token]), status("evil.example", &[&token])), (200, 403));
    assert_eq!(status("team.example", &[&token, "Origin: https://team.example"]), 200);
    assert_eq!(status("team.example", &[&token, "Origin: https://evil.example"]), 403);
}

#[test]
fn help_and_wrong_input() {
    let home = Home::sqlite();
    crate::fixture::shows!(home, home.ok(&["token", "list"]), @"no tokens; `throughline token create NAME` makes one");
    assert!(home.fails(&["token", "revoke", "x"]).contains("there is no token \"x\""));
    assert!(
        home.call(&["token", "create", "x", "--role", "king"]).run().refuses().contains("read, write, admin")
    );
    assert!(home.call(&["token", "create", "x", "--expires-in", "long"]).run().refuses().contains("90d"));
}
