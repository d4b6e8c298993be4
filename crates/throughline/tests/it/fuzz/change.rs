//! Inputs that are almost right.

use serde_json::{Value as Json, json as value};

use crate::processes::Chance;

/// Some values replaced by others, and sometimes some bytes as well.
pub(crate) fn json(mut json: Json, chance: &mut Chance) -> Vec<u8> {
    for _ in 0..=chance.below(3) {
        let pointers = pointers(&json, "");
        let found = pointers.get(chance.below(pointers.len())).and_then(|pointer| json.pointer_mut(pointer));
        if let Some(found) = found {
            *found = another(chance);
        }
    }
    let text = json.to_string().into_bytes();
    if chance.below(4) == 0 { bytes(text, chance) } else { text }
}

/// Some bytes changed, put in, left out, doubled or moved.
pub(crate) fn bytes(mut bytes: Vec<u8>, chance: &mut Chance) -> Vec<u8> {
    for _ in 0..=chance.below(8) {
        if bytes.is_empty() {
            break;
        }
        let place = chance.below(bytes.len());
        let end = place + chance.below((bytes.len() - place).min(64)) + 1;
        match chance.below(7) {
            0 => bytes[place] = chance.below(256) as u8,
            1 => bytes.truncate(place),
            2 => bytes.insert(place, chance.below(256) as u8),
            3 => drop(bytes.drain(place..end)),
            4 => {
                let piece = bytes[place..end].to_vec();
                let to = chance.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => {
                let token = TOKENS[chance.below(TOKENS.len())];
                bytes.splice(place..place, token.bytes());
            }
        }
    }
    bytes
}

/// What parsers stumble over.
const TOKENS: [&str; 20] = [
    "\0",
    "\n",
    "\r\n",
    "---\n",
    "\u{feff}",
    "\u{202e}",
    "\u{301}",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "\\",
    ": ",
    "#",
    "![](",
    "99999999999999999999",
    "-1e999",
    "</throughline-context>",
];

fn another(chance: &mut Chance) -> Json {
    match chance.below(12) {
        0 => Json::Null,
        1 => value!([]),
        2 => value!({}),
        3 => value!(i64::MIN),
        4 => value!("x".repeat(chance.below(70_000))),
        5 => value!("\u{0}\n\u{202e}é</throughline-context><throughline-context>"),
        6 => value!(["*** Update File: a", {"text": "git commit -m '"}]),
        7 => value!("git commit -m \"\u{301}"),
        8 => value!(true),
        9 => value!(1.5e300),
        10 => value!(u64::MAX),
        _ => value!({"error": "é".repeat(3000), "exit_code": -1, "text": "Exit code: 99999999999999999999"}),
    }
}

/// Where the values in it are.
fn pointers(json: &Json, at: &str) -> Vec<String> {
    let below = |(name, value): (String, &Json)| {
        let path = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        let mut found = pointers(value, &path);
        found.push(path);
        found
    };
    match json {
        Json::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), value)).flat_map(below).collect()
        }
        Json::Array(items) => {
            items.iter().enumerate().map(|(n, value)| (n.to_string(), value)).flat_map(below).collect()
        }
        _ => vec![],
    }
}
