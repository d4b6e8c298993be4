//! Out and in again: what is exported, imported elsewhere and exported there is the same.

mod foreign;

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value as Json, json};
use throughline_engine::backlog::{Entry, NewItem, Outcome, Says, Source};
use throughline_engine::capture::{During, Opening, SessionRef};
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::settings::Settings;
use throughline_engine::store::item::{Context, Priority, Reference, Status, Type, Validation};
use throughline_engine::store::time::Timestamp;
use throughline_engine::store::{Location, Options, Store};
use throughline_engine::{Caller, Engine, Result};

use super::{File, Format, beads, issues, markdown};

/// An empty backlog.
struct Backlog {
    engine: Engine,
    caller: Caller,
}

impl Backlog {
    fn new() -> Backlog {
        let store = Store::open(Location::Memory, Options::default()).unwrap();
        let engine = Engine::new(store, Clock::system(), Ids::system(), Settings::default());
        let folder = Folder { root: "/shop".into(), git: None };
        let project = engine.project(&folder, Some("shop")).unwrap();
        let caller = Caller { project: project.id, actor: "user:ann".parse().unwrap() };
        Backlog { engine, caller }
    }

    fn import(&self, sources: Vec<Source>) -> Result<Vec<Outcome>> {
        let during = During { session: SessionRef::Own, opening: Opening::default() };
        let imported = self.engine.import_items(&self.caller, sources, &during)?;
        Ok(imported.items.into_iter().map(|(.., outcome)| outcome).collect())
    }

    /// Everything but what belongs to this database alone.
    fn entries(&self) -> Vec<Entry> {
        let mut entries = self.engine.every_item(&self.caller).unwrap();
        for entry in &mut entries {
            (entry.item.number, entry.item.document) = (0, 0);
            entry.blocks.sort();
            // Which format was first is nothing that anybody sees.
            let by_format = |extra: String| serde_json::from_str::<BTreeMap<String, Json>>(&extra).unwrap();
            entry.item.extra = entry.item.extra.take().map(|extra| json!(by_format(extra)).to_string());
        }
        entries
    }

    fn export(&self, format: Format) -> Vec<File> {
        let entries = self.engine.every_item(&self.caller).unwrap();
        let file = |name: &str, text| File { name: name.to_owned(), text };
        match format {
            Format::Markdown => entries
                .iter()
                .map(|entry| {
                    let (name, text) = markdown::write(entry);
                    File { name, text }
                })
                .collect(),
            Format::Issues => vec![file("issues.json", issues::write(&entries))],
            Format::Beads => vec![file("issues.jsonl", beads::write(&entries))],
        }
    }
}

fn read(format: Format, files: &[File]) -> Vec<Source> {
    let sources = files.iter().flat_map(|file| {
        assert_eq!(Format::of(file), format, "{file:?}");
        format.read(file).unwrap_or_else(|e| panic!("{e}\n{}", file.text)).sources
    });
    sources.collect()
}

const ODD: [char; 42] = [
    'a', 'b', 'Z', 'é', '漢', '👩', '\n', '\n', '\r', '\t', '"', '\'', '\\', ':', '#', '-', ' ', '{', '}',
    '[', ']', '&', '*', '!', '|', '>', '%', '@', '`', '\u{7f}', '\u{85}', '\u{2028}', '\u{feff}', '\u{fffe}',
    '\u{0}', '=', ',', '?', '~', '0', '1', '/',
];

fn text() -> impl Strategy<Value = String> {
    let known = [
        "",
        "---",
        "null",
        "yes",
        "1.5",
        "- a",
        "## Notes\n\nx",
        "a\n\n## Design\n\nb\n\n## Notes\n\nc",
        "\n\n## Notes\n\nd",
        "a\n\n## Notes\n\n",
        "2026-01-01",
    ];
    prop_oneof![
        vec(select(ODD.to_vec()), 0..12).prop_map(String::from_iter),
        select(known.to_vec()).prop_map(str::to_owned)
    ]
}

fn value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        (-1e9..1e9).prop_map(|number: f64| json!(number)),
        text().prop_map(Json::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Json::from),
            vec((text(), inner), 0..3).prop_map(|fields| Json::Object(fields.into_iter().collect())),
        ]
    })
}

/// What each format brought that an item has no field for.
fn extra() -> impl Strategy<Value = Option<Json>> {
    let names = select(vec!["labels", "assignee", "größe", "x y", "Null", "0", "a: b", "- c"]);
    let fields = || vec((names.clone(), value()), 1..3);
    let of = |fields: Vec<(&str, Json)>| {
        Json::Object(fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())
    };
    let by_format = vec((select(Format::ALL.to_vec()), fields()), 1..3);
    let whole = by_format.prop_map(move |all| {
        Json::Object(all.into_iter().map(|(format, fields)| (format.to_string(), of(fields))).collect())
    });
    option::of(whole)
}

fn moment() -> impl Strategy<Value = Option<Timestamp>> {
    option::of(
        prop_oneof![(0..4_000_000_000_000_000_i64), select(vec![-5, i64::MAX, i64::MIN])].prop_map(Timestamp),
    )
}

fn new_item() -> impl Strategy<Value = NewItem> {
    let reference = (text(), option::of(text())).prop_map(|(url, title)| Reference { url, title });
    let validation =
        (any::<bool>(), option::of(text())).prop_map(|(valid, report)| Validation { valid, report });
    let words = (text(), text(), option::of(text()), vec(text(), 0..3), vec(text(), 0..3));
    let sets = (
        select(Type::ALL.to_vec()),
        select(Status::ALL.to_vec()),
        option::of(select(Priority::ALL.to_vec())),
        option::of(select(Context::ALL.to_vec())),
        option::of(select(vec!["2026-12-24".to_owned(), "2026-12-24T10:00:00Z".to_owned()])),
    );
    let more = (vec(reference, 0..3), option::of(validation), extra(), moment(), moment(), moment());
    (words, sets, more).prop_map(|(words, sets, more)| NewItem {
        description: words.1,
        summary: words.2,
        evidence: words.3,
        blocked_reason: words.4,
        item_type: sets.0,
        status: sets.1,
        priority: sets.2,
        context: sets.3,
        due_date: sets.4,
        references: more.0,
        validation: more.1,
        extra: more.2,
        created_at: more.3,
        updated_at: more.4,
        status_at: more.5,
        ..NewItem::of(format!("t{}", words.0))
    })
}

/// Items that hang below and wait for earlier ones, some known elsewhere.
fn backlog() -> impl Strategy<Value = Vec<Source>> {
    let placed = (new_item(), option::of(any::<Index>()), vec(any::<Index>(), 0..3), 0..5);
    vec(placed, 1..8).prop_map(|items| {
        let source =
            |(n, (item, parent, first, origin)): (usize, (NewItem, Option<Index>, Vec<Index>, i32))| {
                let earlier = |at: &Index| format!("k{}", at.index(n));
                let item = NewItem {
                    parent: parent.iter().filter(|_| n > 0).map(earlier).next(),
                    depends_on: first.iter().filter(|_| n > 0).map(earlier).collect(),
                    source_key: match origin {
                        0 => Some(format!("https://example.org/o/r/issues/{n}")),
                        1 => Some(format!("issue#{n}")),
                        2 => Some(format!("beads:bd-{n}")),
                        3 => Some(format!("markdown:some file {n}.md")),
                        _ => None,
                    },
                    ..item
                };
                Source { key: format!("k{n}"), place: format!("item {n}"), item, says: Says::Everything }
            };
        items.into_iter().enumerate().map(source).collect()
    })
}

fn texts(files: &[File]) -> Vec<(&str, &str)> {
    files.iter().map(|file| (file.name.as_str(), file.text.as_str())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn what_goes_out_comes_in_and_goes_out_the_same(sources in backlog()) {
        let here = Backlog::new();
        here.import(sources).unwrap();
        for format in Format::ALL {
            let files = here.export(*format);
            let there = Backlog::new();
            there.import(read(*format, &files)).unwrap();
            let again = there.export(*format);
            prop_assert_eq!(texts(&again), texts(&files));
            prop_assert_eq!(there.entries(), here.entries(), "{}", format);
            let twice = there.import(read(*format, &files)).unwrap();
            prop_assert!(twice.iter().all(|outcome| *outcome == Outcome::Unchanged), "{} {:?}", format, twice);
            prop_assert_eq!(there.entries(), here.entries());
        }
    }
}
