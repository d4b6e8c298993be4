//! A program that answers: the question on its stdin, the answer on its stdout. It is started without a shell, and does
//! not outlive its time.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::{CommandSettings, Completion, Error, Question, Result};

const MAX_ANSWER: u64 = 4 * 1024 * 1024;
/// Of what it says about a failure.
const MAX_COMPLAINT: u64 = 64 * 1024;
const EXCERPT: usize = 200;
/// A program that has closed its stdout is about to end.
const LAST_STEPS: u32 = 100;
const LAST_STEP: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub struct CommandModel {
    settings: CommandSettings,
}

impl CommandModel {
    pub(super) fn open(settings: &CommandSettings) -> Result<CommandModel> {
        if settings.program.as_os_str().is_empty() {
            return Err(Error::Invalid(
                "the model has no command: set model.command to a program and its arguments".into(),
            ));
        }
        Ok(CommandModel { settings: settings.clone() })
    }

    pub(super) fn name(&self) -> String {
        let program = self.settings.program.file_name().unwrap_or(self.settings.program.as_os_str());
        format!("command:{}{}", program.to_string_lossy(), self.marks())
    }

    pub(super) fn complete(&self, question: &Question, timeout: Duration) -> Result<Completion> {
        let mut running = Running::start(&self.settings)?;
        let said = running.converse(question.in_words());
        let Ok(answer) = said.recv_timeout(timeout) else {
            running.kill();
            let millis = timeout.as_millis();
            return Err(self.unavailable(&format!(
                "it did not answer within {millis} ms and was ended; raise model.timeout"
            )));
        };
        let answer = answer.map_err(|error| self.unavailable(&error.to_string()))?;
        if answer.len() as u64 > MAX_ANSWER {
            running.kill();
            return Err(Error::Answer(format!(
                "the answer of {} is longer than {MAX_ANSWER} bytes; see model.command",
                self.name()
            )));
        }
        match running.ended() {
            Some(status) if status.success() => {
                Ok(Completion { text: String::from_utf8_lossy(&answer).into_owned(), usage: None })
            }
            Some(status) => Err(self.unavailable(&format!(
                "it ended with {status}: {}; try the command by hand",
                running.complaint()
            ))),
            None => Err(self.unavailable("it closed its stdout and did not end; see model.command")),
        }
    }

    /// Other arguments may mean another model, and may hold what nobody else should read.
    fn marks(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.settings.arguments.hash(&mut hasher);
        match self.settings.arguments.is_empty() {
            true => String::new(),
            false => format!("#{:08x}", hasher.finish() as u32),
        }
    }

    fn unavailable(&self, why: &str) -> Error {
        Error::Unavailable(format!("the model's command {:?} failed: {why}", self.settings.program))
    }
}

/// The program, and what it complains about.
struct Running {
    child: Child,
    complaint: Receiver<Vec<u8>>,
}

impl Running {
    #[expect(clippy::disallowed_methods, reason = "the one program that may be started: the model's own")]
    fn start(settings: &CommandSettings) -> Result<Running> {
        let mut command = Command::new(&settings.program);
        command.args(&settings.arguments);
        // An agent that answers must not have its own work recorded as the person's.
        command.env("THROUGHLINE_HOOKS", "off");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            Error::Invalid(format!(
                "the model's command {:?} cannot be started: {error}; see model.command",
                settings.program
            ))
        })?;
        let mut stderr = child.stderr.take().expect("it was asked for");
        let (sender, complaint) = channel();
        thread::spawn(move || {
            let mut said = Vec::new();
            // What it complained about only adds to the error; what comes after is let go, so that it does not wait.
            let _ = (&mut stderr).take(MAX_COMPLAINT).read_to_end(&mut said);
            let _ = sender.send(said);
            let _ = std::io::copy(&mut stderr, &mut std::io::sink());
        });
        Ok(Running { child, complaint })
    }

    /// Tells it the question; its whole answer comes later.
    fn converse(&mut self, question: String) -> Receiver<std::io::Result<Vec<u8>>> {
        let mut stdin = self.child.stdin.take().expect("it was asked for");
        thread::spawn(move || {
            // A program may answer without having read everything.
            let _ = stdin.write_all(question.as_bytes());
        });
        let stdout = self.child.stdout.take().expect("it was asked for");
        let (sender, said) = channel();
        thread::spawn(move || {
            let mut answer = Vec::new();
            let read = stdout.take(MAX_ANSWER + 1).read_to_end(&mut answer);
            // Nobody listens any more when the time is over.
            let _ = sender.send(read.map(|_| answer));
        });
        said
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        for _ in 0..LAST_STEPS {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            thread::sleep(LAST_STEP);
        }
        self.kill();
        None
    }

    /// With everything that it started.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // Gone already is as good.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn complaint(&self) -> String {
        let said = self.complaint.recv_timeout(LAST_STEP * LAST_STEPS).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let mut excerpt = String::new();
        // Words are whole or left out: half a key is not known for one by whoever keeps this.
        for word in said.split_whitespace().take_while(|word| word.len() <= EXCERPT) {
            if excerpt.len() + word.len() > EXCERPT {
                break;
            }
            excerpt.push_str(word);
            excerpt.push(' ');
        }
        excerpt.trim_end().to_owned()
    }
}
