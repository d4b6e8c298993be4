//! Whether a command provides what an error says is missing: then one failure is enough to know what to do first.

use crate::shell::words;

/// What an error says, and what is done about such: parts of the words of a command line.
const PROVIDING: [(&[&str], &[&str]); 8] = [
    (
        &[
            "no module named",
            "modulenotfound",
            "cannot find module",
            "can't resolve",
            "couldn't resolve",
            "could not resolve",
            "not installed",
            "must be installed",
            "command not found",
            "cannot open shared object",
            "could not find package",
            "missing dependency",
            "unmet dependency",
            "unlinked crate",
            "no such module",
            "cannot find package",
            "cannot load such file",
            "could not find gem",
            "no required module",
        ],
        &[
            "install",
            "add",
            "restore",
            "sync",
            "download",
            "get",
            "ci",
            "i",
            "require",
            "bundle",
            "update",
            "vendor",
            "bootstrap",
            "setup",
        ],
    ),
    (
        &[
            "connection refused",
            "could not connect",
            "couldn't connect",
            "can't connect",
            "cannot connect",
            "econnrefused",
            "is the server running",
        ],
        &["up", "start", "restart", "serve", "run", "boot"],
    ),
    (
        &[
            "does not exist",
            "doesn't exist",
            "no such table",
            "pendingmigration",
            "migrations are pending",
            "pending migration",
            "unapplied migration",
        ],
        &[
            "migrate",
            "migration",
            "migrations",
            "upgrade",
            "create",
            "createdb",
            "setup",
            "seed",
            "prepare",
            "init",
            "push",
        ],
    ),
    (
        &[
            "no such file",
            "couldn't read",
            "could not read",
            "hasn't been generated",
            "not been generated",
            "does not contain",
            "file not found",
            "cannot find",
        ],
        &[
            "generate",
            "gen",
            "codegen",
            "build",
            "compile",
            "build_runner",
            "proto",
            "submodule",
            "prebuild",
            "prepare",
            "fetch",
            "pull",
            "lfs",
            "init",
        ],
    ),
    // What a compiler does not know may be what nobody has generated yet.
    (
        &[
            "unresolved reference",
            "unresolved import",
            "cannot find symbol",
            "undefined: ",
            "no exported member",
            "does not exist on type",
            "unknown field",
            "undefined name",
        ],
        &["generate", "gen", "codegen", "build_runner", "proto", "protoc", "prebuild"],
    ),
    (&["permission denied"], &["chmod", "chown"]),
    (
        &[
            "incompatible",
            "unsupported engine",
            "unsupported version",
            "requires node",
            "requires python",
            "requires ruby",
            "wrong version",
        ],
        &["use", "install", "local", "switch", "upgrade", "shell"],
    ),
    (
        &[
            "no valid credential",
            "unauthorized",
            "unauthenticated",
            "not logged in",
            "token has expired",
            "expired token",
            "authentication required",
        ],
        &["login", "auth", "configure"],
    ),
];
/// What was built by something else is built anew.
const STALE: [&str; 4] = ["compiled with", "compiled by", "cannot be imported by", "stale"];

pub(super) fn is_provided(error: &str, line: &str) -> bool {
    let error = error.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| error.contains(phrase));
    let words = words(line).into_iter().filter(|word| !word.starts_with('-'));
    let told: Vec<String> = words.flat_map(parts).collect();
    let does = |act: &str| told.iter().any(|word| word == act);
    let is_told = |acts: &[&str]| acts.iter().any(|act| does(act));
    let cleans = || says(&STALE) && (does("rm") || does("clean"));
    PROVIDING.iter().any(|(errors, acts)| says(errors) && is_told(acts)) || cleans()
}

/// `:db:generateJooq`: whole, by its signs, and by its humps.
fn parts(word: &str) -> Vec<String> {
    let mut parts = vec![word.to_lowercase()];
    for part in word.split([':', '/', '-', '.']) {
        parts.push(part.to_lowercase());
        let hump = part.find(|c: char| c.is_ascii_uppercase()).filter(|at| *at > 0);
        parts.extend(hump.map(|at| part[..at].to_lowercase()));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::is_provided;

    #[test]
    fn what_is_missing_is_provided_by_what_provides_such() {
        for (error, line) in [
            ("Error: Cannot find module 'ajv'", "npm install ajv"),
            ("ActiveRecord::PendingMigrationError", "bin/rails db:migrate RAILS_ENV=test"),
            ("bash: ./gradlew: Permission denied", "chmod +x gradlew"),
            ("couldn't read `src/gen.rs`: No such file or directory", "buf generate"),
            ("connect: connection refused", "docker compose up -d postgres"),
            ("e: Reader.kt:19:21 Unresolved reference 'SEATS'.", "./gradlew :db:generateJooq"),
        ] {
            assert!(is_provided(error, line), "{line}");
        }
        for (error, line) in [
            ("AssertionError: 3 != 4", "npm install ajv"),
            ("connection refused", "npm install ajv"),
            ("Cannot find module 'ajv'", "docker compose up -d"),
        ] {
            assert!(!is_provided(error, line), "{line}");
        }
    }
}
