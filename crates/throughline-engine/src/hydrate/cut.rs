//! An item that is too much for the budget by itself: its fields stay, its long texts are cut with a mark and an
//! address for the rest.

use throughline_inference::tokens;
use throughline_store::item::Reference;

use crate::backlog::{Entry, Uri};

/// An item whose every text has at most so many tokens, and the fields that were cut.
pub(super) fn to(entry: &Entry, most: u64) -> (Entry, Vec<&'static str>) {
    let uri = Uri::of_item(entry.item.id.as_str());
    let mut cut = vec![];
    let mut item = entry.item.clone();
    let mut shorten = |field: &'static str, text: &str| {
        let short = text_to(text, most, &uri);
        if short.len() != text.len() {
            cut.push(field);
        }
        short
    };
    item.description = shorten("description", &item.description);
    item.title = shorten("title", &item.title);
    item.summary = item.summary.as_deref().map(|summary| shorten("summary", summary));
    if let Some(validation) = &mut item.validation {
        validation.report = validation.report.as_deref().map(|report| shorten("validation", report));
    }
    item.evidence = list_to(&item.evidence, most, &uri, ("evidence", &mut cut));
    item.blocked_reason = list_to(&item.blocked_reason, most, &uri, ("blocked_reason", &mut cut));
    item.references = references_to(&item.references, most, &uri, &mut cut);
    let ids = usize::try_from(most / TOKENS_OF_AN_ID).unwrap_or(usize::MAX);
    let mut short = Entry { item, ..entry.clone() };
    for (field, list) in [("depends_on", &mut short.depends_on), ("blocks", &mut short.blocks)] {
        if list.len() > ids {
            list.truncate(ids);
            cut.push(field);
        }
    }
    (short, cut)
}

const TOKENS_OF_AN_ID: u64 = 6;

/// The beginning of a text, and where the whole is. What is left of a very short text is the mark alone.
pub(super) fn text_to(text: &str, most: u64, uri: &str) -> String {
    if tokens::fits(text, most) {
        return text.to_owned();
    }
    let beginning = tokens::cut(text, most);
    format!("{beginning}… [cut; whole text: {uri}]")
}

fn list_to(
    list: &[String],
    most: u64,
    uri: &str,
    (field, cut): (&'static str, &mut Vec<&'static str>),
) -> Vec<String> {
    let (mut short, mut left) = (vec![], most);
    for text in list {
        let cost = tokens::count(text) + 3;
        if cost > left {
            break;
        }
        left -= cost;
        short.push(text.clone());
    }
    if short.len() < list.len() {
        cut.push(field);
        if short.is_empty() && most > 0 {
            short.push(text_to(&list[0], most, uri));
        }
        if short.len() < list.len() {
            short.push(format!("… [{} of {} left out: {uri}]", list.len() - short.len(), list.len()));
        }
    }
    short
}

fn references_to(list: &[Reference], most: u64, uri: &str, cut: &mut Vec<&'static str>) -> Vec<Reference> {
    let (mut short, mut left) = (vec![], most);
    for reference in list {
        let cost = tokens::count(&reference.url) + reference.title.as_deref().map_or(0, tokens::count) + 10;
        if cost > left {
            break;
        }
        left -= cost;
        short.push(reference.clone());
    }
    if short.len() < list.len() {
        cut.push("references");
        let title = format!("{} of {} references left out", list.len() - short.len(), list.len());
        short.push(Reference { url: uri.to_owned(), title: Some(title) });
    }
    short
}
