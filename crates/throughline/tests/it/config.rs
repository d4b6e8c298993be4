//! Settings from outside: what is in force, from where, and how it is changed.

use std::fs;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, shows};

#[test]
fn show_says_where_every_value_comes_from() {
    let home = Home::sqlite();
    home.write("data/config.toml", "[session]\nidle_after = \"2h\"\nhistory_turns = 7\n");
    home.write(
        "work/shop/.throughline.toml",
        "[session]\nidle_after = \"3h\"\n[roles.architect]\nmax_tokens = 1500\n",
    );
    shows!(home, home.ok(&["--project", "p", "config", "show"]), @r#"
    home      [TMP]/data
    database  sqlite:[TMP]/data/throughline.db
    actor     user:tester

     SETTING                                                 VALUE                                           FROM
     code.floor                                              0.12                                            default
     code.index                                              true                                            default
     code.max_bytes                                          49152                                           default
     code.max_files                                          200000                                          default
     code.threads                                            2                                               default
     compaction.keep_tokens                                  20000                                           default
     compaction.keep_turns                                   10                                              default
     compaction.min_tokens                                   2000                                            default
     compaction.on_gate                                      true                                            default
     compaction.on_idle                                      true                                            default
     compaction.share                                        0.8                                             default
     compaction.token_budget                                 100000                                          default
     compaction.turns                                        30                                              default
     context.floor                                           0.34                                            default
     context.isolated_types                                  []                                              default
     context.most                                            8                                               default
     context.requires_context                                true                                            default
     diagnostics.keep                                        3                                               default
     diagnostics.level                                       "info"                                          default
     diagnostics.max_bytes                                   5242880                                         default
     embedding.batch                                         64                                              default
     embedding.model                                         "built-in"                                      default
     embedding.timeout                                       "30s"                                           default
     hooks.deadline_ms                                       50                                              default
     hooks.enabled                                           true                                            default
     hooks.inject                                            true                                            default
     hooks.inject_deadline_ms                                300                                             default
     hooks.prompt_tokens                                     1500                                            default
     hooks.start_tokens                                      800                                             default
     jobs.first_backoff                                      "2s"                                            default
     jobs.lease                                              "5m"                                            default
     jobs.max_attempts                                       5                                               default
     log.max_content_bytes                                   8388608                                         default
     log.pack_over_bytes                                     16384                                           default
     memory.files.every                                      "0s"                                            default
     memory.files.folder                                     ".claude/memory"                                default
     memory.files.shelves.anti-patterns.kinds                []                                              default
     memory.files.shelves.anti-patterns.state_keys           []                                              default
     memory.files.shelves.anti-patterns.tags                 ["anti-pattern","anti-patterns","pitfall"]      default
     memory.files.shelves.architecture-decisions.kinds       ["decision"]                                    default
     memory.files.shelves.architecture-decisions.state_keys  []                                              default
     memory.files.shelves.architecture-decisions.tags        ["architecture"]                                default
     memory.files.shelves.domain-glossary.kinds              []                                              default
     memory.files.shelves.domain-glossary.state_keys         ["glossary"]                                    default
     memory.files.shelves.domain-glossary.tags               ["glossary","term"]                             default
     memory.files.shelves.phase-status.kinds                 ["context"]                                     default
     memory.files.shelves.phase-status.state_keys            ["phase","status"]                              default
     memory.files.shelves.phase-status.tags                  ["phase","status"]                              default
     memory.files.shelves.project.kinds                      ["fact","rule","skill","preference","belief"]   default
     memory.files.shelves.project.state_keys                 []                                              default
     memory.files.shelves.project.tags                       []                                              default
     memory.files.shelves.service-catalog.kinds              []                                              default
     memory.files.shelves.service-catalog.state_keys         ["service"]                                     default
     memory.files.shelves.service-catalog.tags               ["service","services"]                          default
     memory.generate                                         true                                            default
     model.answer_tokens                                     2000                                            default
     model.connect_timeout                                   "5s"                                            default
     model.daily_tokens                                      200000                                          default
     model.prompt_tokens                                     8000                                            default
     model.provider                                          "none"                                          default
     model.timeout                                           "60s"                                           default
     patterns.approve_above                                  1.0                                             default
     project.name                                            "p"                                             --project
     recall.catch_up_events                                  5000                                            default
     recall.floor                                            0.15                                            default
     recall.half_life                                        "4320h"                                         default
     recall.importance                                       0.3                                             default
     recall.recency                                          0.3                                             default
     recall.relevance                                        0.4                                             default
     roles.architect.max_tokens                              1500                                            [TMP]/work/shop/.throughline.toml
     server.allowed_hosts                                    []                                              default
     server.listen                                           "127.0.0.1:7420"                                default
     server.max_request_bytes                                16777216                                        default
     server.requests_per_second                              10000                                           default
     server.require_token                                    false                                           default
     server.slowest_client                                   "30s"                                           default
     session.history_max_tokens                              20000                                           default
     session.history_turns                                   7                                               [TMP]/data/config.toml
     session.idle_after                                      "3h"                                            [TMP]/work/shop/.throughline.toml
     set.flash_at                                            0.8                                             default
     set.grip                                                0.5                                             default
     set.other.half_life                                     "8h"                                            default
     set.other.weight                                        0.6                                             default
     set.token_limit                                         100000                                          default
     set.types.CODE.half_life                                "6h"                                            default
     set.types.CODE.weight                                   0.7                                             default
     set.types.ERROR.half_life                               "8h"                                            default
     set.types.ERROR.weight                                  0.85                                            default
     set.types.PRD_SECTION.half_life                         "24h"                                           default
     set.types.PRD_SECTION.weight                            0.9                                             default
     set.types.TASK.half_life                                "16h"                                           default
     set.types.TASK.weight                                   0.95                                            default
     set.types.TEST_RESULT.half_life                         "2h"                                            default
     set.types.TEST_RESULT.weight                            0.75                                            default
     storage.connect_timeout                                 "5s"                                            default
     storage.durability                                      "power"                                         default
     storage.lock_wait                                       "30s"                                           default
     storage.max_connections                                 8                                               default
     storage.pgvector                                        "remote"                                        default
     workflows.folders                                       [".throughline/workflows",".claude/workflows"]  default
    "#);
    let answer = home.json(&["config", "show"]);
    assert_eq!(
        answer.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["home", "database", "actor", "settings", "unknown"]
    );
    assert_eq!(
        home.plain_json(&answer["settings"]["session.idle_after"]),
        json!({"value": "3h", "source": "[TMP]/work/shop/.throughline.toml"})
    );
    assert_eq!(answer["settings"]["roles.architect.max_tokens"]["value"], 1500);
    assert_eq!(answer["settings"]["jobs.lease"], json!({"value": "5m", "source": "default"}));
}

#[test]
fn the_defaults_can_be_read_with_their_comments() {
    let home = Home::sqlite();
    let defaults = include_str!("../../config/default.toml");
    assert_eq!(home.ok(&["config", "show", "--default"]), defaults);
    assert_eq!(home.json(&["config", "show", "--default"]), json!({"default_toml": defaults}));
}

#[test]
fn flag_beats_environment_beats_files_for_the_database() {
    let home = Home::sqlite();
    let database = |args: &[&str], env: &str| {
        let call = home.call(&[args, &["config", "show"]].concat()).env("THROUGHLINE_DATABASE_URL", env);
        let answer = call.json();
        (
            answer["database"].as_str().unwrap().to_owned(),
            answer["settings"]["storage.database"]["source"].clone(),
        )
    };
    home.write("data/config.toml", "[storage]\ndatabase = \"sqlite:/a.db\"\n");
    assert_eq!(database(&[], "").0, "sqlite:/a.db");
    assert_eq!(database(&[], "sqlite:/b.db"), ("sqlite:/b.db".to_owned(), json!("THROUGHLINE_DATABASE_URL")));
    assert_eq!(
        database(&["--database", "sqlite:/c.db"], "sqlite:/b.db"),
        ("sqlite:/c.db".to_owned(), json!("--database"))
    );
    let (shown, _) = database(&["--database", "sqlite:beside.db"], "");
    assert_eq!(home.plain(&shown), "sqlite:[TMP]/work/shop/beside.db", "below the folder one is in");
}

#[test]
fn a_password_is_never_shown() {
    let home = Home::sqlite();
    let word = "correct-horse";
    let url = format!("postgres://maria:{word}@db.example.org:5432/app?password={word}");
    home.ok(&["config", "set", "storage.database", &url]);
    for command in
        [&["config", "show"][..], &["config", "show", "--json"], &["doctor"], &["doctor", "--json"]]
    {
        let call = home.call(command).env("THROUGHLINE_DATABASE_URL", "").run();
        assert!(
            !(call.stdout.clone() + &call.stderr).contains(word),
            "{command:?}: {}{}",
            call.stdout,
            call.stderr
        );
    }
    let text = home.ok(&["config", "show"]);
    assert!(text.contains("postgres://maria:…@db.example.org:5432/app"), "{text}");
}

#[test]
fn set_changes_one_value_and_keeps_the_rest_of_the_file() {
    let home = Home::sqlite();
    let file = home.write(
        "data/config.toml",
        "# mine\n[session]\n# long walks\nidle_after = \"2h\" # really\n\n[jobs]\nlease = \"1m\"\n",
    );
    let answer = home.json(&["config", "set", "session.idle_after", "3h"]);
    assert_eq!(
        home.plain_json(&answer),
        json!({"key": "session.idle_after", "value": "3h", "file": "[TMP]/data/config.toml"})
    );
    home.ok(&["config", "set", "session.history_turns", "5"]);
    shows!(home, fs::read_to_string(&file).unwrap(), @r#"
    # mine
    [session]
    # long walks
    idle_after = "3h" # really
    history_turns = 5

    [jobs]
    lease = "1m"
    "#);
    let answer = home.json(&["config", "show"]);
    assert_eq!(answer["settings"]["session.history_turns"]["value"], 5);
}

#[test]
fn set_keeps_the_neighbours_in_an_inline_table() {
    let home = Home::sqlite();
    home.write("data/config.toml", "session = { idle_after = \"2h\" }\n");
    home.ok(&["config", "set", "session.history_turns", "5"]);
    let settings = home.json(&["config", "show"])["settings"].clone();
    assert_eq!(
        (&settings["session.idle_after"]["value"], &settings["session.history_turns"]["value"]),
        (&json!("2h"), &json!(5))
    );
}

#[test]
fn set_changes_the_teams_file_when_asked() {
    let home = Home::sqlite();
    home.ok(&["config", "set", "--scope", "project", "project.name", "team"]);
    home.ok(&["config", "set", "--scope", "project", "roles.architect.scopes", "[\"user\"]"]);
    assert_eq!(home.json(&["project", "show"])["name"], "team");
    shows!(home, fs::read_to_string(home.work("shop").join(".throughline.toml")).unwrap(), @r#"
    [project]
    name = "team"

    [roles]

    [roles.architect]
    scopes = ["user"]
    "#);
}

#[test]
fn set_refuses_what_would_not_be_accepted() {
    let home = Home::sqlite();
    let file = home.write("data/config.toml", "[session]\nidle_after = \"2h\"\n");
    let wrong: [&[&str]; 5] = [
        &["session.idle_after", "soon"],
        &["session.history_turns", "many"],
        &["session.idle_aftre", "2h"],
        &["nonsense", "1"],
        &["roles.architect.nonsense", "1"],
    ];
    let errors: Vec<String> =
        wrong.iter().map(|pair| home.call(&[&["config", "set"], *pair].concat()).run().refuses()).collect();
    shows!(home, errors.concat(), @r#"
    error: "soon" is no value for session.idle_after, and nothing was changed: session.idle_after is "soon", which is no length of time; write for instance "30s", "5m" or "1h"
    error: "many" is no value for session.history_turns, and nothing was changed: invalid type: string "many", expected a whole number
    error: there is no setting session.idle_aftre; did you mean session.idle_after?
    error: there is no setting nonsense; `throughline config show` lists them all
    error: "1" is no value for roles.architect.nonsense, and nothing was changed: unknown field `nonsense`, expected one of `static_files`, `scopes`, `tool_sets`, `max_tokens`
    "#);
    assert_eq!(fs::read_to_string(file).unwrap(), "[session]\nidle_after = \"2h\"\n");
}

#[test]
fn set_names_what_was_wrong_before() {
    let home = Home::sqlite();
    let file = home.write("data/config.toml", "[session]\nhistory_turns = \"many\"\n");
    let set = |key, value| ["config", "set", key, value];
    shows!(home, home.fails(&set("session.idle_after", "2h")), @r#"
    error: nothing was changed; correct the file first: [TMP]/data/config.toml has a wrong value; correct it (`throughline config show --default` shows right ones): invalid type: string "many", expected usize
    in `session.history_turns`
    "#);
    let said = home.call(&set("session.history_turns", "lots")).run().refuses();
    assert!(said.starts_with("error: \"lots\" is no value for session.history_turns"), "{said}");
    home.ok(&set("session.history_turns", "3"));
    assert_eq!(fs::read_to_string(file).unwrap(), "[session]\nhistory_turns = 3\n");
}

/// Or every command after it would fail.
#[test]
fn set_refuses_a_wrong_storage_setting() {
    for (key, value) in [
        ("storage.lock_wait", "soon"),
        ("storage.connect_timeout", "never"),
        ("storage.database", "nonsense"),
        ("project.name", ""),
    ] {
        let home = Home::sqlite();
        let ran = home.call(&["config", "set", key, value]).run();
        assert_ne!(ran.code, 0, "{key} = {value:?} was taken");
        home.ok(&["log", "append", "--kind", "read"]);
    }
}

#[test]
fn a_settings_file_that_is_wrong_stops_every_command_with_its_reason() {
    let home = Home::sqlite();
    let mut errors = String::new();
    for text in [
        "[session\n",
        "[session]\nhistory_turns = \"many\"\n",
        "[session]\nidle_after = \"soon\"\n",
        "[storage]\ndurability = \"hope\"\n",
        "[storage]\nlock_wait = \"soon\"\n",
        "[roles]\narchitect = 3\n",
    ] {
        home.write("data/config.toml", text);
        errors += &home.fails(&["log", "append", "--kind", "read"]);
        errors += "--\n";
    }
    shows!(home, errors, @r#"
    error: [TMP]/data/config.toml is not valid TOML; correct it, or move it away to use the defaults: TOML parse error at line 1, column 9
      |
    1 | [session
      |         ^
    unclosed table, expected `]`
    --
    error: [TMP]/data/config.toml has a wrong value; correct it (`throughline config show --default` shows right ones): invalid type: string "many", expected usize
    in `session.history_turns`
    --
    error: [TMP]/data/config.toml has a wrong value; correct it (`throughline config show --default` shows right ones): session.idle_after is "soon", which is no length of time; write for instance "30s", "5m" or "1h"
    --
    error: [TMP]/data/config.toml has a wrong value; correct it (`throughline config show --default` shows right ones): unknown variant `hope`, expected `power` or `process`
    in `storage.durability`
    --
    error: [TMP]/data/config.toml has a wrong value; correct it (`throughline config show --default` shows right ones): storage.lock_wait is "soon", which is no length of time; write for instance "30s", "5m" or "1h"
    --
    error: [TMP]/data/config.toml has a wrong value; correct it (`throughline config show --default` shows right ones): invalid type: integer `3`, expected struct RoleTable
    in `roles.architect`
    --
    "#);
    assert!(!home.data().join("throughline.db").exists(), "nothing was made");
}

#[test]
fn an_unknown_key_is_named_with_the_nearest_and_ignored() {
    let home = Home::sqlite();
    home.write("data/config.toml", "jobs = 3\n[session]\nidle_afterr = \"2h\"\n[quux]\nx = 1\n");
    let ran = home.call(&["log", "append", "--kind", "read"]).run();
    assert_eq!(ran.code, 0);
    shows!(home, ran.stderr, @r"
    warning: [TMP]/data/config.toml: jobs is a table of settings; `throughline config show jobs` lists them
    warning: [TMP]/data/config.toml: there is no setting quux.x; `throughline config show` lists them all
    warning: [TMP]/data/config.toml: there is no setting session.idle_afterr; did you mean session.idle_after?
    ");
    let ran = home.call(&["config", "show", "--json"]).run();
    let answer: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["unknown"].as_array().unwrap().len(), 3);
    assert_eq!(answer["settings"].get("session.idle_afterr"), None);
}

#[test]
fn the_actor_comes_from_flag_environment_or_login() {
    let home = Home::sqlite();
    let actor = |call: crate::fixture::Call| call.json()["actor"].as_str().unwrap().to_owned();
    assert_eq!(actor(home.call(&["config", "show"])), "user:tester");
    assert_eq!(actor(home.call(&["config", "show"]).env("THROUGHLINE_ACTOR", "agent:a")), "agent:a");
    assert_eq!(
        actor(home.call(&["--actor", "agent:b", "config", "show"]).env("THROUGHLINE_ACTOR", "agent:a")),
        "agent:b"
    );
    assert_eq!(actor(home.call(&["config", "show"]).without("USER")), "user:unknown");
}
