//! The command line as such: help, exit codes, JSON, and what happens when nobody listens.

use std::fs;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, on_both, shows};

on_both!(every_command_prints_one_json_document, a_reader_that_has_seen_enough_is_no_failure);

fn every_command_prints_one_json_document(home: &Home) {
    let file = home.path().join("export.jsonl");
    let lines = home.write("lines.jsonl", "{\"kind\":\"read\",\"session\":\"s\"}\n");
    let (file, lines) = (file.to_str().unwrap(), lines.to_str().unwrap());
    home.call(&["project", "show"]).within(&home.work("other")).ok();
    let backlog = home.path().join("backlog");
    let backlog = backlog.to_str().unwrap();
    let commands: [&[&str]; 57] = [
        &["demo"],
        &["task", "create", "a"],
        &["task", "create", "b", "--parent", "TASK-0001"],
        &["task", "list"],
        &["task", "show", "TASK-0001"],
        &["task", "update", "TASK-0001", "--title", "c"],
        &["task", "block", "TASK-0001", "--reason", "r"],
        &["task", "unblock", "TASK-0001"],
        &["task", "complete", "TASK-0001"],
        &["task", "export", "--out", backlog],
        &["task", "import", backlog],
        &["task", "delete", "TASK-0001"],
        &["resource", "write", "a.md", "--content", "x"],
        &["resource", "list"],
        &["resource", "show", "a.md"],
        &["remember", "the tests run in CI", "--state-key", "ci"],
        &["search", "tests"],
        &["search", "tests", "--explain", "--full"],
        &["memory", "list"],
        &["memory", "search", "tests"],
        &["memory", "show", "0"],
        &["feedback", "0", "--outcome", "helpful"],
        &["forget", "0"],
        &["log", "append", "--kind", "read", "--content", "x", "--session", "s"],
        &["log", "append", "--batch", lines],
        &["log", "tail"],
        &["log", "export", "--output", file],
        &["log", "import", file],
        &["log", "purge", "--kind", "read", "--reason", "r", "--dry-run"],
        &["log", "purge", "--kind", "read", "--reason", "r"],
        &["session", "list"],
        &["session", "show"],
        &["session", "status"],
        &["session", "state"],
        &["session", "state", "--patch", "{\"a\":1}"],
        &["session", "end"],
        &["session", "resume"],
        &["token", "create", "laptop"],
        &["token", "list"],
        &["token", "revoke", "laptop"],
        &["project", "show"],
        &["project", "list"],
        &["project", "rename", "renamed"],
        &["project", "alias", "aliased"],
        &["project", "adopt", "other"],
        &["config", "show"],
        &["config", "show", "--default"],
        &["config", "set", "session.idle_after", "2h"],
        &["jobs", "list"],
        &["jobs", "run"],
        &["jobs", "retry"],
        &["install", "codex", "--dry-run"],
        &["uninstall", "codex"],
        &["doctor"],
        &["check"],
        &["repair"],
        &["migrate"],
    ];
    for command in commands {
        let answer = home.json(command);
        assert!(answer.is_object(), "{command:?}: {answer}");
        assert_eq!(answer.get("error"), None, "{command:?}");
    }
    let answer = home.json(&["completions", "bash"]);
    assert_eq!(answer["shell"], "bash");
    let pages = home.path().join("pages");
    assert!(home.json(&["man", pages.to_str().unwrap()])["pages"].as_u64().unwrap() > 100);
    let page = fs::read_to_string(pages.join("throughline-task-create.1")).unwrap();
    assert!(page.contains("What is to be done, in a few words"), "{page}");
}

fn a_reader_that_has_seen_enough_is_no_failure(home: &Home) {
    let lines: Vec<Json> = (0..3000)
        .map(|n| json!({"kind": "read", "content": format!("line {n} {}", "x".repeat(60))}))
        .collect();
    home.batch(&lines);
    for command in [
        &["log", "tail", "-n", "3000"][..],
        &["log", "export"],
        &["log", "tail", "-n", "3000", "--json"],
        &["completions", "zsh"],
    ] {
        let mut child = home.call(command).spawn();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{command:?}");
    }
}

#[test]
fn a_failure_is_one_json_document_too() {
    let home = Home::sqlite();
    let ran = home.call(&["session", "show", "nobody", "--json"]).run();
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let problem: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        problem,
        json!({"error": {
            "kind": "not_found",
            "message": "there is no session \"nobody\" in this project; `throughline session list` shows those there are",
        }})
    );
    let ran = home.call(&["log", "purge", "--reason", "r", "--json"]).run();
    let problem: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &problem["error"]["kind"]), (2, &json!("usage")));
    let ran = home.call(&["log", "import", "/does/not/exist", "--json"]).run();
    let problem: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &problem["error"]["kind"]), (1, &json!("failed")));
}

#[test]
fn wrong_usage_exits_with_2() {
    let home = Home::sqlite();
    let wrong: [&[&str]; 9] = [
        &["nonsense"],
        &["log", "nonsense"],
        &["log", "append"],
        &["log", "append", "--kind", "read", "--client", "c"],
        &["log", "append", "--kind", "read", "--batch", "-"],
        &["log", "tail", "--limit", "many"],
        &["log", "tail", "--nonsense"],
        &["session", "state", "--if-version", "1"],
        &["completions", "tcsh"],
    ];
    for command in wrong {
        home.call(command).run().refuses();
    }
    shows!(home, home.call(&["logg"]).run().refuses(), @r"
    error: unrecognized subcommand 'logg'

      tip: a similar subcommand exists: 'log'

    Usage: throughline [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0, "nothing was made");
}

#[test]
fn without_a_command_the_help_is_shown() {
    let home = Home::sqlite();
    let help = home.call(&[]).run().refuses();
    assert_eq!(help, home.ok(&["--help"]));
    assert_eq!(home.ok(&["--version"]), format!("throughline {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_shell_gets_its_completions() {
    let home = Home::sqlite();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = home.ok(&["completions", shell]);
        assert!(script.contains("throughline") && script.contains("purge"), "{shell}");
    }
}

#[test]
fn the_data_folder_is_the_platforms_unless_it_is_named() {
    let home = Home::sqlite();
    home.call(&["log", "append", "--kind", "read"]).without("THROUGHLINE_HOME").ok();
    assert!(home.path().join("user/.local/share/throughline/throughline.db").is_file());
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0);
}

#[test]
fn logs_go_to_stderr() {
    let home = Home::sqlite();
    home.ok(&["log", "append", "--kind", "read", "--at", "2h"]);
    let ran = home.call(&["jobs", "run", "--json"]).env("THROUGHLINE_LOG", "debug").run();
    serde_json::from_str::<Json>(&ran.stdout).unwrap();
    assert!(ran.stderr.contains("job run"), "{}", ran.stderr);
}

#[test]
fn help_of_the_program() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["--help"]), @r"
    The context and memory engine for AI coding agents: what agents and people did on a project is never
    lost

    Usage: throughline [OPTIONS] <COMMAND>

    Commands:
      demo         See it at work: a week of two agents on a sample project, then its dashboard
      orient       Where the project stands
      context      Everything that matters for an item, inside a token budget
      search       Find what the project knows: memories, decisions, events, tasks, resources
      expand       The full text of what a search showed in short
      remember     Keep a statement as a memory
      forget       Make memories be found no more; `log purge` of their events erases the text as well
      feedback     Say how useful memories were
      decide       Record what was chosen about a subject, why, and instead of what
      belief       Beliefs and why they are as sure as they are: list, show, adjust
      pattern      What recurs in finished sessions: mine, list, approve
      graph        Everything that is linked, as JSON or for Graphviz
      memory       Memories: list, show, search, generate, review, approve, reject, archive, feedback,
                   sync
      model        The model that helps, if one was chosen: status, test
      mcp          The tools for agents over MCP, on stdin and stdout
      install      Connect a client: its hooks, the MCP server, slash commands
      uninstall    Take out of a client's settings what `install` wrote, and nothing else
      task         The work: list, show, create, update, complete, block, unblock, delete, import,
                   export
      resource     Documents beside the work: list, show, write
      hook         Take in one event of a coding agent on stdin, and answer it; never fails, what went
                   wrong is told by `doctor`
      export       Everything of the project as JSON lines, for `import project`
      import       Bring in what was there before: sessions of clients, git, memory files, other memory
                   tools
      log          The log: append, tail, export, import, purge
      session      Sessions: list, show, status, state, reconstruct, end, resume, compact
      set          What an agent holds, in tiers: save, load, diff, tiers, flash, stats, archive, delete
      checkpoint   What a session stood at: save, list, show, diff, restore
      handoff      What one role passes to the next: give, take, list
      project      Projects: which one this is, and how it is recognised
      config       Settings: what is in force and from where
      index        The search index: status, run, watch, search, file, rebuild
      jobs         Background jobs: list, run, retry
      eval         Measure retrieval on public question sets
      bench        Measure what the product costs at real sizes
      serve        The interface, its live stream and MCP over HTTP, and background work
      token        Who may come in over the network: create, list, revoke
      doctor       Find and explain what is wrong, and with --fix set it right
      check        Check the database, the laws of the log, the search index and the jobs
      repair       Set right what `check` finds; of a damaged file, save every row that can be read
      backup       Copy the database to one verified file
      restore      Put a backup in the place of the database
      migrate      Bring the database's schema up to what this program knows
      completions  Print the completion script for a shell
      man          Write the manual pages, one for each command

    Options:
      -h, --help     Print help
      -V, --version  Print version

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
}

#[test]
fn help_of_log() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["log", "--help"]), @r"
    The log: append, tail, export, import, purge

    Usage: throughline log [OPTIONS] <COMMAND>

    Commands:
      append  Record an event, or many
      tail    Show the newest events
      export  Write the log as JSON lines: the project's audit log
      import  Read JSON lines that `export` wrote; what is there already is skipped
      purge   Erase what events say, for privacy; a tombstone stays

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["log", "append", "--help"]), @r"
    Record an event, or many

    Usage: throughline log append [OPTIONS]

    Options:
          --kind <KIND>           What happened [possible values: user_message, model_message,
                                  tool_call, tool_result, read, write, search, decision,
                                  validation_gate, memory_recall, item_created, item_updated,
                                  item_deleted, resource_written, task_completed, handoff, checkpoint,
                                  system_event]
          --session <SESSION>     The session: its id or the client's own; opened when unknown [default:
                                  your own]
          --client <CLIENT>       The client that the session belongs to
          --content <TEXT>        The text; - reads it from stdin
          --content-file <FILE>   A file with the text
          --summary <TEXT>        One line for people [default: the content's first]
          --target <TEXT>         What it was done to: a file, a command, a subject
          --parts <JSON>          Structured details as JSON
          --item <ID>             The item it touches
          --triggered-by <EVENT>  The earlier event that led to it
          --informs <MEMORY>      The memory it informs
          --rationale <TEXT>      Why it was done
          --key <KEY>             The same key twice is one event
          --role <ROLE>           Whose voice it is [default: follows from the kind] [possible values:
                                  user, assistant, tool, system]
          --at <TIME>             When it happened [default: now]
          --chatmode <ROLE>       The role the agent is in; another than before ends the session of the
                                  other
          --workflow <NAME>       The workflow, when this opens the session
          --skill <NAME>          The skill, when this opens the session
          --ends-session          The client's session ended with this
          --batch <FILE>          Read events as JSON lines and record all or none; - is stdin
          --stream <FILE>         Read events as JSON lines and record each at once, with an answer line
                                  for each; - is stdin
      -h, --help                  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["log", "tail", "--help"]), @r"
    Show the newest events

    Usage: throughline log tail [OPTIONS]

    Options:
      -n, --limit <N>          How many events at most [default: 20]
      -f, --follow             Go on printing new events; with --json one document a line
          --session <SESSION>  Only this session: an id or its beginning, or the client's own id for all
                               its roles
          --item <ID>          Only events that touch this item
          --kind <KIND>        Only this kind; may be repeated [possible values: user_message,
                               model_message, tool_call, tool_result, read, write, search, decision,
                               validation_gate, memory_recall, item_created, item_updated, item_deleted,
                               resource_written, task_completed, handoff, checkpoint, system_event]
          --by <ACTOR>         Only by this actor
          --since <TIME>       At this time or later: 2026-11-15T03:31:18Z, 2026-11-15, or how long ago:
                               2h
          --until <TIME>       Before this time
          --after <POSITION>   After this position of the log
          --before <POSITION>  Before this position of the log
      -h, --help               Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["log", "export", "--help"]), @r"
    Write the log as JSON lines: the project's audit log

    Usage: throughline log export [OPTIONS]

    Options:
      -o, --output <FILE>      The file to write; it appears only when complete [default: stdout]
          --session <SESSION>  Only this session: an id or its beginning, or the client's own id for all
                               its roles
          --item <ID>          Only events that touch this item
          --kind <KIND>        Only this kind; may be repeated [possible values: user_message,
                               model_message, tool_call, tool_result, read, write, search, decision,
                               validation_gate, memory_recall, item_created, item_updated, item_deleted,
                               resource_written, task_completed, handoff, checkpoint, system_event]
          --by <ACTOR>         Only by this actor
          --since <TIME>       At this time or later: 2026-11-15T03:31:18Z, 2026-11-15, or how long ago:
                               2h
          --until <TIME>       Before this time
          --after <POSITION>   After this position of the log
          --before <POSITION>  Before this position of the log
      -h, --help               Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["log", "import", "--help"]), @r"
    Read JSON lines that `export` wrote; what is there already is skipped

    Usage: throughline log import [OPTIONS] <FILE>

    Arguments:
      <FILE>  The file to read; - is stdin

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["log", "purge", "--help"]), @r"
    Erase what events say, for privacy; a tombstone stays

    Usage: throughline log purge [OPTIONS] --reason <TEXT> [EVENT]...

    Arguments:
      [EVENT]...  Events by id; checkpoints and summaries of their sessions quote them and go as well

    Options:
          --reason <TEXT>      Why; kept with the tombstones
          --dry-run            Only say how many events it would be
          --session <SESSION>  Only this session: an id or its beginning, or the client's own id for all
                               its roles
          --item <ID>          Only events that touch this item
          --kind <KIND>        Only this kind; may be repeated [possible values: user_message,
                               model_message, tool_call, tool_result, read, write, search, decision,
                               validation_gate, memory_recall, item_created, item_updated, item_deleted,
                               resource_written, task_completed, handoff, checkpoint, system_event]
          --by <ACTOR>         Only by this actor
          --since <TIME>       At this time or later: 2026-11-15T03:31:18Z, 2026-11-15, or how long ago:
                               2h
          --until <TIME>       Before this time
          --after <POSITION>   After this position of the log
          --before <POSITION>  Before this position of the log
      -h, --help               Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
}

#[test]
fn help_of_session() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["session", "--help"]), @r"
    Sessions: list, show, status, state, reconstruct, end, resume, compact

    Usage: throughline session [OPTIONS] <COMMAND>

    Commands:
      list         The sessions, newest activity first
      show         What happened in a session, the newest part that fits
      status       How a session stands: duration, events, tokens, scratchpad, settings
      reconstruct  What a session did, decided and left open, told again
      state        Read or change the scratchpad
      end          End a session and write its summary
      resume       Open an ended session again
      compact      Let the older part give way to a summary, now

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["session", "list", "--help"]), @r"
    The sessions, newest activity first

    Usage: throughline session list [OPTIONS]

    Options:
      -n, --limit <N>        How many at most [default: 20]
          --open             Only those that have not ended
          --chatmode <ROLE>  Only in this role
      -h, --help             Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["session", "show", "--help"]), @r"
    What happened in a session, the newest part that fits

    Usage: throughline session show [OPTIONS] [SESSION]

    Arguments:
      [SESSION]  An id, the client's own id, or the beginning of either [default: the newest]

    Options:
          --turns <N>       At most so many turns; a turn begins with a user's message
          --max-tokens <N>  At most so many tokens
          --held            What is held before a model: the newest summary and what came after
      -h, --help            Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["session", "status", "--help"]), @r"
    How a session stands: duration, events, tokens, scratchpad, settings

    Usage: throughline session status [OPTIONS] [SESSION]

    Arguments:
      [SESSION]  An id, the client's own id, or the beginning of either [default: the newest]

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["session", "state", "--help"]), @r"
    Read or change the scratchpad

    Usage: throughline session state [OPTIONS] [SESSION]

    Arguments:
      [SESSION]  An id, the client's own id, or the beginning of either [default: the newest]

    Options:
          --patch <JSON>          A JSON merge patch: null removes a key, objects merge, the rest
                                  replaces; - reads it from stdin
          --if-version <VERSION>  Refuse when the scratchpad has another version by now
      -h, --help                  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["session", "end", "--help"]), @r"
    End a session and write its summary

    Usage: throughline session end [OPTIONS] [SESSION]

    Arguments:
      [SESSION]  An id, the client's own id, or the beginning of either [default: the newest]

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["session", "resume", "--help"]), @r"
    Open an ended session again

    Usage: throughline session resume [OPTIONS] [SESSION]

    Arguments:
      [SESSION]  An id, the client's own id, or the beginning of either [default: the newest]

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

#[test]
fn help_of_project_config_and_jobs() {
    let home = Home::sqlite();
    assert_eq!(home.ok(&["help", "config", "show"]), home.ok(&["config", "show", "--help"]));
    shows!(home, home.ok(&["project", "--help"]), @r"
    Projects: which one this is, and how it is recognised

    Usage: throughline project [OPTIONS] <COMMAND>

    Commands:
      show    The project of this folder
      list    All projects in the database
      rename  Give this project another name; the old one stays valid
      alias   Let a further name stand for this project
      adopt   Make this folder and its repository belong to an existing project

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["project", "rename", "--help"]), @r"
    Give this project another name; the old one stays valid

    Usage: throughline project rename [OPTIONS] <NAME>

    Arguments:
      <NAME>  The new name

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["config", "--help"]), @r"
    Settings: what is in force and from where

    Usage: throughline config [OPTIONS] <COMMAND>

    Commands:
      show  Every setting, its value, and where it comes from
      set   Change a setting

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["config", "show", "--help"]), @r"
    Every setting, its value, and where it comes from

    Usage: throughline config show [OPTIONS] [KEY]

    Arguments:
      [KEY]  Only this setting, or those of this table: session.idle_after, session

    Options:
          --default  The documented defaults instead
      -h, --help     Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["config", "set", "--help"]), @r"
    Change a setting

    Usage: throughline config set [OPTIONS] <KEY> <VALUE>

    Arguments:
      <KEY>
              For instance session.idle_after

      <VALUE>
              As it stands in the file; text needs no quotes

    Options:
          --scope <SCOPE>
              Whose settings

              Possible values:
              - user:    Your own settings
              - project: The project's .throughline.toml, shared with the team
              
              [default: user]

      -h, --help
              Print help (see a summary with '-h')

    Everywhere:
          --json
              Print one JSON document and nothing else

          --database <URL>
              The database: sqlite:PATH or postgres://… [default: throughline.db in THROUGHLINE_HOME]

          --project <NAME>
              The project by name [default: found from the folder]

          --actor <ACTOR>
              Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["jobs", "--help"]), @r"
    Background jobs: list, run, retry

    Usage: throughline jobs [OPTIONS] <COMMAND>

    Commands:
      list   The jobs of this project, the next one first
      run    Carry out every job that is due, of all projects
      retry  Give this project's dead jobs another life

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["jobs", "list", "--help"]), @r"
    The jobs of this project, the next one first

    Usage: throughline jobs list [OPTIONS]

    Options:
      -n, --limit <N>  How many at most [default: 50]
      -h, --help       Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["jobs", "run", "--help"]), @r"
    Carry out every job that is due, of all projects

    Usage: throughline jobs run [OPTIONS]

    Options:
          --watch  Go on and wait for more
      -h, --help   Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
}

#[test]
fn help_of_the_rest() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["demo", "--help"]), @r"
    See it at work: a week of two agents on a sample project, then its dashboard

    Usage: throughline demo [OPTIONS]

    Options:
          --keep      Keep the demo's folder and say how to go on with it
          --no-serve  End after telling, without the dashboard; so does --json
          --open      Open the dashboard in your browser
      -h, --help      Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["doctor", "--help"]), @r"
    Find and explain what is wrong, and with --fix set it right

    Usage: throughline doctor [OPTIONS]

    Options:
          --no-ask  Only reads the settings of agents; does not start them to hear what they make of
                    them
          --fix     Sets right what can be: settings that cannot be read, and what `repair` does. What
                    is replaced is kept
      -h, --help    Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["check", "--help"]), @r"
    Check the database, the laws of the log, the search index and the jobs

    Usage: throughline check [OPTIONS]

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["repair", "--help"]), @r"
    Set right what `check` finds; of a damaged file, save every row that can be read

    Usage: throughline repair [OPTIONS]

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["backup", "--help"]), @r"
    Copy the database to one verified file

    Usage: throughline backup [OPTIONS] [FILE]

    Arguments:
      [FILE]  Where to; must not exist yet [default: a file named after the time, in backups beside the
              database]

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["restore", "--help"]), @r"
    Put a backup in the place of the database

    Usage: throughline restore [OPTIONS] <FILE>

    Arguments:
      <FILE>  The backup

    Options:
          --force  Replace a database that is there; it is kept in backups beside it
      -h, --help   Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["migrate", "--help"]), @r"
    Bring the database's schema up to what this program knows

    Usage: throughline migrate [OPTIONS]

    Options:
          --dry-run  Only say what would be applied
      -h, --help     Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["completions", "--help"]), @r"
    Print the completion script for a shell

    Usage: throughline completions [OPTIONS] <SHELL>

    Arguments:
      <SHELL>  [possible values: bash, elvish, fish, powershell, zsh]

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

#[test]
fn wrong_usage_says_what_to_write() {
    let home = Home::sqlite();
    let wrong: [(&[&str], &str); 3] = [
        (&["search", "x", "-n", "many"], "write a whole number"),
        (&["install", "claude"], "did you mean claude-code?"),
        (&["config", "set", "hooks.enabled", "ja"], "write true or false"),
    ];
    for (args, fix) in wrong {
        let said = home.call(args).run().refuses();
        assert!(said.contains(fix), "{args:?}: {said}");
    }
}
