//! What a build tool usually takes, where the project says nothing of its own.

use super::commands::{Command, Does};
use super::files::Files;
use super::manifest::{Manifests, below};
use super::tasks::package_manager;

/// Files that say enough by being there; one that ends like this, where it begins with a star.
const USUAL: [(&str, &[(Does, &str)]); 19] = [
    ("go.mod", &[(Does::Build, "go build ./..."), (Does::Test, "go test ./...")]),
    ("mvnw", &[(Does::Build, "./mvnw package"), (Does::Test, "./mvnw test")]),
    ("pom.xml", &[(Does::Build, "mvn package"), (Does::Test, "mvn test")]),
    ("gradlew", &[(Does::Build, "./gradlew build"), (Does::Test, "./gradlew test")]),
    ("build.gradle", &[(Does::Build, "gradle build"), (Does::Test, "gradle test")]),
    ("build.gradle.kts", &[(Does::Build, "gradle build"), (Does::Test, "gradle test")]),
    ("*.sln", &[(Does::Build, "dotnet build"), (Does::Test, "dotnet test")]),
    ("*.csproj", &[(Does::Build, "dotnet build"), (Does::Test, "dotnet test")]),
    ("mix.exs", &[(Does::Setup, "mix deps.get"), (Does::Test, "mix test")]),
    ("Package.swift", &[(Does::Build, "swift build"), (Does::Test, "swift test")]),
    ("build.zig", &[(Does::Build, "zig build"), (Does::Test, "zig build test")]),
    ("build.sbt", &[(Does::Build, "sbt compile"), (Does::Test, "sbt test")]),
    ("*.cabal", &[(Does::Build, "cabal build"), (Does::Test, "cabal test")]),
    ("dune-project", &[(Does::Build, "dune build"), (Does::Test, "dune test")]),
    ("MODULE.bazel", &[(Does::Build, "bazel build //..."), (Does::Test, "bazel test //...")]),
    (
        "meson.build",
        &[(Does::Build, "meson setup build && ninja -C build"), (Does::Test, "meson test -C build")],
    ),
    (
        "CMakeLists.txt",
        &[(Does::Build, "cmake -B build && cmake --build build"), (Does::Test, "ctest --test-dir build")],
    ),
    ("phpunit.xml.dist", &[(Does::Setup, "composer install"), (Does::Test, "vendor/bin/phpunit")]),
    ("manage.py", &[(Does::Test, "python manage.py test"), (Does::Run, "python manage.py runserver")]),
];

pub(super) fn of(files: &Files, manifests: &Manifests) -> Vec<Command> {
    let mut commands = cargo(files, manifests);
    commands.extend(node(files, manifests));
    commands.extend(python(files, manifests));
    commands.extend(ruby(files));
    for (pattern, usual) in USUAL {
        let Some(file) = at_top(files, pattern) else { continue };
        commands.extend(usual.iter().map(|(does, run)| command(*does, run, file)));
    }
    commands
}

fn command(does: Does, run: &str, source: &str) -> Command {
    Command { does, run: run.to_owned(), source: source.to_owned() }
}

fn at_top<'a>(files: &'a Files, pattern: &str) -> Option<&'a str> {
    files.names().take_while(|name| !name.contains('/')).find(|name| match pattern.strip_prefix('*') {
        Some(end) => name.ends_with(end),
        None => *name == pattern,
    })
}

fn cargo(files: &Files, manifests: &Manifests) -> Vec<Command> {
    let Some(cargo) = &manifests.cargo else { return vec![] };
    let all = if cargo.contains_key("workspace") { " --workspace" } else { "" };
    let mut commands = vec![
        command(Does::Build, "cargo build", "Cargo.toml"),
        command(Does::Test, &format!("cargo test{all}"), "Cargo.toml"),
    ];
    if files.has("src/main.rs") || cargo.contains_key("bin") {
        commands.push(command(Does::Run, "cargo run", "Cargo.toml"));
    }
    commands
}

fn node(files: &Files, manifests: &Manifests) -> Option<Command> {
    manifests.package.as_ref()?;
    Some(command(Does::Setup, &format!("{} install", package_manager(files, manifests)), "package.json"))
}

fn python(files: &Files, manifests: &Manifests) -> Vec<Command> {
    let has_tool = |tool: &str| {
        manifests.pyproject.as_ref().is_some_and(|pyproject| below(pyproject, &["tool", tool]).is_some())
    };
    let is_python = manifests.pyproject.is_some() || files.has("setup.py") || files.has("requirements.txt");
    if !is_python {
        return vec![];
    }
    let (setup, prefix) = match () {
        () if files.has("uv.lock") => ("uv sync", "uv run "),
        () if has_tool("poetry") => ("poetry install", "poetry run "),
        () if manifests.pyproject.is_none() && !files.has("setup.py") => {
            ("pip install -r requirements.txt", "")
        }
        () => ("pip install -e .", ""),
    };
    let known = ["pyproject.toml", "setup.py", "requirements.txt"];
    let source = known.into_iter().find(|name| files.has(name)).unwrap_or("requirements.txt");
    let tested_by = [
        (has_tool("tox") || files.has("tox.ini"), "tox"),
        (files.has("noxfile.py"), "nox"),
        (has_tool("pytest") || files.has("pytest.ini") || files.has_folder("tests"), "pytest"),
    ];
    let linted_by = [(has_tool("ruff") || files.has("ruff.toml"), "ruff check"), (has_tool("mypy"), "mypy")];
    let mut commands = vec![command(Does::Setup, setup, source)];
    // The quicker one is last in the list and first for whoever works.
    let tests = tested_by.iter().rev().filter(|(used, _)| *used);
    commands.extend(tests.map(|(_, run)| command(Does::Test, &format!("{prefix}{run}"), source)));
    let lints = linted_by.iter().filter(|(used, _)| *used);
    commands.extend(lints.map(|(_, run)| command(Does::Lint, &format!("{prefix}{run}"), source)));
    commands
}

fn ruby(files: &Files) -> Vec<Command> {
    if !files.has("Gemfile") {
        return vec![];
    }
    let mut commands = vec![command(Does::Setup, "bundle install", "Gemfile")];
    if files.has(".rspec") || files.has_folder("spec") {
        commands.push(command(Does::Test, "bundle exec rspec", "Gemfile"));
    } else if files.has("Rakefile") {
        commands.push(command(Does::Test, "bundle exec rake test", "Rakefile"));
    }
    commands
}
