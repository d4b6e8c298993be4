//! Does redaction hide every secret, and leave everything else as it was?

mod negatives;
mod positives;

use proptest::prelude::{Strategy, any, prop, prop_assert, prop_assert_eq, proptest};
use serde_json::{Value, json};

use super::{formats, json as redact_json, text};

/// A case as `before «rule:secret» after`, in which `<a36>` stands for 36 made-up characters.
struct Case {
    input: String,
    expected: String,
    secrets: u32,
}

impl Case {
    fn parse(notation: &str) -> Self {
        let mut case = Self { input: String::new(), expected: String::new(), secrets: 0 };
        let mut parts = notation.split('«');
        case.keep(parts.next().unwrap());
        for part in parts {
            let (secret, after) = part.split_once('»').unwrap();
            let (rule, value) = secret.split_once(':').unwrap();
            case.input.push_str(&fake(value));
            case.expected.push_str(&format!("[redacted:{rule}]"));
            case.secrets += 1;
            case.keep(after);
        }
        case
    }

    fn keep(&mut self, text: &str) {
        self.input.push_str(&fake(text));
        self.expected.push_str(&fake(text));
    }

    fn failure(&self) -> Option<String> {
        let redacted = text(&self.input);
        let again = text(&redacted.text);
        let is_right = redacted.text == self.expected && redacted.count == self.secrets && again.count == 0;
        (!is_right)
            .then(|| format!("{}\n  gives   {}\n  must be {}", self.input, redacted.text, self.expected))
    }
}

/// Writes out `<a36>`: a, mixed letters and digits; l, small ones; u, capitals; h, hexadecimal; d, digits.
fn fake(notation: &str) -> String {
    let mut parts = notation.split('<');
    let mut written = parts.next().unwrap().to_owned();
    for part in parts {
        match part
            .split_once('>')
            .and_then(|(code, rest)| Some((alphabet(code)?, code[1..].parse().ok()?, rest)))
        {
            Some((alphabet, len, rest)) => {
                written.extend(made_up(alphabet, len));
                written.push_str(rest);
            }
            None => {
                written.push('<');
                written.push_str(part);
            }
        }
    }
    written
}

fn alphabet(code: &str) -> Option<&'static [u8]> {
    match code.chars().next()? {
        'a' => Some(b"k7Qp2ZxL9vR4tNw8BcY3mHs6DfJ1gT5aKeUq0XiV"),
        'l' => Some(b"k7qp2zxl9vr4tnw8bcy3mhs6dfj1gt5ae0ui"),
        'u' => Some(b"K7QP2ZXL3VR4TNW5BCY6MHSDFJGTAEUIO"),
        'h' => Some(b"3f9a07c4e1b85d26"),
        'd' => Some(b"7305914826"),
        _ => None,
    }
}

fn made_up(alphabet: &'static [u8], len: usize) -> impl Iterator<Item = char> {
    (0..len).map(move |n| char::from(alphabet[(n * 7 + n * n / 5) % alphabet.len()]))
}

fn all_positives() -> Vec<Case> {
    let formats = positives::FORMATS.iter().flat_map(|secret| {
        positives::CONTEXTS.iter().map(move |context| Case::parse(&context.replace('@', secret)))
    });
    formats.chain(positives::CASES.iter().map(|notation| Case::parse(notation))).collect()
}

#[test]
fn every_known_secret_is_hidden_and_nothing_else() {
    let positives = all_positives();
    let missed: Vec<_> = positives.iter().filter_map(Case::failure).collect();
    let negatives: Vec<_> = negatives::CASES.iter().map(|line| Case::parse(line)).collect();
    let false_alarms: Vec<_> = negatives.iter().filter_map(Case::failure).collect();
    let recall = (positives.len() - missed.len()) as f64 / positives.len() as f64;
    println!(
        "{} positives, recall {recall:.3}; {} negatives, {} false positives",
        positives.len(),
        negatives.len(),
        false_alarms.len()
    );
    assert!(missed.is_empty(), "missed:\n{}", missed.join("\n"));
    assert!(false_alarms.is_empty(), "false alarms:\n{}", false_alarms.join("\n"));
}

#[test]
fn every_format_has_a_positive() {
    let tested: Vec<_> = positives::FORMATS
        .iter()
        .map(|case| case.split('«').nth(1).unwrap().split(':').next().unwrap())
        .collect();
    let untested: Vec<_> =
        formats::FORMATS.iter().map(|format| format.name).filter(|name| !tested.contains(name)).collect();
    assert!(untested.is_empty(), "{untested:?}");
}

#[test]
fn text_without_secrets_is_borrowed() {
    assert!(matches!(text("fn main() {}").text, std::borrow::Cow::Borrowed("fn main() {}")));
}

#[test]
fn private_keys_are_hidden_whole() {
    for label in [
        "RSA PRIVATE KEY",
        "PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ] {
        for (line_end, after) in [
            ("\n", "\nnext"),
            ("\\n", "\\n\""),
            ("\r\n", "\r\n"),
            ("\n     7→", "\nx"),
            ("\n# ", "\n"),
            ("\\n\" +\n  \"", "\""),
        ] {
            let line = fake("<a64>");
            let block = format!(
                "-----BEGIN {label}-----{line_end}{line}{line_end}{line}=={line_end}-----END {label}-----"
            );
            let redacted = text(&format!("key: \"{block}{after}")).text.into_owned();
            assert_eq!(redacted, format!("key: \"[redacted:private-key]{after}"), "{block}");
        }
    }
}

#[test]
fn cut_off_private_keys_are_hidden_as_far_as_they_go() {
    let begin = "-----BEGIN RSA PRIVATE KEY-----";
    let line = fake("<a64>");
    let headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F9A07\n\n";
    assert_eq!(text(&format!("{begin}\n{line}\n{line}")).text, "[redacted:private-key]");
    assert_eq!(text(&format!("{begin}\n{headers}{line}\n")).text, "[redacted:private-key]\n");
    assert_eq!(text(&format!("\"{begin}\\n{line}\\n...\"")).text, "\"[redacted:private-key]\\n...\"");
    let mention = format!("the file starts with {begin} and a line");
    assert_eq!(text(&mention).text, mention);
}

#[test]
fn json_keys_name_their_values() {
    let mut value = json!({
        "password": "hunter2!", "user": "ada", "port": 5432, "token": null, "max_tokens": "4096",
        "env": [{"name": "DB_PASSWORD", "value": "hunter2"}, {"name": "PATH", "value": "/bin"}],
        "args": ["mysql", "--password", "hunter2", "--host", "db"],
        "headers": {"Authorization": [fake("Bearer <a40>")], "Accept": ["text/html"]},
        "nested": "{\"password\": \"hunter2\"}",
    });
    let count = redact_json(&mut value);
    let expected = json!({
        "password": "[redacted:password]", "user": "ada", "port": 5432, "token": null, "max_tokens": "4096",
        "env": [{"name": "DB_PASSWORD", "value": "[redacted:password]"}, {"name": "PATH", "value": "/bin"}],
        "args": ["mysql", "--password", "[redacted:password]", "--host", "db"],
        "headers": {"Authorization": ["Bearer [redacted:authorization]"], "Accept": ["text/html"]},
        "nested": "{\"password\": \"[redacted:password]\"}",
    });
    assert_eq!((value.clone(), count), (expected, 5));
    assert_eq!(redact_json(&mut value), 0);
}

#[test]
fn deeply_nested_json_is_walked_without_recursion() {
    let mut value = json!({"password": "hunter2!"});
    for _ in 0..100_000 {
        value = Value::Array(vec![value]);
    }
    assert_eq!(redact_json(&mut value), 1);
    // Dropping recursively would overflow where redacting did not.
    while let Value::Array(mut items) = value {
        value = items.pop().unwrap();
    }
}

/// Quadratic work on ten megabytes would take hours, and minutes on the rest.
#[test]
fn hostile_repetition_is_linear() {
    let seeds = [
        "token=",
        "token:",
        "password=(",
        "password=\"",
        "token=\\\"",
        "eyJ",
        "eyJ.",
        "eyJhbGciOiJIUzI1.",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nabc",
        "://",
        "a://b:",
        "x://u@",
        "sk-",
        "sig=",
        " -p",
        " -px",
        "mysql -u a",
        "Cookie: a=b",
        "Cookie:a=",
        "Bearer ",
        "basic ",
        "--token ",
        "[redacted:",
        "\\",
        "\"",
        "token",
        "token='a\\",
        "AKIA",
        "glpat-",
        ":AA",
        "12345678:AA",
        "Authorization: ",
        "[redacted:x]",
        "é",
        "password: ",
        "key",
        "<password>",
        "ENV password ",
    ];
    for seed in seeds {
        let size = if ["token=", "eyJ", "-----BEGIN "].contains(&seed) { 10_000_000 } else { 200_000 };
        let input = seed.repeat(size / seed.len());
        let redacted = text(&input);
        let again = if redacted.count == 0 { 0 } else { text(&redacted.text).count };
        assert_eq!(again, 0, "{seed}");
    }
}

/// Pieces that meet in ways nobody writes, to find where two finders disagree.
fn fragments() -> impl Strategy<Value = String> {
    let secrets = positives::FORMATS.iter().chain(positives::CASES).map(|case| Case::parse(case).input);
    let joints = [
        " ",
        "\n",
        "\"",
        "'",
        "\\\"",
        "\\n",
        "=",
        ": ",
        ":",
        ";",
        ",",
        "&",
        "@",
        "://",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        "<",
        ">",
        "%",
        "$",
        "-",
        "_",
        ".",
        "/",
        "\\",
        "é",
        "→",
        "--",
        "\u{1b}[32m",
        "[redacted:token]",
        "[redacted:",
        "password",
        "token",
        "API_KEY",
        "=\"",
        "Cookie: ",
        "Authorization: Bearer ",
        "https://",
        "mysql",
        " -p",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "eyJ",
        "sk-",
        "hunter2",
        "ENV ",
        "--password ",
        "\r\n",
        "`",
        "==",
        "?",
    ];
    let pieces: Vec<String> = secrets.chain(joints.map(str::to_owned)).collect();
    let piece = prop::sample::select(pieces);
    let cut = (piece.clone(), any::<prop::sample::Index>()).prop_map(|(piece, index)| {
        let ends: Vec<usize> = piece.char_indices().map(|(at, _)| at).collect();
        piece[ends[index.index(ends.len())]..].to_owned()
    });
    let noise = any::<String>();
    prop::collection::vec(
        prop::strategy::Union::new_weighted(vec![(6, piece.boxed()), (2, cut.boxed()), (1, noise.boxed())]),
        1..12,
    )
    .prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn redacting_twice_changes_nothing(input in fragments()) {
        let once = text(&input);
        let twice = text(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert_eq!(twice.count, 0);
    }

    #[test]
    fn any_text_is_survived(input in any::<String>()) {
        prop_assert_eq!(text(&text(&input).text).count, 0);
    }

    #[test]
    fn json_stays_json(fields in prop::collection::vec((fragments(), fragments()), 1..4)) {
        let value = Value::Object(fields.into_iter().map(|(key, string)| (key, Value::String(string))).collect());
        let written = value.to_string();
        let redacted = text(&written);
        prop_assert!(serde_json::from_str::<Value>(&redacted.text).is_ok(), "{}", redacted.text);
    }
}
