//! OpenCode: what its plugin hands over, each hook with its input and output.

use serde_json::{Value as Json, json};
use throughline_engine::capture::Then;
use throughline_engine::store::event::Kind;

use super::event::{Head, Said, Seen};
use super::tool::{self, Outcome, Use};
use super::{Heard, Moment, claude_code, field, said};

/// OpenCode writes here what its own events do not say.
struct Told<'a> {
    event: &'a str,
    input: &'a Json,
    output: &'a Json,
    properties: &'a Json,
}

pub(super) fn hear(said: &Said<'_>) -> Result<Option<Heard>, String> {
    let input = said.payload.get("input").unwrap_or(&Json::Null);
    let output = said.payload.get("output").unwrap_or(&Json::Null);
    let properties = input.get("properties").unwrap_or(&Json::Null);
    let event = field::text(input, &["type"]).or(said.event).unwrap_or_default();
    let told = Told { event, input, output, properties };
    let head = told.head(said);
    // Files and the server's own affairs belong to no session.
    if head.session.is_empty() {
        return Ok(None);
    }
    let (moment, seen) = told.what();
    said.heard(head, moment, seen)
}

impl<'a> Told<'a> {
    fn head(&self, said: &Said<'a>) -> Head<'a> {
        let about = self.properties.get("info").unwrap_or(&Json::Null);
        let named =
            [self.input, self.properties].into_iter().find_map(|json| field::text(json, &["sessionID"]));
        let folder = field::text(about, &["directory"]).or_else(|| field::text(said.payload, &["directory"]));
        Head {
            event: self.event,
            session: named.unwrap_or_default().to_owned(),
            parent: field::text(about, &["parentID"]).map(str::to_owned),
            folder: folder.map(Into::into),
            ..Head::default()
        }
    }

    fn what(&self) -> (Moment, Vec<Seen>) {
        let nothing = |moment| (moment, vec![]);
        match self.event {
            "session.created" => {
                claude_code::started(field::text(self.properties, &["source"]).unwrap_or("startup"))
            }
            "session.deleted" => claude_code::ended("deleted"),
            "session.compacted" => claude_code::what("PostCompact", self.output),
            "session.idle" => (Moment::Stop, self.answered()),
            "session.error" => (Moment::Other, self.failed()),
            "chat.message" => self.prompt(),
            "tool.execute.before" => nothing(Moment::BeforeTool(tool::target(self.tool(), self.arguments()))),
            "tool.execute.after" => self.after_tool(),
            "experimental.session.compacting" => claude_code::what("PreCompact", self.input),
            _ => nothing(Moment::Other),
        }
    }

    /// What a person typed; what plugins add to it is marked as synthetic.
    fn prompt(&self) -> (Moment, Vec<Seen>) {
        let parts = self.output.get("parts").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let typed = parts.iter().filter(|part| !field::is_true(part, "synthetic"));
        let text: Vec<&str> = typed.filter_map(|part| field::text(part, &["text"])).collect();
        let (moment, seen) = claude_code::prompt(&text.join("\n"));
        let id = self.output.get("message").and_then(|message| field::text(message, &["id"]));
        (moment, seen.into_iter().map(|seen| Seen { id: id.map(str::to_owned), ..seen }).collect())
    }

    fn tool(&self) -> &'a str {
        field::text(self.input, &["tool"]).unwrap_or("tool")
    }

    fn arguments(&self) -> &'a Json {
        self.input.get("args").or_else(|| self.output.get("args")).unwrap_or(&Json::Null)
    }

    fn after_tool(&self) -> (Moment, Vec<Seen>) {
        let outcome = Outcome::of_response(self.tool(), Some(self.output));
        let moment =
            if matches!(outcome, Outcome::Failed(_)) { Moment::ToolFailed } else { Moment::AfterTool };
        let id = field::text(self.input, &["callID"]);
        let used = Use { name: self.tool(), input: self.arguments(), id, outcome, duration_ms: None };
        (moment, tool::seen(&used))
    }

    /// The plugin adds the last text of the model to the end of a turn.
    fn answered(&self) -> Vec<Seen> {
        let text = field::text(self.output, &["text"]).and_then(said::message);
        let id = field::text(self.output, &["messageID"]).map(str::to_owned);
        text.map(|text| Seen { id, ..Seen::message(Kind::ModelMessage, text) }).into_iter().collect()
    }

    fn failed(&self) -> Vec<Seen> {
        let error = self.properties.get("error").unwrap_or(&Json::Null);
        let message = error.get("data").and_then(|error| field::text(error, &["message"]));
        let text = message.or_else(|| field::text(error, &["message", "name"])).map(said::error);
        let note = Seen::note("error", "the client met an error".to_owned());
        text.map(|text| Seen { content: Some(text), then: Then::GoesOn, ..note }).into_iter().collect()
    }
}

/// Read by our plugin alone.
pub(super) fn answer(context: Option<&str>) -> String {
    context.map_or_else(|| "{}".to_owned(), |text| json!({ "context": text }).to_string())
}
