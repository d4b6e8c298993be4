//! The help of the commands that remember and find.

use crate::fixture::{Home, shows};

#[test]
fn help_of_search() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["search", "--help"]), @"
    Find what the project knows: memories, decisions, events, tasks, resources

    Usage: throughline search [OPTIONS] <QUERY>

    Arguments:
      <QUERY>  What to find: words, a question, a name, a path

    Options:
          --kind <KIND>   Only these kinds, or memories of these kinds; may be given several times
                          [possible values: memory, decision, belief, event, task, resource, code, fact,
                          preference, rule, skill, context]
          --tag <TAG>     Only memories with this tag; with all of them when given several times [alias:
                          --tags]
          --since <TIME>  Not older than this: a time, or how long ago
      -n, --limit <N>     How many at most [default: 10]
          --full          The whole text of each
          --explain       How each score came about
      -h, --help          Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["memory", "search", "--help"]), @r"
    Find memories alone

    Usage: throughline memory search [OPTIONS] <QUERY>

    Arguments:
      <QUERY>  What to find

    Options:
          --scope <SCOPE>    Only this scope: user, session, app or all [possible values: user, session,
                             app, all]
          --category <KIND>  Only memories of this kind; may be given several times [alias: --kind]
                             [possible values: fact, preference, rule, skill, context, decision, belief]
          --tag <TAG>        Only with this tag; with all of them when given several times [alias:
                             --tags]
      -n, --limit <N>        How many at most [default: 10]
          --full             The whole text of each
          --explain          How each score came about
      -h, --help             Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
}

#[test]
fn help_of_expand() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["expand", "--help"]), @"
    The full text of what a search showed in short

    Usage: throughline expand [OPTIONS] <ID>...

    Arguments:
      <ID>...  Ids of memories, events and items; addresses of resources

    Options:
          --max-tokens <N>  At most so many tokens of text
      -h, --help            Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
}

#[test]
fn help_of_remember_forget_and_feedback() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["remember", "--help"]), @r"
    Keep a statement as a memory

    Usage: throughline remember [OPTIONS] <TEXT>...

    Arguments:
      <TEXT>...  The statement; - reads it from stdin

    Options:
          --title <TEXT>        A short name for it [default: the beginning of the text]
          --kind <KIND>         What sort of statement it is [default: fact] [possible values: fact,
                                preference, rule, skill, context, decision, belief]
          --scope <SCOPE>       Whom it concerns [default: app] [possible values: user, session, app]
          --tag <TAG>           A tag to search by; may be given several times, or several with commas
                                [alias: --tags]
          --importance <SHARE>  How much it matters, 0 to 1 [default: follows from the kind]
          --confidence <SHARE>  How sure it is, 0 to 1 [default: follows from the source]
          --source <SOURCE>     Where it comes from; what a tool said is not found before somebody
                                confirms it [default: explicit] [possible values: explicit, implicit,
                                bootstrap, tool_output]
          --state-key <KEY>     What this is the present value of; it takes the place of the value
                                before
          --supersedes <ID>     The memory it takes the place of
          --expires <TIME>      When it stops being true: a time, or in how long (30m, 2h, 3d) [alias:
                                --expires-at]
          --occurred-at <TIME>  When it happened [default: now]
          --cites <PLACE>       Code that it is about: PATH, PATH:LINE or PATH:FIRST-LAST; may be given
                                several times [default: what the text names]
          --session <SESSION>   The session it comes from: its id or the client's own; opened when
                                unknown [default: your own]
          --client <CLIENT>     The client that the session belongs to
      -h, --help                Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["forget", "--help"]), @r"
    Make memories be found no more; `log purge` of their events erases the text as well

    Usage: throughline forget [OPTIONS] <ID>...

    Arguments:
      <ID>...  The memories, by id or the beginning of it

    Options:
          --reason <TEXT>  Why; kept with the memory
      -h, --help           Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["feedback", "--help"]), @r"
    Say how useful memories were

    Usage: throughline feedback [OPTIONS] --outcome <OUTCOME> <ID>...

    Arguments:
      <ID>...  The memories, by id or the beginning of it

    Options:
          --outcome <OUTCOME>  How they were [possible values: helpful, not_helpful, misleading,
                               outdated]
          --note <TEXT>        What happened; kept in the log
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
fn help_of_memory() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["memory", "--help"]), @r"
    Memories: list, show, search, generate, review, approve, reject, archive, feedback, sync

    Usage: throughline memory [OPTIONS] <COMMAND>

    Commands:
      list      The memories, newest first
      show      A memory with where it came from
      search    Find memories alone
      generate  Turn what sessions said into memories now
      review    Memories that wait for somebody's word, with why
      approve   Let memories that wait be found, and bring back archived and superseded ones
      reject    Drop memories that wait
      archive   Put away what was never used and is hardly believed any more
      feedback  Say how useful memories were
      sync      Bring memories and the project's memory files in step, both ways

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["memory", "list", "--help"]), @r"
    The memories, newest first

    Usage: throughline memory list [OPTIONS]

    Options:
      -n, --limit <N>        How many at most [default: 20]
          --kind <KIND>      Only these kinds; may be given several times [possible values: fact,
                             preference, rule, skill, context, decision, belief]
          --scope <SCOPE>    Only this scope [possible values: user, session, app]
          --tag <TAG>        Only with this tag
          --state-key <KEY>  Only values of this state key
          --all              Also those that were superseded, forgotten or have expired, and those in
                             quarantine
      -h, --help             Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["memory", "show", "--help"]), @r"
    A memory with where it came from

    Usage: throughline memory show [OPTIONS] <ID>

    Arguments:
      <ID>  Its id, or the beginning of it

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    assert_eq!(
        home.ok(&["memory", "feedback", "--help"]).replace("memory feedback", "feedback"),
        home.ok(&["feedback", "--help"])
    );
}

#[test]
fn help_of_eval() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["eval", "--help"]), @r"
    Measure retrieval on public question sets

    Usage: throughline eval [OPTIONS] <COMMAND>

    Commands:
      locomo         Conversations in the format of LoCoMo
      longmemeval    Questions over many sessions in the format of LongMemEval, all sessions of the
                     files as one haystack
      extraction     Which lines and stretches of work become memories, and which should
      consolidation  What pairs of statements are to each other: the same, refined, opposite, unrelated
      compaction     What compaction spares over long simulated sessions, and whether what later steps
                     need is still there
      commits        Whether the files that past commits changed are found by what the commits say
      history        What is remembered after weeks of sessions with changes, repetitions and traps, and
                     whether it is what holds
      stated         Whether a fact that is told in many wordings is one memory, what contradicts it
                     replaces it, and the rest stays
      weigh          Write what pairs of statements are weighed by, for fitting

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["eval", "locomo", "--help"]), @r"
    Conversations in the format of LoCoMo

    Usage: throughline eval locomo [OPTIONS] <FILE>...

    Arguments:
      <FILE>...  JSON files of the set

    Options:
          --questions <N>  Only the first questions of each haystack
      -h, --help           Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["eval", "longmemeval", "--help"]), @r"
    Questions over many sessions in the format of LongMemEval, all sessions of the files as one haystack

    Usage: throughline eval longmemeval [OPTIONS] <FILE>...

    Arguments:
      <FILE>...  JSON files of the set

    Options:
          --questions <N>  Only the first questions of each haystack
      -h, --help           Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
}
