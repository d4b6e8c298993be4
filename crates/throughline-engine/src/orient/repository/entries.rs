//! Where the program begins: what manifests name, then what files are called where languages have a custom.

use serde_json::Value as Json;

use super::files::Files;
use super::manifest::{Manifests, below};
use super::prose;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPoint {
    /// From the top of the folder.
    pub path: String,
    /// What begins there: a program by its name, a library.
    pub what: String,
}

const MAX: usize = 200;

/// Those that are there, the first mention of each. What a manifest names comes first.
pub(super) fn entry_points(files: &Files, manifests: &Manifests) -> Vec<EntryPoint> {
    let mut found: Vec<EntryPoint> = vec![];
    let named =
        of_cargo(manifests).into_iter().chain(of_package(manifests)).chain(of_python(files, manifests));
    for (path, what) in named.chain(by_custom(files)) {
        let path = path.trim_start_matches("./").to_owned();
        let is_known = found.iter().any(|entry| entry.path == path);
        if !is_known && files.has(&path) && found.len() < MAX {
            found.push(EntryPoint { path: prose::line(&path, 120), what: prose::line(&what, 60) });
        }
    }
    found
}

type Named = (String, String);

fn of_cargo(manifests: &Manifests) -> Vec<Named> {
    let Some(cargo) = &manifests.cargo else { return vec![] };
    let package = below(cargo, &["package", "name"]).and_then(toml::Value::as_str).unwrap_or("program");
    let bins = cargo.get("bin").and_then(toml::Value::as_array).into_iter().flatten();
    let mut named: Vec<Named> = bins
        .map(|bin| {
            let name = bin.get("name").and_then(toml::Value::as_str).unwrap_or(package);
            let path = bin.get("path").and_then(toml::Value::as_str);
            let path = path.map_or_else(|| format!("src/bin/{name}.rs"), str::to_owned);
            (path, format!("program {name}"))
        })
        .collect();
    named.push(("src/main.rs".to_owned(), format!("program {package}")));
    let library = below(cargo, &["lib", "path"]).and_then(toml::Value::as_str).unwrap_or("src/lib.rs");
    named.push((library.to_owned(), format!("library {package}")));
    named
}

fn of_package(manifests: &Manifests) -> Vec<Named> {
    let Some(package) = &manifests.package else { return vec![] };
    let name = package.get("name").and_then(Json::as_str).unwrap_or("program");
    let mut named: Vec<Named> = match package.get("bin") {
        Some(Json::String(path)) => vec![(path.clone(), format!("program {name}"))],
        Some(Json::Object(bins)) => bins
            .iter()
            .filter_map(|(name, path)| Some((path.as_str()?.to_owned(), format!("program {name}"))))
            .collect(),
        _ => vec![],
    };
    let exported = package.get("exports").and_then(|exports| exports.get(".").or(Some(exports)));
    let exported = exported.and_then(|exported| match exported {
        Json::String(path) => Some(path.as_str()),
        other => ["import", "default", "require"].iter().find_map(|way| other.get(way)?.as_str()),
    });
    let main = ["main", "module"].iter().find_map(|field| package.get(field)?.as_str());
    named.extend(exported.into_iter().chain(main).map(|path| (path.to_owned(), "main module".to_owned())));
    if named.is_empty() {
        named.push(("index.js".to_owned(), "main module".to_owned()));
    }
    named
}

/// `name = "package.module:function"`
fn of_python(files: &Files, manifests: &Manifests) -> Vec<Named> {
    let Some(pyproject) = &manifests.pyproject else { return vec![] };
    let tables = [["project", "scripts"].as_slice(), &["tool", "poetry", "scripts"]];
    let scripts = tables.into_iter().filter_map(|path| below(pyproject, path)?.as_table()).flatten();
    let mut named: Vec<Named> = scripts
        .filter_map(|(name, target)| {
            let module = target.as_str()?.split(':').next()?.replace('.', "/");
            let ways = [format!("{module}.py"), format!("{module}/__init__.py")];
            let ways = ways.iter().flat_map(|way| [way.clone(), format!("src/{way}")]);
            Some((ways.into_iter().find(|way| files.has(way))?, format!("program {name}")))
        })
        .collect();
    let name = below(pyproject, &["project", "name"]).and_then(toml::Value::as_str);
    let package = name.map(|name| name.to_lowercase().replace('-', "_"));
    for package in package.into_iter().flat_map(|name| [format!("src/{name}"), name]) {
        named.push((format!("{package}/__init__.py"), "package".to_owned()));
    }
    named
}

/// Files by where they are and what they are called.
fn by_custom(files: &Files) -> Vec<Named> {
    let mut named: Vec<Named> =
        files.names().filter_map(|path| Some((path.to_owned(), customary(path)?))).collect();
    // Programs before examples of them.
    named.sort_by_key(|(path, _)| is_aside(path));
    named
}

fn is_aside(path: &str) -> bool {
    path.split('/').any(|part| {
        [
            "example",
            "examples",
            "test",
            "tests",
            "fixtures",
            "testdata",
            "docs",
            "fuzz",
            "benches",
            "benchmarks",
        ]
        .contains(&part)
    })
}

fn customary(path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let parent = folder.rsplit('/').next().unwrap_or_default();
    let owner = folder.strip_suffix("/src").and_then(|owner| owner.rsplit('/').next());
    let program = |name: &str| Some(format!("program {name}"));
    match name {
        "main.rs" => program(owner.unwrap_or(parent)),
        "lib.rs" if owner.is_some() => Some(format!("library {}", owner.unwrap_or_default())),
        "main.go" if folder.is_empty() => program("of the module"),
        "main.go" => program(parent),
        "__main__.py" => Some(format!("python -m {parent}")),
        "manage.py" | "artisan" | "config.ru" if folder.is_empty() => program(name),
        "app.py" | "main.py" | "wsgi.py" | "asgi.py" if folder.is_empty() || parent == "src" => program(name),
        "index.ts" | "index.tsx" | "index.js" | "main.ts" | "main.tsx" | "server.ts" | "server.js"
        | "app.js"
            if folder.is_empty() || parent == "src" =>
        {
            Some("main module".to_owned())
        }
        "index.php" if folder.is_empty() || parent == "public" => program("of the site"),
        "main.c" | "main.cc" | "main.cpp" | "main.swift" | "main.zig" | "Program.cs" | "Main.java"
        | "Main.kt" => program(if parent == "src" { owner.unwrap_or(parent) } else { parent }),
        _ if folder.ends_with("src/bin") && name.ends_with(".rs") => program(name.trim_end_matches(".rs")),
        _ => None,
    }
}
