//! Where clients keep their settings: the one place that asks for home, environment and operating system.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// Whose settings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    /// Your own settings, for all projects
    User,
    /// The files of this project, which a team may share
    Project,
}

impl Scope {
    pub(crate) const ALL: [Scope; 2] = [Scope::User, Scope::Project];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Scope::User => "user",
            Scope::Project => "project",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    Mac,
    Windows,
}

impl System {
    fn this() -> System {
        match () {
            () if cfg!(windows) => System::Windows,
            () if cfg!(target_os = "macos") => System::Mac,
            () => System::Linux,
        }
    }
}

/// The folders that clients start from; each knows the variables that move it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    Project,
    Home,
    /// `CLAUDE_CONFIG_DIR`
    Claude,
    /// Where `.claude.json` lies: beside the folder, or in it when it was moved.
    ClaudeState,
    /// `CODEX_HOME`
    Codex,
    /// `COPILOT_HOME`
    Copilot,
    /// `OPENCODE_CONFIG_DIR`
    OpenCode,
    /// The profile folder of VS Code.
    CodeUser,
    Goose,
    /// `CLINE_DIR`
    Cline,
    /// The folder of Cline's MCP settings: `CLINE_DATA_DIR`; `CLINE_MCP_SETTINGS_PATH` names the file itself.
    ClineSettings,
}

#[derive(Debug, Clone)]
pub(super) struct Places {
    pub(super) system: System,
    home: PathBuf,
    project: PathBuf,
    env: HashMap<&'static str, PathBuf>,
}

const ASKED_FOR: [&str; 11] = [
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "XDG_CONFIG_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "OPENCODE_CONFIG_DIR",
    "CLINE_DIR",
    "CLINE_DATA_DIR",
    "CLINE_MCP_SETTINGS_PATH",
];

impl Places {
    pub(super) fn of_this_machine(project: &Path) -> Result<Places> {
        let set = |name: &&'static str| {
            let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
            Some((*name, PathBuf::from(value)))
        };
        let env = ASKED_FOR.iter().filter_map(set).collect();
        Places::new(System::this(), env, dirs::home_dir(), project)
    }

    /// `otherwise` is the home of a system that keeps it elsewhere than in the environment.
    fn new(
        system: System,
        env: HashMap<&'static str, PathBuf>,
        otherwise: Option<PathBuf>,
        project: &Path,
    ) -> Result<Places> {
        let named = if system == System::Windows { "USERPROFILE" } else { "HOME" };
        let home = env.get(named).cloned().or(otherwise);
        let home = home.with_context(|| format!("this system names no home folder; set {named}"))?;
        Ok(Places { system, home, project: project.to_owned(), env })
    }

    pub(super) fn folder(&self, base: Base) -> PathBuf {
        match base {
            Base::Project => self.project.clone(),
            Base::Home => self.home.clone(),
            Base::Claude => self.moved("CLAUDE_CONFIG_DIR", ".claude"),
            Base::ClaudeState => self.env.get("CLAUDE_CONFIG_DIR").unwrap_or(&self.home).clone(),
            Base::Codex => self.moved("CODEX_HOME", ".codex"),
            Base::Copilot => self.moved("COPILOT_HOME", ".copilot"),
            Base::OpenCode => match self.env.get("OPENCODE_CONFIG_DIR") {
                Some(moved) => moved.clone(),
                None => self.xdg_config().join("opencode"),
            },
            Base::CodeUser => self.program_settings().join("Code").join("User"),
            Base::Goose => match self.system {
                System::Windows => self.program_settings().join("Block").join("goose").join("config"),
                System::Linux | System::Mac => self.xdg_config().join("goose"),
            },
            Base::Cline => self.moved("CLINE_DIR", ".cline"),
            Base::ClineSettings => self.cline_settings(),
        }
    }

    /// `path` is written with `/` whatever the system.
    pub(super) fn path(&self, base: Base, path: &str) -> PathBuf {
        if let (Base::ClineSettings, Some(file)) = (base, self.env.get("CLINE_MCP_SETTINGS_PATH")) {
            return file.clone();
        }
        let mut whole = self.folder(base);
        whole.extend(path.split('/'));
        whole
    }

    /// A path as people write it.
    pub(super) fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(rest) if self.system != System::Windows => Path::new("~").join(rest).display().to_string(),
            _ => path.display().to_string(),
        }
    }

    fn moved(&self, variable: &str, name: &str) -> PathBuf {
        self.env.get(variable).cloned().unwrap_or_else(|| self.home.join(name))
    }

    /// Programs that follow XDG do so on every system.
    fn xdg_config(&self) -> PathBuf {
        self.moved("XDG_CONFIG_HOME", ".config")
    }

    fn program_settings(&self) -> PathBuf {
        match self.system {
            System::Linux => self.xdg_config(),
            System::Mac => self.home.join("Library").join("Application Support"),
            System::Windows => {
                self.env.get("APPDATA").cloned().unwrap_or_else(|| self.home.join("AppData").join("Roaming"))
            }
        }
    }

    fn cline_settings(&self) -> PathBuf {
        let data = self.env.get("CLINE_DATA_DIR").cloned();
        data.unwrap_or_else(|| self.folder(Base::Cline).join("data")).join("settings")
    }
}

#[cfg(test)]
mod tests;
