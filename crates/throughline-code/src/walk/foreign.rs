//! What lies in a project's folder and is not its source: told by names alone.

/// Folders of what others wrote, and of what tools keep.
const FOLDERS: [&str; 27] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    "node_modules",
    "bower_components",
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    ".venv",
    "venv",
    "site-packages",
    "__pycache__",
    ".tox",
    ".nox",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "Pods",
    "Carthage",
    ".gradle",
    ".next",
    ".nuxt",
    ".terraform",
    ".idea",
    ".throughline",
];

/// Files that programs write, keep secrets or hold what is not text.
const NAMES: [&str; 16] = [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "Cargo.lock",
    "poetry.lock",
    "uv.lock",
    "Pipfile.lock",
    "Gemfile.lock",
    "composer.lock",
    "go.sum",
    "flake.lock",
    "mix.lock",
    ".DS_Store",
    "gradle-wrapper.jar",
];

const ENDINGS: [&str; 18] = [
    ".min.js",
    ".min.css",
    ".map",
    ".snap",
    ".lock",
    ".pb.go",
    ".pb.cc",
    ".pb.h",
    "_pb2.py",
    "_pb2_grpc.py",
    "_pb2.pyi",
    ".g.dart",
    ".freezed.dart",
    ".designer.cs",
    ".generated.cs",
    ".generated.ts",
    ".generated.go",
    ".orig",
];

/// Sorted. Of files that are no text whatever is in them.
const BINARY: [&str; 80] = [
    "7z", "a", "aac", "ai", "avi", "avif", "bin", "bmp", "br", "bz2", "class", "crate", "dat", "db", "dll",
    "dmg", "doc", "docx", "dylib", "eot", "exe", "flac", "gif", "gz", "heic", "icns", "ico", "iso", "jar",
    "jks", "jpeg", "jpg", "key", "keystore", "lib", "lz4", "mkv", "mov", "mp3", "mp4", "mpg", "node", "npz",
    "o", "obj", "odt", "ogg", "otf", "p12", "pack", "pdb", "pdf", "pem", "pfx", "png", "ppt", "pptx", "psd",
    "pyc", "rar", "rlib", "so", "sqlite", "sqlite3", "tar", "tgz", "tif", "tiff", "ttf", "wasm", "wav",
    "webm", "webp", "woff", "woff2", "xls", "xlsx", "xz", "zip", "zst",
];

pub fn is_foreign_folder(name: &str) -> bool {
    FOLDERS.contains(&name)
}

/// Whether the file at this path is not to be read as source.
pub fn is_foreign(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let is_binary = ending.is_some_and(|ending| BINARY.binary_search(&ending.as_str()).is_ok());
    folder.split('/').any(is_foreign_folder)
        || is_binary
        || NAMES.contains(&name)
        || ENDINGS.iter().any(|ending| name.to_ascii_lowercase().ends_with(ending))
        || is_secret(name)
}

/// `.env` and its likes hold what nobody should find; their examples do not.
fn is_secret(name: &str) -> bool {
    let is_example = ["example", "sample", "template", "dist"].iter().any(|word| name.ends_with(word));
    (name == ".env" || name.starts_with(".env.")) && !is_example
        || name == ".netrc"
        || name.starts_with("id_rsa")
}

#[cfg(test)]
mod tests {
    use super::{BINARY, is_foreign};

    #[test]
    fn names_tell_what_is_not_the_projects_own() {
        for path in
            ["web/node_modules/x/a.js", "a.min.js", "Cargo.lock", "logo.PNG", ".env.local", "api/x.pb.go"]
        {
            assert!(is_foreign(path), "{path}");
        }
        for path in ["src/main.rs", ".github/workflows/ci.yml", ".env.example", "vendor.rs", "docs/keys.md"] {
            assert!(!is_foreign(path), "{path}");
        }
        assert!(BINARY.is_sorted());
    }
}
