//! An item that is too much for the budget by itself: its fields stay, its long texts are cut with a mark and an
//! address for the rest.

use throughline_inference::tokens;
use throughline_store::item::{Item, Reference};

use super::answer::{Full, Hydration, Summary};
use super::budget::Rendering;
use crate::backlog::{Entry, Uri};

/// How much of a text stays.
#[derive(Debug, Clone, Copy)]
enum Length {
    /// At most so many tokens, then a mark and the address.
    Tokens(u64),
    /// The mark alone; the address is said once, with the names of what was cut.
    Mark,
}

const MARK: &str = "…";
const TOKENS_OF_AN_ID: u64 = 6;

/// Cuts the texts of the focal item and its parent as far as the budget asks for, and says what the answer costs so.
pub(super) fn fit(answer: &mut Hydration, rendering: &dyn Rendering, most: u64) -> u64 {
    let cost = |answer: &Hydration| tokens::count(&rendering.whole(answer));
    let whole = answer.clone();
    // A text of many times the budget need not be counted to know that it does not fit.
    if tokens::upper_bound(&whole.focal.entry.item.description) <= most.saturating_mul(8) {
        let all = cost(&whole);
        if all <= most {
            return all;
        }
    }
    *answer = shortened(&whole, Length::Mark);
    let (mut least, mut too_much) = (0, most);
    // The last hundredth of a long text is not worth writing the answer again and again.
    while least + most / 100 < too_much {
        let middle = least.midpoint(too_much);
        let longer = shortened(&whole, Length::Tokens(middle));
        if cost(&longer) <= most {
            least = middle + 1;
            *answer = longer;
        } else {
            too_much = middle;
        }
    }
    keep_parent(answer, &whole, rendering);
    cost(answer)
}

/// A parent that looks the same as a summary was not cut.
fn keep_parent(answer: &mut Hydration, whole: &Hydration, rendering: &dyn Rendering) {
    let kept = Hydration { parent: whole.parent.clone(), ..answer.clone() };
    if rendering.whole(&kept) == rendering.whole(answer) {
        *answer = kept;
    } else {
        answer.metadata.text_cut = true;
    }
}

fn shortened(whole: &Hydration, length: Length) -> Hydration {
    let (entry, cut) = of_entry(&whole.focal.entry, length);
    let mut answer = whole.clone();
    answer.metadata.text_cut = !cut.is_empty();
    answer.focal = Full { entry, cut, ..whole.focal.clone() };
    answer.parent = whole.parent.as_ref().map(|parent| of_parent(parent, length));
    answer
}

/// What a summary shows of an item.
fn of_parent(parent: &Summary, length: Length) -> Summary {
    let uri = Uri::of_item(parent.item.id.as_str());
    let mut item: Item = (*parent.item).clone();
    let texts = [&mut item.title, &mut item.description];
    for text in texts.into_iter().chain(&mut item.blocked_reason) {
        *text = of_text(text, length, &uri);
    }
    Summary { item: Box::new(item), ..parent.clone() }
}

/// An item whose every text has that length, and the fields that were cut.
fn of_entry(entry: &Entry, length: Length) -> (Entry, Vec<&'static str>) {
    let uri = Uri::of_item(entry.item.id.as_str());
    let (item, whole) = (entry.item.clone(), &entry.item);
    let text = |text: &String| of_text(text, length, &uri);
    let validation = item.validation.clone().map(|mut validation| {
        validation.report = validation.report.as_ref().map(text);
        validation
    });
    let short = Entry {
        item: Item {
            description: text(&whole.description),
            title: text(&whole.title),
            summary: whole.summary.as_ref().map(text),
            validation,
            evidence: of_list(&whole.evidence, length, &uri),
            blocked_reason: of_list(&whole.blocked_reason, length, &uri),
            references: of_references(&whole.references, length, &uri),
            source_key: whole.source_key.as_ref().map(text),
            ..item
        },
        depends_on: of_ids(&entry.depends_on, length),
        blocks: of_ids(&entry.blocks, length),
    };
    let cut = differences(entry, &short);
    (short, cut)
}

fn differences(whole: &Entry, short: &Entry) -> Vec<&'static str> {
    let (a, b) = (&whole.item, &short.item);
    let fields = [
        ("description", a.description != b.description),
        ("title", a.title != b.title),
        ("summary", a.summary != b.summary),
        ("validation", a.validation != b.validation),
        ("evidence", a.evidence != b.evidence),
        ("blocked_reason", a.blocked_reason != b.blocked_reason),
        ("references", a.references != b.references),
        ("source_key", a.source_key != b.source_key),
        ("depends_on", whole.depends_on != short.depends_on),
        ("blocks", whole.blocks != short.blocks),
    ];
    fields.into_iter().filter(|(_, differs)| *differs).map(|(field, _)| field).collect()
}

/// The beginning of a text, and where the whole is. A text that is no longer than the mark stays.
fn of_text(text: &str, length: Length, uri: &str) -> String {
    match length {
        Length::Tokens(most) if !tokens::fits(text, most) => {
            format!("{}{MARK} [cut; whole text: {uri}]", tokens::cut(text, most))
        }
        Length::Mark if !tokens::fits(text, 2) => MARK.to_owned(),
        Length::Tokens(_) | Length::Mark => text.to_owned(),
    }
}

fn of_ids<T: Clone>(ids: &[T], length: Length) -> Vec<T> {
    let most = match length {
        Length::Tokens(most) => usize::try_from(most / TOKENS_OF_AN_ID).unwrap_or(usize::MAX),
        Length::Mark => 0,
    };
    ids.iter().take(most).cloned().collect()
}

/// The first texts of a list, then how many more there are.
fn of_list(list: &[String], length: Length, uri: &str) -> Vec<String> {
    let Length::Tokens(most) = length else {
        return list.first().map(|_| MARK.to_owned()).into_iter().collect();
    };
    let mut short = fitting(list, most, |text| tokens::count(text) + 3);
    if short.is_empty() && most > 0 {
        short.extend(list.first().map(|first| of_text(first, length, uri)));
    }
    if short.len() < list.len() {
        short.push(format!("{MARK} [{} of {} left out: {uri}]", list.len() - short.len(), list.len()));
    }
    short
}

fn of_references(list: &[Reference], length: Length, uri: &str) -> Vec<Reference> {
    let marked = |url: &str, title: Option<String>| Reference { url: url.to_owned(), title };
    let Length::Tokens(most) = length else {
        return list.first().map(|_| marked(MARK, None)).into_iter().collect();
    };
    let cost = |it: &Reference| tokens::count(&it.url) + it.title.as_deref().map_or(0, tokens::count) + 10;
    let mut short = fitting(list, most, cost);
    if short.len() < list.len() {
        let title = format!("{} of {} references left out", list.len() - short.len(), list.len());
        short.push(marked(uri, Some(title)));
    }
    short
}

/// The first entries, as many as cost so much together.
fn fitting<T: Clone>(list: &[T], most: u64, cost: impl Fn(&T) -> u64) -> Vec<T> {
    let mut left = Some(most);
    let fits = |entry: &&T| {
        left = left.and_then(|left| left.checked_sub(cost(entry)));
        left.is_some()
    };
    list.iter().take_while(fits).cloned().collect()
}
