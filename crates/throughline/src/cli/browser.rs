//! Shows an address in the person's browser, where somebody asked for it.

use std::io;
use std::process::{Command, Stdio};

/// Starts it and waits for nothing.
#[expect(clippy::disallowed_methods, reason = "only where the person says --open")]
pub(super) fn open(url: &str) -> io::Result<()> {
    let (program, before): (&str, &[&str]) = match () {
        () if cfg!(target_os = "macos") => ("open", &[]),
        () if cfg!(windows) => ("rundll32", &["url.dll,FileProtocolHandler"]),
        () => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(before).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}
