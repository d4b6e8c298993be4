//! What build tools know of the project: their own files, read as far as they can be.

use serde_json::Value as Json;
use toml::Table;

use super::files::Files;

#[derive(Default)]
pub(super) struct Manifests {
    pub(super) cargo: Option<Table>,
    pub(super) pyproject: Option<Table>,
    pub(super) package: Option<Json>,
    pub(super) composer: Option<Json>,
    pub(super) deno: Option<Json>,
}

impl Manifests {
    /// A file that is broken or cut off says nothing.
    pub(super) fn of(files: &Files) -> Manifests {
        let table = |name: &str| files.has(name).then(|| files.text(name)?.parse::<Table>().ok()).flatten();
        let json = |name: &str| {
            files.has(name).then(|| serde_json::from_str::<Json>(&files.text(name)?).ok()).flatten()
        };
        Manifests {
            cargo: table("Cargo.toml"),
            pyproject: table("pyproject.toml"),
            package: json("package.json"),
            composer: json("composer.json"),
            deno: json("deno.json"),
        }
    }

    pub(super) fn description(&self) -> Option<&str> {
        let of_cargo = self.cargo.as_ref().and_then(|cargo| {
            let of_workspace = || below(cargo, &["workspace", "package", "description"])?.as_str();
            below(cargo, &["package", "description"]).and_then(toml::Value::as_str).or_else(of_workspace)
        });
        let python = self.pyproject.as_ref();
        let of_python = || below(python?, &["project", "description"])?.as_str();
        let of_poetry = || below(python?, &["tool", "poetry", "description"])?.as_str();
        let of_json = |manifest: &'static str| {
            let manifest = if manifest == "package" { &self.package } else { &self.composer };
            manifest.as_ref()?.get("description")?.as_str()
        };
        of_cargo
            .or_else(of_python)
            .or_else(of_poetry)
            .or_else(|| of_json("package"))
            .or_else(|| of_json("composer"))
    }
}

pub(super) fn below<'a>(table: &'a Table, path: &[&str]) -> Option<&'a toml::Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(table.get(*first)?, |value, name| value.get(name))
}
