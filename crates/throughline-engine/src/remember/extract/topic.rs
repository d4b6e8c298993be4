//! Tags: the few subjects that people look memories up by.

use super::sentence::plain_words;

/// A tag and the words that call for it.
const TOPICS: &[(&str, &str)] = &[
    ("test", "test tests testing pytest jest vitest nextest mock mocks fixture fixtures coverage e2e"),
    ("build", "build builds compile compiler webpack vite gradle maven cargo bundle toolchain"),
    ("git", "commit commits branch branches merge rebase squash push pr git main trunk"),
    (
        "database",
        "database db sql postgres postgresql mysql sqlite migration migrations schema column columns table tables",
    ),
    ("deploy", "deploy deploys deployment release staging prod production kubernetes argocd terraform"),
    (
        "style",
        "format formatting naming tabs spaces quotes lint linter prettier ruff black eslint snake_case camelcase kebab-case",
    ),
    ("security", "secret secrets password passwords token tokens auth jwt vault gdpr"),
    ("api", "api apis endpoint endpoints route routes rest graphql grpc openapi"),
    ("dependencies", "npm pnpm yarn bun pip uv poetry dependency dependencies package packages"),
    ("ci", "ci pipeline jenkins runner runners"),
    ("answers", "answer answers respond reply explain concise"),
];

pub(super) fn tags(content: &str) -> Vec<String> {
    let words = plain_words(content);
    let is_about = |list: &str| list.split(' ').any(|word| words.iter().any(|have| have == word));
    TOPICS.iter().filter(|(_, list)| is_about(list)).take(3).map(|(tag, _)| (*tag).to_owned()).collect()
}
