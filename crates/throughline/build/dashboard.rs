//! Builds the dashboard where npm is there, and writes the list of its files for `src/http/dashboard`. Where it cannot be
//! built the list is empty, and the program says so instead of showing it.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

const SWITCH: &str = "THROUGHLINE_NO_DASHBOARD";
/// All that the page is made of; the rest of the folder are tests.
const SOURCES: [&str; 7] =
    ["src", "public", "index.html", "vite.config.ts", "package.json", "package-lock.json", ".npmrc"];
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

pub(crate) fn build() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dashboard");
    println!("cargo:rerun-if-env-changed={SWITCH}");
    for name in SOURCES.iter().filter(|name| source.join(name).exists()) {
        println!("cargo:rerun-if-changed={}", source.join(name).display());
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let page = out.join("dashboard");
    if let Err(why) = make(&source, &out, &page) {
        println!("cargo:warning=the dashboard is not in this build: {why}");
        fs::remove_dir_all(&page).or_else(unless_missing).expect("the build folder can be written");
    }
    fs::write(out.join("dashboard.rs"), list(&page)).expect("the build folder can be written");
}

fn make(source: &Path, out: &Path, page: &Path) -> Result<(), String> {
    if std::env::var_os(SWITCH).is_some() {
        return Err(format!("{SWITCH} is set"));
    }
    // Beside the folders of all build scripts, so that a change of another dependency does not install anything again.
    let place =
        out.ancestors().nth(3).expect("cargo puts OUT_DIR deep inside the target folder").join("dashboard");
    bring(source, &place).map_err(|error| format!("cannot copy its sources: {error}"))?;
    install(&place)?;
    let out_dir = page.display().to_string();
    run(&place, &["exec", "--offline", "--", "vite", "build", "--logLevel=error", "--outDir", &out_dir])
}

/// The build leaves nothing in the source tree.
fn bring(source: &Path, place: &Path) -> io::Result<()> {
    fs::create_dir_all(place)?;
    for name in SOURCES {
        let (from, to) = (source.join(name), place.join(name));
        if from.is_dir() {
            fs::remove_dir_all(&to).or_else(unless_missing)?;
            copy_folder(&from, &to)?;
        } else {
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Again only when what must be there has changed.
fn install(place: &Path) -> Result<(), String> {
    let text = |name: &str| fs::read(place.join(name)).map_err(|error| format!("{name}: {error}"));
    let wanted = text("package-lock.json")?;
    if text("installed.json").is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    run(place, &["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"])?;
    fs::write(place.join("installed.json"), wanted).map_err(|error| error.to_string())
}

#[expect(clippy::disallowed_methods, reason = "the build starts npm; the program itself starts nothing")]
fn run(place: &Path, args: &[&str]) -> Result<(), String> {
    let ended = Command::new(NPM).arg("--loglevel=error").args(args).current_dir(place).output();
    let ended =
        ended.map_err(|error| format!("npm does not start ({error}); install Node 20.19 or newer"))?;
    if ended.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&ended.stderr);
    let told = told.lines().filter(|line| !line.trim().is_empty()).take(4).collect::<Vec<_>>().join(" / ");
    Err(format!("npm {} failed: {told}", args[0]))
}

/// Rust for the list of files with their contents.
fn list(page: &Path) -> String {
    let mut files = Vec::new();
    find(page, &mut files);
    files.sort();
    let mut text = String::from("pub(super) const FILES: &[(&str, &[u8])] = &[\n");
    for file in files {
        let name =
            file.strip_prefix(page).expect("it was found there").display().to_string().replace('\\', "/");
        let _ = writeln!(text, "    ({name:?}, include_bytes!({:?})),", file.display().to_string());
    }
    text + "];\n"
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { find(&path, files) } else { files.push(path) }
    }
}

fn unless_missing(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}
