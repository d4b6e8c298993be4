//! Writing YAML that every reader reads alike: plain words as they are, everything else as JSON, which is YAML.

use std::io;

use serde::Serialize as _;
use serde_json::Value as Json;

/// A line, or several, of a mapping.
pub(super) fn field(name: &str, value: &Json) -> String {
    let entries = match value {
        Json::Array(entries) if !entries.is_empty() => entries,
        other => return format!("{}: {}\n", key(name), scalar(other)),
    };
    let lines: String = entries.iter().map(|entry| format!("  - {}\n", scalar(entry))).collect();
    format!("{}:\n{lines}", key(name))
}

fn key(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { json(&Json::String(name.to_owned())) }
}

fn scalar(value: &Json) -> String {
    match value {
        Json::String(text) if is_plain(text) => text.clone(),
        other => json(other),
    }
}

/// Words that no reader takes for anything but text.
fn is_plain(text: &str) -> bool {
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.ends_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || " _./-".contains(c))
        && !words.contains(&text.to_lowercase().as_str())
}

fn json(value: &Json) -> String {
    let mut bytes = vec![];
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    value.serialize(&mut writer).expect("a JSON value is valid JSON");
    String::from_utf8(bytes).expect("JSON is UTF-8").chars().map(printable).collect()
}

/// Characters that YAML allows in no other way than escaped; they occur only inside of texts.
fn printable(c: char) -> String {
    let escaped =
        c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    if escaped { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() }
}

/// With a space after colons and commas, without which YAML is another text.
struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}
