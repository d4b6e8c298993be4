//! The texts that we give to clients: slash commands, the skill, rules for clients whose hooks cannot say anything.

use super::client::CommandStyle;
use super::program::{NAME, Program};

/// By this a text of ours is known again when the ledger is lost.
pub(super) const MARK: &str = "written by `throughline install`; `throughline uninstall` removes it";

struct Command {
    name: &'static str,
    description: &'static str,
    arguments: &'static str,
    body: &'static str,
}

const COMMANDS: [Command; 5] = [
    Command {
        name: "session-status",
        description: "How this session stands",
        arguments: "[session id]",
        body: include_str!("../../assets/commands/session-status.md"),
    },
    Command {
        name: "memory-recall",
        description: "What the project remembers about something",
        arguments: "what to recall",
        body: include_str!("../../assets/commands/memory-recall.md"),
    },
    Command {
        name: "reconstruct",
        description: "Take up earlier work where it stopped",
        arguments: "[session id]",
        body: include_str!("../../assets/commands/reconstruct.md"),
    },
    Command {
        name: "handoff",
        description: "Write down what the next agent or person needs to go on",
        arguments: "[who goes on]",
        body: include_str!("../../assets/commands/handoff.md"),
    },
    Command {
        name: "remember",
        description: "Keep something for later sessions",
        arguments: "[what to keep]",
        body: include_str!("../../assets/commands/remember.md"),
    },
];

/// File names and what the files say.
pub(super) fn commands(style: CommandStyle) -> impl Iterator<Item = (String, String)> {
    COMMANDS.iter().map(move |command| match style {
        CommandStyle::Markdown => (format!("{}.md", command.name), markdown(command)),
        CommandStyle::Plain => {
            let text = format!("<!-- {MARK} -->\n# {}\n\n{}", command.description, command.body);
            (format!("{}.md", command.name), text.replace("$ARGUMENTS", "(what the user wrote)"))
        }
        CommandStyle::Toml => (format!("{}.toml", command.name), toml(command)),
        CommandStyle::Prompt => (format!("{}.prompt.md", command.name), prompt(command)),
    })
}

pub(super) fn skill(_: &Program) -> String {
    let text = include_str!("../../assets/rules/skill.md");
    text.replacen("---\n\n", &format!("---\n<!-- {MARK} -->\n\n"), 1)
}

/// For Cursor: in every conversation.
pub(super) fn cursor_rule(_: &Program) -> String {
    let description = "description: The memory of this project";
    format!("---\n{description}\nalwaysApply: true\n---\n<!-- {MARK} -->\n{RULE}")
}

/// For Windsurf: in every conversation.
pub(super) fn windsurf_rule(_: &Program) -> String {
    format!("---\ntrigger: always_on\n---\n<!-- {MARK} -->\n{RULE}")
}

/// For clients that read plugins of the open format.
pub(super) fn open_plugin(_: &Program) -> String {
    let manifest = serde_json::json!({
        "name": NAME,
        "version": env!("CARGO_PKG_VERSION"),
        "description": format!("The memory of this project; {MARK}"),
    });
    format!("{manifest:#}\n")
}

/// The plugin of OpenCode, which starts this program for each event.
pub(super) fn opencode_plugin(program: &Program) -> String {
    let path = serde_json::Value::from(program.path());
    let plugin = include_str!("../../assets/opencode-plugin.js");
    let plugin = plugin.replacen("const PROGRAM = \"throughline\";", &format!("const PROGRAM = {path};"), 1);
    format!("// {MARK}\n{plugin}")
}

/// The mark goes below the line that names the shell.
pub(super) fn marked_script(script: &str) -> String {
    match script.split_once('\n') {
        Some((shell, rest)) if shell.starts_with("#!") => format!("{shell}\n# {MARK}\n{rest}"),
        _ => format!("# {MARK}\r\n{script}"),
    }
}

const RULE: &str = include_str!("../../assets/rules/rule.md");

fn markdown(command: &Command) -> String {
    let Command { description, arguments, body, .. } = command;
    format!("---\ndescription: {description}\nargument-hint: \"{arguments}\"\n---\n<!-- {MARK} -->\n{body}")
}

fn toml(command: &Command) -> String {
    let body = command.body.replace("$ARGUMENTS", "{{args}}");
    format!("# {MARK}\ndescription = \"{}\"\nprompt = \"\"\"\n{body}\"\"\"\n", command.description)
}

fn prompt(command: &Command) -> String {
    let body = command.body.replace("$ARGUMENTS", "${input:arguments}");
    format!("---\ndescription: {}\nmode: agent\n---\n<!-- {MARK} -->\n{body}", command.description)
}
