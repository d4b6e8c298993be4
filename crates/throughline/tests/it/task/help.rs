//! The help of the commands about the work.

use crate::fixture::{Home, shows};

#[test]
fn help_of_tasks() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["task", "--help"]), @"
    The work: list, show, create, update, complete, block, unblock, delete, import, export

    Usage: throughline task [OPTIONS] <COMMAND>

    Commands:
      list      The items, what changed last first
      show      Items whole
      create    Add an item
      update    Change an item
      complete  Finish an item
      block     The work on an item cannot go on
      unblock   The work on an item can go on
      delete    Take items out of the backlog; what was below them moves up
      import    Items from markdown files, GitHub-style issues or beads; again doubles nothing
      export    The backlog as markdown files, GitHub-style issues or beads

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["task", "create", "--help"]), @"
    Add an item

    Usage: throughline task create [OPTIONS] <TITLE>

    Arguments:
      <TITLE>  What is to be done, in a few words

    Options:
      -d, --description <TEXT>       All about it; - reads it from stdin
          --type <TYPE>              What sort of item: task, epic, milestone, folder, artifact
                                     [default: task]
          --parent <ID>              The item it belongs to
          --reference <URL[=TITLE]>  What to read for it; may be given several times
          --depends-on <ID>          What must come first; may be given several times
          --blocks <ID>              What waits for it; may be given several times
          --priority <PRIORITY>      How urgent: critical, high, medium, low, lowest, or 0 to 4
          --due <DATE>               Until when: a date, or a time
          --no-context               Isolated work: no history and no code is put beside it
          --session <SESSION>        The session it belongs to: its id or the client's own; opened when
                                     unknown [default: your own]
          --client <CLIENT>          The client that the session belongs to
      -h, --help                     Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["task", "update", "--help"]), @"
    Change an item

    Usage: throughline task update [OPTIONS] <ID>

    Arguments:
      <ID>  Its id

    Options:
          --title <TEXT>             What is to be done, in a few words
      -d, --description <TEXT>       All about it; - reads it from stdin
          --status <STATUS>          open, in_progress, blocked, done or cancelled
          --parent <ID>              The item it belongs to
          --reference <URL[=TITLE]>  What to read for it, in place of what was; may be given several
                                     times
          --depends-on <ID>          What must come first, in place of what did; may be given several
                                     times
          --blocks <ID>              What waits for it, in place of what did; may be given several times
          --evidence <TEXT>          What shows that it is done, in place of what did; may be given
                                     several times
          --add-evidence <TEXT>      The same, beside what is there
          --blocked-reason <TEXT>    Why it is blocked, in place of why it was; may be given several
                                     times
          --priority <PRIORITY>      How urgent: critical, high, medium, low, lowest, or 0 to 4
          --due <DATE>               Until when: a date, or a time
          --context <CONTEXT>        What is put beside it: history and code (required), or nothing
                                     (isolated) [possible values: required, isolated]
          --summary <TEXT>           What was done
          --clear <FIELD>            Empty a field; may be given several times [possible values:
                                     description, parent, references, depends-on, blocks, evidence,
                                     blocked-reason, priority, due, context, summary, validation]
          --session <SESSION>        The session it belongs to: its id or the client's own; opened when
                                     unknown [default: your own]
          --client <CLIENT>          The client that the session belongs to
      -h, --help                     Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["task", "list", "--help"]), @"
    The items, what changed last first

    Usage: throughline task list [OPTIONS]

    Options:
          --status <STATUS>  Only these: open, in_progress, blocked, done, cancelled; may be given
                             several times
          --type <TYPE>      Only this type: task, epic, milestone, folder, artifact
          --parent <ID>      Only those directly below this item
          --query <TEXT>     Only those about this, the best first
      -n, --limit <N>        How many at most [default: 20]
          --cursor <CURSOR>  Go on where the last answer ended
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
fn help_of_import_and_export() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["task", "import", "--help"]), @"
    Items from markdown files, GitHub-style issues or beads; again doubles nothing

    Usage: throughline task import [OPTIONS] <FILE>...

    Arguments:
      <FILE>...  Files, or folders of markdown files; - is stdin

    Options:
          --format <FORMAT>    What they are written in [default: auto] [possible values: auto,
                               markdown, issues, beads]
          --session <SESSION>  The session it belongs to: its id or the client's own; opened when
                               unknown [default: your own]
          --client <CLIENT>    The client that the session belongs to
      -h, --help               Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["task", "export", "--help"]), @"
    The backlog as markdown files, GitHub-style issues or beads

    Usage: throughline task export [OPTIONS]

    Options:
          --format <FORMAT>  What to write [default: markdown] [possible values: markdown, issues,
                             beads]
      -o, --out <PATH>       The file to write, or the folder for markdown files [default: stdout]
      -h, --help             Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["task", "complete", "--help"]), @"
    Finish an item

    Usage: throughline task complete [OPTIONS] <ID>

    Arguments:
      <ID>  Its id

    Options:
          --summary <TEXT>     What was done [default: made from the title, the evidence and the files
                               that were written]
          --evidence <TEXT>    What shows it; may be given several times
          --valid              It was checked and holds
          --invalid            It was checked and does not hold
          --report <TEXT>      What the check said
          --session <SESSION>  The session it belongs to: its id or the client's own; opened when
                               unknown [default: your own]
          --client <CLIENT>    The client that the session belongs to
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
fn help_of_resources() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["resource", "--help"]), @"
    Documents beside the work: list, show, write

    Usage: throughline resource [OPTIONS] <COMMAND>

    Commands:
      list   The resources, what was written last first
      show   The text of a resource
      write  Write a resource, or change one place in it

    Options:
      -h, --help  Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
    shows!(home, home.ok(&["resource", "write", "--help"]), @"
    Write a resource, or change one place in it

    Usage: throughline resource write [OPTIONS] <--content <TEXT>|--file <FILE>|--append <TEXT>|--insert <TEXT>|--replace <TEXT>> <URI>

    Arguments:
      <URI>  Its address or path: throughline://resource/notes/plan.md, or notes/plan.md

    Options:
          --content <TEXT>     The whole text, in place of what is there; - reads it from stdin
          --file <FILE>        A file that has the whole text; - is stdin
          --append <TEXT>      A text to put at the end
          --insert <TEXT>      Lines to put after a line (--after-line)
          --after-line <N>     After which line; 0 is before the first
          --replace <TEXT>     A text that occurs exactly once, to be replaced (--with)
          --with <TEXT>        What takes its place
          --session <SESSION>  The session it belongs to: its id or the client's own; opened when
                               unknown [default: your own]
          --client <CLIENT>    The client that the session belongs to
      -h, --help               Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
}
