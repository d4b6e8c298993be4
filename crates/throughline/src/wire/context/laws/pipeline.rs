//! Laws 1 to 7: the focal item and its parent, the budget, and what an answer says about itself.

use anyhow::ensure;
use serde_json::Value as Json;
use throughline_engine::backlog::{Entry, Uri};
use throughline_engine::hydrate::{Brief, Include, Omission, Outcome, Role, Stage};
use throughline_engine::store::item::{Context, Item};
use throughline_engine::tokens;

use super::super::{Format, harmless};
use super::case::{Case, PLACES, entities, shown};
use super::{Law, Verdict, priority};

pub(super) const LAWS: &[Law] = &[
    (&[1], "the focal item is always at full fidelity; what is cut has a mark and an address", focal_is_full),
    (&[2], "the parent is there when there is one, at summary fidelity", parent_is_a_summary),
    (&[3], "priority holds strictly, and a large entry hides nobody", priority::holds),
    (&[4], "the reply as sent keeps the budget, and token_estimate is its count", budget_is_kept),
    (&[5], "truncated if and only if something was cut, downgraded, capped or left out", truncated_is_true),
    (&[6], "total_items is the number of items in the reply", total_is_counted),
    (&[7], "stages_executed lists exactly the stages that ran, in order", stages_are_listed),
];

fn focal_is_full(case: &Case<'_>) -> Verdict {
    let full = &case.answer.focal;
    let (got, truth) = (&full.entry, case.backlog.engine.item(&case.backlog.caller, case.focal())?);
    ensure!(fixed(&got.item) == fixed(&truth.item), "the fields changed: {:?}", got.item);
    let uri = Uri::of_item(case.focal());
    for (field, got, whole) in texts(got).into_iter().zip(texts(&truth)).map(|((f, a), (_, b))| (f, a, b)) {
        let is_cut = full.cut.contains(&field);
        ensure!(is_cut != (got == whole), "{field} differs: {}, said to be cut: {is_cut}", got != whole);
        let marked = got.contains('…') || got.contains(&uri) || ["depends_on", "blocks"].contains(&field);
        ensure!(!is_cut || marked, "{field} is cut without a mark: {got}");
    }
    ensure!(full.cut.is_empty() || case.sent.contains(&uri), "no address in what was sent");
    let shown = described(case);
    ensure!(shown, "the description is not in what was sent as {:?}", case.format);
    let fidelity = case.json().map(|json| json["focal"]["fidelity"].clone());
    ensure!(fidelity.is_none_or(|fidelity| fidelity == "full"), "the focal item is not said to be full");
    Ok(())
}

/// What no budget changes.
fn fixed(item: &Item) -> Item {
    Item {
        title: String::new(),
        description: String::new(),
        references: vec![],
        evidence: vec![],
        blocked_reason: vec![],
        summary: None,
        validation: None,
        source_key: None,
        ..item.clone()
    }
}

fn texts(entry: &Entry) -> Vec<(&'static str, String)> {
    let item = &entry.item;
    vec![
        ("title", item.title.clone()),
        ("description", item.description.clone()),
        ("summary", format!("{:?}", item.summary)),
        ("validation", format!("{:?}", item.validation)),
        ("evidence", item.evidence.join("\n")),
        ("blocked_reason", item.blocked_reason.join("\n")),
        ("references", format!("{:?}", item.references)),
        ("source_key", format!("{:?}", item.source_key)),
        ("depends_on", format!("{:?}", entry.depends_on)),
        ("blocks", format!("{:?}", entry.blocks)),
    ]
}

fn described(case: &Case<'_>) -> bool {
    let text = case.answer.focal.entry.item.description.trim_end();
    let written = match case.format {
        Format::Markdown | Format::DrawnTree => text.to_owned(),
        Format::Json | Format::PrettyJson | Format::WrappedMarkdown | Format::Tree => {
            Json::from(text).to_string().trim_matches('"').to_owned()
        }
    };
    case.sent.contains(&harmless(written))
}

fn parent_is_a_summary(case: &Case<'_>) -> Verdict {
    let truth = case.model.parent(case.focal());
    let got = case.answer.parent.as_ref().map(|parent| parent.item.as_ref());
    ensure!(got.map(|item| &item.id) == truth.map(|item| &item.id), "the parent is {got:?}");
    let (Some(got), Some(truth)) = (got, truth) else { return Ok(()) };
    let cut = case.answer.metadata.text_cut;
    ensure!(cut || got == truth, "the parent differs and nothing is said to be cut");
    ensure!(case.sent.contains(got.id.as_str()), "the parent is not in what was sent");
    let fidelity = case.json().map(|json| json["parent"]["fidelity"].clone());
    ensure!(fidelity.is_none_or(|fidelity| fidelity == "summary"), "the parent is not said to be a summary");
    Ok(())
}

fn budget_is_kept(case: &Case<'_>) -> Verdict {
    let (count, most) = (tokens::count(&case.sent), case.request.max_tokens.get());
    let said = case.answer.metadata.token_estimate;
    let steers = case.sent.chars().find(|c| c.is_control() && !['\n', '\t'].contains(c));
    ensure!(steers.is_none(), "{steers:?} would have to be taken out after counting");
    ensure!(count <= most, "{count} tokens of {most}");
    ensure!(count == said, "{count} tokens, said to be {said}");
    if let Some(json) = case.json() {
        let metadata = &json["metadata"];
        ensure!(metadata["token_estimate"] == count && metadata["max_tokens"] == most, "{metadata}");
    }
    Ok(())
}

/// An omission for every role where not all is shown in full, and no other.
fn truncated_is_true(case: &Case<'_>) -> Verdict {
    let metadata = &case.answer.metadata;
    for role in Role::ALL.iter().filter(|role| ![Role::Focal, Role::Parent].contains(role)) {
        let omission = metadata.omitted.iter().find(|omission| omission.role == *role);
        let (shown, downgraded) = (shown(&case.answer, *role), downgraded(case, *role));
        let steps = |outcome: Outcome| {
            case.answer.trace.iter().filter(|it| it.role == *role && it.outcome == outcome).count()
        };
        ensure!(
            downgraded == steps(Outcome::Downgraded),
            "{role}: {downgraded} downgraded, traced otherwise"
        );
        ensure!(shown == steps(Outcome::Shown) + downgraded, "{role}: {shown} shown, traced otherwise");
        let left_out = steps(Outcome::NoRoom) > 0;
        match omission {
            Some(it) => {
                let truth = Omission { role: *role, total: it.total.max(shown), shown, downgraded };
                ensure!(*it == truth, "{it:?} should be {truth:?}");
                ensure!(shown < it.total || downgraded > 0, "{it:?} omits nothing");
            }
            None => ensure!(!left_out && downgraded == 0, "{role}: what was left out is not said"),
        }
    }
    let cut = text_is_cut(case);
    ensure!(metadata.text_cut == cut, "text_cut is {}, and texts are cut: {cut}", metadata.text_cut);
    let truncated = cut || !metadata.omitted.is_empty();
    ensure!(metadata.truncated() == truncated, "truncated is {}", metadata.truncated());
    let said = case.json().map(|json| json["metadata"]["truncated"].clone());
    ensure!(said.is_none_or(|said| said == truncated), "truncated should be {truncated}");
    Ok(())
}

fn text_is_cut(case: &Case<'_>) -> bool {
    let parent = case.answer.parent.as_ref().map(|parent| parent.item.as_ref());
    !case.answer.focal.cut.is_empty() || parent != case.model.parent(case.focal())
}

fn downgraded(case: &Case<'_>, role: Role) -> usize {
    let answer = &case.answer;
    let fidelities: Vec<Brief> = match role {
        // They are references to begin with.
        Role::Ancestors | Role::Descendants => vec![],
        Role::Memories => answer.memories.iter().map(|known| known.fidelity).collect(),
        Role::Decisions => answer.decisions.iter().map(|known| known.fidelity).collect(),
        Role::Code => answer.code.iter().map(|passage| passage.fidelity).collect(),
        Role::Resources => answer.resources.iter().map(|document| document.fidelity).collect(),
        _ => entities(answer, role).iter().map(|entity| entity.fidelity).collect(),
    };
    fidelities.into_iter().filter(|fidelity| *fidelity == Brief::Reference).count()
}

fn total_is_counted(case: &Case<'_>) -> Verdict {
    let count: usize = Role::ALL.iter().map(|role| shown(&case.answer, *role)).sum();
    ensure!(case.answer.total_items() == count, "{} items, {count} in truth", case.answer.total_items());
    for id in PLACES.iter().flat_map(|role| case.ids(*role)) {
        ensure!(case.sent.contains(&id), "{id} is counted and was not sent as {:?}", case.format);
    }
    if case.format == Format::Tree {
        let tree: Json = serde_json::from_str(&case.sent)?;
        let beside = [Role::Children, Role::Siblings, Role::Ancestors, Role::Descendants, Role::Parent];
        let truth: usize = 1 + beside.iter().map(|role| shown(&case.answer, *role)).sum::<usize>();
        ensure!(nodes(&tree["tree"]) == truth, "{} in the tree, {truth} in truth", nodes(&tree["tree"]));
    }
    if let Some(json) = case.json() {
        let entries = |value: &Json| value.as_array().map_or(1, Vec::len);
        let sections = json.as_object().into_iter().flatten().filter(|(name, _)| *name != "metadata");
        let sent: usize = sections.map(|(_, section)| entries(section)).sum();
        ensure!(json["metadata"]["total_items"] == sent, "{sent} items in the JSON: {}", json["metadata"]);
    }
    Ok(())
}

fn nodes(tree: &Json) -> usize {
    1 + tree["children"].as_array().into_iter().flatten().map(nodes).sum::<usize>()
}

fn stages_are_listed(case: &Case<'_>) -> Verdict {
    let history = case.model.item(case.focal()).context != Some(Context::Isolated);
    let wanted = |include: Include| history && include == Include::Yes;
    let forward = case.total(Role::CrossReferenced) + case.total(Role::ReferencedBy);
    let stages = [
        (Stage::Focal, true),
        (Stage::Relational, true),
        (Stage::References, forward > 0),
        (Stage::Dependencies, case.total(Role::Dependencies) > 0),
        (Stage::Semantic, wanted(case.request.related)),
        (Stage::Session, wanted(case.request.session) && super::session::last(case).is_some()),
        (Stage::Temporal, wanted(case.request.activity)),
        (Stage::Suggestions, true),
        (Stage::Budget, true),
    ];
    let ran: Vec<Stage> = stages.into_iter().filter(|(_, ran)| *ran).map(|(stage, _)| stage).collect();
    ensure!(case.answer.metadata.stages == ran, "{:?} should be {ran:?}", case.answer.metadata.stages);
    Ok(())
}
