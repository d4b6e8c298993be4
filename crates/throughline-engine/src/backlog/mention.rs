//! Which items and resources a text names.

use throughline_store::id::ItemId;
use throughline_store::item::{Item, Type};
use throughline_store::link::Node;

use super::uri::Uri;

const MIN_DIGITS: usize = 4;

/// Everything that an item's texts name, in the order of its fields, each once; never itself.
pub(super) fn in_item(item: &Item) -> Vec<Node> {
    let mut found: Vec<Node> = vec![];
    let references =
        item.references.iter().flat_map(|reference| std::iter::once(&reference.url).chain(&reference.title));
    let texts = references
        .chain([&item.title, &item.description])
        .chain(&item.evidence)
        .chain(&item.blocked_reason)
        .chain(&item.summary);
    texts.for_each(|text| in_text(text, &mut found));
    let mut seen = std::collections::HashSet::new();
    let own = Node::item(&item.id);
    found.retain(|node| *node != own && seen.insert(node.clone()));
    found
}

/// What a text names, each as often as it does.
pub(super) fn in_text(text: &str, found: &mut Vec<Node>) {
    let resources = uris_in(text).filter_map(|uri| match Uri::parse(uri) {
        Ok(Uri::Resource(path)) => Some(Node::resource(&path)),
        Ok(_) | Err(_) => None,
    });
    found.extend(ids_in(text).map(|id| Node::item(&id)).chain(resources));
}

/// Ids of items in a text: a prefix, a dash and at least four digits, as a word of its own.
pub fn ids_in(text: &str) -> impl Iterator<Item = ItemId> {
    text.match_indices('-').filter_map(|(dash, _)| {
        let prefix = Type::ALL.iter().map(|item_type| item_type.prefix()).find(|prefix| {
            text[..dash].len() >= prefix.len()
                && text.as_bytes()[dash - prefix.len()..dash].eq_ignore_ascii_case(prefix.as_bytes())
        })?;
        let stands_alone = text[..dash - prefix.len()].chars().next_back().is_none_or(|c| !is_of_a_word(c));
        let digits: usize = text[dash + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let end = dash + 1 + digits;
        let ends = text[end..].chars().next().is_none_or(|c| !is_of_a_word(c));
        (stands_alone && ends && digits >= MIN_DIGITS)
            .then(|| ItemId::from(format!("{prefix}-{}", &text[dash + 1..end])))
    })
}

/// Scripts without spaces, which follow the others from Thai on, write an id right beside their own letters.
fn is_of_a_word(c: char) -> bool {
    (c.is_alphanumeric() && c < '\u{0E00}') || c == '_'
}

/// Addresses of resources in a text, up to where a text would go on.
fn uris_in(text: &str) -> impl Iterator<Item = &str> {
    let starts = Uri::SCHEMES.iter().flat_map(move |scheme| text.match_indices(scheme));
    starts.map(|(start, _)| {
        let rest = &text[start..];
        let end = rest.find(|c: char| c.is_whitespace() || "()[]<>\"'`,;".contains(c)).unwrap_or(rest.len());
        rest[..end].trim_end_matches(['.', ':', '!', '?'])
    })
}
