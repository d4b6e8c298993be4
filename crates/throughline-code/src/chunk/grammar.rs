//! What counts as a definition in each language that has a grammar.

use tree_sitter_language::LanguageFn;

use super::SymbolKind;
use crate::Language;

pub(super) struct Grammar {
    pub(super) language: LanguageFn,
    /// Definitions that others may stand in, by the names that the grammar gives to its nodes.
    pub(super) outer: &'static [(&'static str, SymbolKind)],
    /// Definitions that are looked at as one.
    pub(super) inner: &'static [(&'static str, SymbolKind)],
    /// What stands between the parts of a symbol's path.
    pub(super) joint: &'static str,
}

use SymbolKind::{Constant, Function, Module, Type};

const RUST: Grammar = Grammar {
    language: tree_sitter_rust::LANGUAGE,
    outer: &[("impl_item", Type), ("trait_item", Type), ("mod_item", Module)],
    inner: &[
        ("function_item", Function),
        ("function_signature_item", Function),
        ("macro_definition", Function),
        ("struct_item", Type),
        ("enum_item", Type),
        ("union_item", Type),
        ("type_item", Type),
        ("const_item", Constant),
        ("static_item", Constant),
    ],
    joint: "::",
};

const PYTHON: Grammar = Grammar {
    language: tree_sitter_python::LANGUAGE,
    outer: &[("class_definition", Type)],
    inner: &[("function_definition", Function)],
    joint: ".",
};

const TYPESCRIPT: Grammar = Grammar {
    language: tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
    outer: &[
        ("class_declaration", Type),
        ("abstract_class_declaration", Type),
        ("internal_module", Module),
        ("module", Module),
    ],
    inner: &[
        ("function_declaration", Function),
        ("generator_function_declaration", Function),
        ("method_definition", Function),
        ("interface_declaration", Type),
        ("type_alias_declaration", Type),
        ("enum_declaration", Type),
        ("variable_declarator", Constant),
        ("public_field_definition", Constant),
    ],
    joint: ".",
};

/// Understands JavaScript with and without JSX as well.
const TSX: Grammar = Grammar { language: tree_sitter_typescript::LANGUAGE_TSX, ..TYPESCRIPT };

const GO: Grammar = Grammar {
    language: tree_sitter_go::LANGUAGE,
    outer: &[],
    inner: &[
        ("function_declaration", Function),
        ("method_declaration", Function),
        ("type_spec", Type),
        ("const_spec", Constant),
        ("var_spec", Constant),
    ],
    joint: ".",
};

const JAVA: Grammar = Grammar {
    language: tree_sitter_java::LANGUAGE,
    outer: &[
        ("class_declaration", Type),
        ("interface_declaration", Type),
        ("enum_declaration", Type),
        ("record_declaration", Type),
        ("annotation_type_declaration", Type),
    ],
    inner: &[("method_declaration", Function), ("constructor_declaration", Function)],
    joint: ".",
};

const C: Grammar = Grammar {
    language: tree_sitter_c::LANGUAGE,
    outer: &[],
    inner: &[
        ("function_definition", Function),
        ("struct_specifier", Type),
        ("union_specifier", Type),
        ("enum_specifier", Type),
        ("type_definition", Type),
        ("preproc_function_def", Function),
    ],
    joint: "::",
};

const CPP: Grammar = Grammar {
    language: tree_sitter_cpp::LANGUAGE,
    outer: &[("namespace_definition", Module), ("class_specifier", Type), ("struct_specifier", Type)],
    inner: &[
        ("function_definition", Function),
        ("union_specifier", Type),
        ("enum_specifier", Type),
        ("type_definition", Type),
        ("alias_declaration", Type),
        ("preproc_function_def", Function),
    ],
    joint: "::",
};

const CSHARP: Grammar = Grammar {
    language: tree_sitter_c_sharp::LANGUAGE,
    outer: &[
        ("namespace_declaration", Module),
        ("class_declaration", Type),
        ("struct_declaration", Type),
        ("interface_declaration", Type),
        ("record_declaration", Type),
    ],
    inner: &[
        ("method_declaration", Function),
        ("constructor_declaration", Function),
        ("operator_declaration", Function),
        ("property_declaration", Constant),
        ("enum_declaration", Type),
        ("delegate_declaration", Type),
    ],
    joint: ".",
};

const RUBY: Grammar = Grammar {
    language: tree_sitter_ruby::LANGUAGE,
    outer: &[("class", Type), ("module", Module)],
    inner: &[("method", Function), ("singleton_method", Function)],
    joint: "::",
};

const PHP: Grammar = Grammar {
    language: tree_sitter_php::LANGUAGE_PHP,
    outer: &[
        ("class_declaration", Type),
        ("interface_declaration", Type),
        ("trait_declaration", Type),
        ("enum_declaration", Type),
    ],
    inner: &[("function_definition", Function), ("method_declaration", Function)],
    joint: "::",
};

const SHELL: Grammar = Grammar {
    language: tree_sitter_bash::LANGUAGE,
    outer: &[],
    inner: &[("function_definition", Function)],
    joint: "::",
};

/// Nothing for what is no programming language.
pub(super) fn of(language: Language, path: &str) -> Option<&'static Grammar> {
    Some(match language {
        // A header may be for either; the larger language understands both.
        Language::C if path.ends_with(".h") => &CPP,
        Language::C => &C,
        Language::CSharp => &CSHARP,
        Language::Cpp => &CPP,
        Language::Go => &GO,
        Language::Java => &JAVA,
        Language::JavaScript => &TSX,
        Language::Php => &PHP,
        Language::Python => &PYTHON,
        Language::Ruby => &RUBY,
        Language::Rust => &RUST,
        Language::Shell => &SHELL,
        Language::TypeScript if path.ends_with('x') => &TSX,
        Language::TypeScript => &TYPESCRIPT,
        Language::Json | Language::Markdown | Language::Sql | Language::Toml | Language::Yaml => return None,
    })
}
