//! Which language a file is in, from its name alone.

use std::fmt;
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    C,
    CSharp,
    Cpp,
    Go,
    Java,
    JavaScript,
    Json,
    Markdown,
    Php,
    Python,
    Ruby,
    Rust,
    Shell,
    Sql,
    Toml,
    TypeScript,
    Yaml,
}

impl Language {
    /// Rather than settings, data or text for people.
    pub fn is_code(self) -> bool {
        !matches!(self, Language::Json | Language::Markdown | Language::Toml | Language::Yaml)
    }

    /// Nothing when neither the name nor the extension is known.
    pub fn of_path(path: &str) -> Option<Language> {
        let path = Path::new(path);
        let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        Some(match extension.as_deref() {
            Some("c" | "h") => Language::C,
            Some("cs") => Language::CSharp,
            Some("cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx") => Language::Cpp,
            Some("go") => Language::Go,
            Some("java") => Language::Java,
            Some("js" | "jsx" | "mjs" | "cjs") => Language::JavaScript,
            Some("json" | "jsonc" | "jsonl") => Language::Json,
            Some("md" | "mdx" | "markdown") => Language::Markdown,
            Some("php") => Language::Php,
            Some("py" | "pyi") => Language::Python,
            Some("rb" | "rake" | "gemspec") => Language::Ruby,
            Some("rs") => Language::Rust,
            Some("sh" | "bash" | "zsh" | "fish") => Language::Shell,
            Some("sql") => Language::Sql,
            Some("toml") => Language::Toml,
            Some("ts" | "tsx" | "mts" | "cts") => Language::TypeScript,
            Some("yaml" | "yml") => Language::Yaml,
            _ => return Language::of_name(path.file_name()?.to_str()?),
        })
    }

    fn of_name(name: &str) -> Option<Language> {
        match name {
            "Gemfile" | "Rakefile" => Some(Language::Ruby),
            "Cargo.lock" => Some(Language::Toml),
            ".bashrc" | ".zshrc" | ".profile" => Some(Language::Shell),
            _ => None,
        }
    }
}

impl Language {
    pub const ALL: [Language; 17] = [
        Language::C,
        Language::CSharp,
        Language::Cpp,
        Language::Go,
        Language::Java,
        Language::JavaScript,
        Language::Json,
        Language::Markdown,
        Language::Php,
        Language::Python,
        Language::Ruby,
        Language::Rust,
        Language::Shell,
        Language::Sql,
        Language::Toml,
        Language::TypeScript,
        Language::Yaml,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Language::C => "C",
            Language::CSharp => "C#",
            Language::Cpp => "C++",
            Language::Go => "Go",
            Language::Java => "Java",
            Language::JavaScript => "JavaScript",
            Language::Json => "JSON",
            Language::Markdown => "Markdown",
            Language::Php => "PHP",
            Language::Python => "Python",
            Language::Ruby => "Ruby",
            Language::Rust => "Rust",
            Language::Shell => "shell",
            Language::Sql => "SQL",
            Language::Toml => "TOML",
            Language::TypeScript => "TypeScript",
            Language::Yaml => "YAML",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn names_and_extensions_tell_the_language() {
        let cases = [
            ("src/lib.rs", Some(Language::Rust)),
            ("App.TSX", Some(Language::TypeScript)),
            ("vendor/Gemfile", Some(Language::Ruby)),
            ("Cargo.lock", Some(Language::Toml)),
            ("LICENSE", None),
            ("", None),
        ];
        for (path, language) in cases {
            assert_eq!(Language::of_path(path), language, "{path}");
        }
    }
}
