//! `throughline hook`: takes in one event of a coding agent and answers it. Whatever happens, it answers in time, in the
//! client's own format, and exits 0: an agent must never suffer from what watches it.

use std::io::{self, Read as _};
use std::panic;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use throughline_engine::clock::Clock;

use super::output::Output;
use crate::config::{HookSettings, Overrides, home, non_empty_env};
use crate::door::Door;
use crate::hooks::{self, Client, Delivered, Failure, Heard, Place};
use crate::wire::error::message;

#[derive(Debug, Clone, clap::Args)]
pub(super) struct Args {
    /// The agent whose event this is: claude-code, codex, gemini-cli, opencode, cursor, vscode, copilot-cli, windsurf,
    /// cline, goose
    #[arg(value_name = "CLIENT", value_parser = str::parse::<Client>)]
    client: Client,
    /// What the event is called, for agents that do not say so in it; or the event itself, for Codex's `notify`
    #[arg(value_name = "EVENT")]
    event: Option<String>,
}

impl Args {
    /// As clients call it. An agent waits for each of its hooks, and knowing every command takes longer than this.
    pub(super) fn at_once() -> Option<Args> {
        let mut args = std::env::args_os().skip(1).map(|arg| arg.into_string().ok());
        if args.next()?? != "hook" {
            return None;
        }
        let client = args.next()??.parse().ok()?;
        let event = args.next().map(|event| event.filter(|event| !event.starts_with('-')));
        let is_all = args.next().is_none();
        match event {
            None => Some(Args { client, event: None }),
            Some(event) => Some(Args { client, event: Some(event?) }).filter(|_| is_all),
        }
    }
}

const MAX_INPUT_BYTES: u64 = 16 << 20;
/// How long the client may take to say what it has to say; what comes after is our own time.
const INPUT_DEADLINE: Duration = Duration::from_secs(1);

/// What the hook has understood so far; whoever ends it early answers from here.
#[derive(Debug, Default)]
struct Known {
    heard: Option<(Heard, Place)>,
    is_answered: bool,
}

type Shared = Arc<Mutex<Known>>;

/// What the work tells the one who waits for it.
enum Told {
    /// How long what is left to do may take.
    Deadline(Duration),
    Done(Result<Delivered>),
}

pub(super) fn run(args: &Args, overrides: Overrides, output: &Output) -> Result<ExitCode> {
    let hook = Hook { client: args.client, known: Shared::default() };
    if non_empty_env("THROUGHLINE_HOOKS").as_deref() == Some("off") {
        hook.answer(output, None);
        return Ok(ExitCode::SUCCESS);
    }
    hook.survive_panics();
    let (sender, receiver) = mpsc::channel();
    let work = {
        let (args, known) = (args.clone(), hook.known.clone());
        move || work(&args, &overrides, &known, &sender)
    };
    if let Err(error) = thread::Builder::new().name("hook".to_owned()).spawn(work) {
        hook.fail(&format!("cannot start: {error}"), output);
    }
    let mut wait = INPUT_DEADLINE;
    loop {
        match receiver.recv_timeout(wait) {
            Ok(Told::Deadline(deadline)) => wait = deadline,
            Ok(Told::Done(Ok(delivered))) => {
                let code = hook.delivered(&delivered, output);
                // What is left is tidying up, and the client may still wait for the end of the process.
                let _ = receiver.recv_timeout(wait);
                return Ok(code);
            }
            Ok(Told::Done(Err(error))) => {
                if hooks::is_hopeless(&error) {
                    lock(&hook.known).heard.take();
                }
                return Ok(hook.fail(&message(&error), output));
            }
            Err(RecvTimeoutError::Timeout) => {
                return Ok(hook.fail(&format!("not done after {} ms", wait.as_millis()), output));
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(hook.fail("ended without an answer", output)),
        }
    }
}

/// Whether somebody tried to call a hook; then a wrong call must not look to the agent like an objection.
pub(super) fn is_meant() -> bool {
    std::env::args().skip(1).find(|arg| !arg.starts_with('-')).as_deref() == Some("hook")
}

pub(super) fn misused(problem: &str) -> ExitCode {
    let output = Output::new(false);
    output.hand_over("{}");
    // What is missing stands in the lines below; how the command is used comes after a gap.
    let said: Vec<&str> = problem.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let problem = said.join(" ");
    record_failure("unknown", None, &problem, &output);
    ExitCode::SUCCESS
}

fn work(args: &Args, overrides: &Overrides, known: &Shared, told: &Sender<Told>) {
    let tell = |what| {
        // Nobody listens any more: the answer was given without this.
        let _ = told.send(what);
    };
    let mut opened = None;
    let done = heard(args).and_then(|heard| {
        tell(Told::Deadline(HookSettings::default().inject_deadline));
        let Some(heard) = heard else { return Ok(Delivered::default()) };
        let place = Place::of(&heard)?;
        lock(known).heard = Some((heard.clone(), place.clone()));
        let door = opened.insert(Door::at(overrides, place.folder.clone(), |_| ())?);
        let settings = &door.config.hooks;
        if !settings.enabled {
            return Ok(Delivered::default());
        }
        let place = place.named_by(&door.config);
        lock(known).heard = Some((heard.clone(), place.clone()));
        let may_inject = heard.injects();
        tell(Told::Deadline(if may_inject { settings.inject_deadline } else { settings.deadline }));
        hooks::deliver(door, &heard, &place)
    });
    let is_done = done.is_ok();
    tell(Told::Done(done));
    if let Some(door) = opened.filter(|_| is_done) {
        door.close();
    }
}

fn heard(args: &Args) -> Result<Option<Heard>> {
    let (event, input) = match &args.event {
        Some(event) if event.starts_with('{') => (None, event.clone().into_bytes()),
        event => (event.as_deref(), read_input()?),
    };
    let payload = serde_json::from_slice(&input).context("the event is no JSON")?;
    args.client.hear(event, &payload, Clock::system().now()).map_err(|why| anyhow!(why))
}

/// All of it is read, so that the client is not left with a broken pipe.
fn read_input() -> Result<Vec<u8>> {
    let mut stdin = io::stdin().lock();
    let mut input = Vec::new();
    stdin.by_ref().take(MAX_INPUT_BYTES + 1).read_to_end(&mut input).context("cannot read the event")?;
    if input.len() as u64 > MAX_INPUT_BYTES {
        io::copy(&mut stdin, &mut io::sink()).context("cannot read the event")?;
        bail!("the event has more than {MAX_INPUT_BYTES} bytes");
    }
    Ok(input)
}

struct Hook {
    client: Client,
    known: Shared,
}

impl Hook {
    fn delivered(&self, delivered: &Delivered, output: &Output) -> ExitCode {
        self.answer(output, delivered.context.as_deref());
        let event = self.event();
        for problem in &delivered.problems {
            record_failure(self.client.name(), event.as_deref(), problem, output);
        }
        ExitCode::SUCCESS
    }

    /// Answers without what could not be done, puts aside what was heard, and leaves a note.
    fn fail(&self, problem: &str, output: &Output) -> ExitCode {
        self.answer(output, None);
        let event = self.event();
        let heard = lock(&self.known).heard.take();
        let kept = heard
            .filter(|(heard, _)| !heard.observations.is_empty())
            .map(|(heard, place)| put_aside(&heard, &place));
        record_failure(self.client.name(), event.as_deref(), problem, output);
        if let Some(Err(error)) = kept {
            record_failure(self.client.name(), event.as_deref(), &message(&error), output);
        }
        ExitCode::SUCCESS
    }

    fn event(&self) -> Option<String> {
        lock(&self.known).heard.as_ref().map(|(heard, _)| heard.event.clone())
    }

    /// Prints the answer, unless somebody has. Under the lock, so that nobody ends the process in between; what could
    /// panic is done before.
    fn answer(&self, output: &Output, context: Option<&str>) {
        let heard = lock(&self.known).heard.clone();
        let text = self.client.answer(heard.as_ref().map(|(heard, _)| heard), context);
        let mut known = lock(&self.known);
        if !std::mem::replace(&mut known.is_answered, true) {
            output.hand_over(&text);
        }
    }

    /// A panic would end the process with a status that the agent takes for a refusal, so it ends here.
    fn survive_panics(&self) {
        let hook = Hook { client: self.client, known: self.known.clone() };
        panic::set_hook(Box::new(move |info| {
            hook.fail(&format!("panicked: {info}"), &Output::new(false));
            std::process::exit(0);
        }));
    }
}

fn put_aside(heard: &Heard, place: &Place) -> Result<()> {
    hooks::keep(&home()?, heard, place, Clock::system().now())
}

fn record_failure(client: &str, event: Option<&str>, problem: &str, output: &Output) {
    output.say(&format!("throughline hook: {problem}"));
    let failure = Failure {
        at: Clock::system().now().0,
        client: client.to_owned(),
        event: event.map(str::to_owned),
        problem: problem.to_owned(),
    };
    let written = home().and_then(|home| Ok(hooks::add_failure(&home, &failure)?));
    if let Err(error) = written {
        output.say(&format!("throughline hook: this could not be noted: {}", message(&error)));
    }
}

/// What is known stays true when somebody panicked while holding it.
fn lock(known: &Shared) -> std::sync::MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}
