//! Each way to ask a model, against a server of our own on the loopback interface and real programs; time and chance belong
//! to the test.

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{Choice, Completion, Error, Patience, Provider, Question, ServerSettings, Usage, schema};

const KEY: &str = "sk-very-secret";

/// A status with headers, and a body.
type Reply = (&'static str, &'static str);
type Asked = JoinHandle<Vec<(String, Json)>>;

fn serve(replies: Vec<Reply>) -> (ServerSettings, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = ServerSettings {
        base_url: format!("http://{}/", listener.local_addr().unwrap()),
        model: "small".into(),
        api_key: Some(KEY.into()),
        connect_timeout: Duration::from_secs(5),
    };
    let asked = std::thread::spawn(move || {
        replies.into_iter().map(|reply| exchange(&listener.accept().unwrap().0, reply)).collect()
    });
    (settings, asked)
}

fn exchange(mut stream: &TcpStream, (status, text): Reply) -> (String, Json) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0);
    }
    let head = head.to_lowercase();
    let length = head.split("content-length: ").nth(1).unwrap().lines().next().unwrap().parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let length = text.len();
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}")
        .unwrap();
    (head, serde_json::from_slice(&body).unwrap())
}

fn question() -> Question {
    Question {
        system: "Be brief.".into(),
        prompt: "Is it so?".into(),
        schema: json!({
            "type": "object", "properties": { "so": { "type": "boolean" } }, "required": ["so"],
            "additionalProperties": false,
        }),
        max_tokens: 50,
    }
}

/// What comes of a question, and the pauses that were made, on a clock that only pauses move.
fn ask(choice: &Choice) -> (Result<Completion, Error>, Vec<u128>) {
    let (now, pauses) = (Cell::new(Duration::ZERO), RefCell::new(vec![]));
    let pause = |pause: Duration| {
        now.set(now.get() + pause);
        pauses.borrow_mut().push(pause.as_millis());
    };
    let patience =
        Patience { until: Duration::from_secs(30), now: &|| now.get(), pause: &pause, below: &|n| n - 1 };
    let provider = Provider::open(choice, None).unwrap().unwrap();
    let answer = provider.complete(&question(), &patience);
    let told = format!("{provider:?} {choice:?} {answer:?} {}", provider.name());
    assert!(!told.contains(KEY), "{told}");
    (answer, pauses.into_inner())
}

const CHAT: Reply = (
    "200 OK\r\ncontent-type: application/json",
    r#"{"choices":[{"message":{"content":"{\"so\":true}"}}],"usage":{"prompt_tokens":9,"completion_tokens":4}}"#,
);

fn yes() -> Completion {
    Completion { text: r#"{"so":true}"#.into(), usage: Some(Usage { tokens_in: 9, tokens_out: 4 }) }
}

#[test]
fn anthropic_is_asked_for_the_input_of_a_tool() {
    let body = r#"{"content":[{"type":"text","text":"Well."},{"type":"tool_use","name":"answer","input":{"so":true}}],"usage":{"input_tokens":9,"output_tokens":4}}"#;
    let (settings, asked) = serve(vec![("200 OK\r\ncontent-type: application/json", body)]);
    assert_eq!(ask(&Choice::Anthropic(settings)), (Ok(yes()), vec![]));
    let (head, body) = asked.join().unwrap().remove(0);
    assert!(head.starts_with("post /v1/messages ") && head.contains("x-api-key: sk-very-secret"), "{head}");
    assert!(head.contains("anthropic-version: 2023-06-01"), "{head}");
    let question = question();
    assert_eq!(
        (
            &body["system"],
            &body["tools"][0]["input_schema"],
            &body["max_tokens"],
            &body["tool_choice"]["type"]
        ),
        (&json!(question.system), &question.schema, &json!(50), &json!("tool"))
    );
    assert_eq!(body["messages"], json!([{ "role": "user", "content": "Is it so?" }]));
}

#[test]
fn openai_is_asked_for_the_schema_and_again_without_what_the_server_refuses() {
    let refused = ("400 Bad Request", r#"{"error":"response_format is not supported"}"#);
    let (settings, asked) = serve(vec![refused, CHAT]);
    assert_eq!(ask(&Choice::OpenAi(settings)), (Ok(yes()), vec![]));
    let asked = asked.join().unwrap();
    assert!(
        asked[0].0.starts_with("post /chat/completions ") && asked[0].0.contains("bearer sk-very-secret")
    );
    assert_eq!(asked[0].1["response_format"]["json_schema"]["schema"], question().schema);
    assert_eq!(asked[1].1.get("response_format"), None);
    let said = asked[1].1["messages"][1]["content"].as_str().unwrap();
    assert!(said.contains(&question().schema.to_string()), "{said}");
}

#[test]
fn a_busy_server_is_asked_again_when_it_says_or_with_chance() {
    let busy = ("429 Too Many Requests\r\nretry-after: 3", "");
    let (settings, _) = serve(vec![busy, ("503 Unavailable", ""), ("500 Oh", ""), CHAT]);
    assert_eq!(ask(&Choice::OpenAi(settings)), (Ok(yes()), vec![3000, 1000, 2000]));
}

#[test]
fn a_server_that_stays_busy_is_given_up() {
    let (settings, _) = serve(vec![("500 Oh", ""); 4]);
    let (answer, pauses) = ask(&Choice::OpenAi(settings));
    assert!(matches!(&answer, Err(Error::Unavailable(why)) if why.contains("status 500")), "{answer:?}");
    assert_eq!(pauses, [500, 1000, 2000]);
    let (settings, _) = serve(vec![("429 Wait\r\nretry-after: 7200", ""); 2]);
    let (answer, pauses) = ask(&Choice::OpenAi(settings));
    assert!(matches!(answer, Err(Error::Unavailable(_))), "{answer:?}");
    assert_eq!(pauses, [20_000], "no longer than is worth it, and not past the end of patience");
}

#[test]
fn a_pause_until_a_date_is_told_by_the_servers_clock_or_by_ours() {
    let ours = ("429 Wait\r\nretry-after: Thu, 01 Jan 1970 00:00:03 GMT", "");
    let theirs =
        ("503 Wait\r\ndate: Tue, 29 Feb 2028 23:59:58 GMT\r\nretry-after: Wed, 01 Mar 2028 00:00:02 GMT", "");
    let past = ("429 Wait\r\nretry-after: Thu, 01 Jan 1970 00:00:01 GMT", "");
    let (settings, _) = serve(vec![ours, theirs, past, CHAT]);
    assert_eq!(ask(&Choice::OpenAi(settings)), (Ok(yes()), vec![3000, 4000, 0]));
    let far = ("429 Wait\r\nretry-after: Fri, 31 Dec 9999 23:59:59 GMT", "");
    let nonsense = ("429 Wait\r\nretry-after: Thu, 99 Foo 1970 25:61:61 GMT", "");
    let (settings, _) = serve(vec![nonsense, far, CHAT]);
    assert_eq!(ask(&Choice::OpenAi(settings)), (Ok(yes()), vec![500, 20_000]));
}

#[test]
fn an_answer_in_parts_is_their_text() {
    let body = r#"{"choices":[{"message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"{\"so\":"},{"type":"text","text":"true}"}]}}],"usage":{"prompt_tokens":9,"completion_tokens":4}}"#;
    let (settings, _) = serve(vec![("200 OK", body)]);
    assert_eq!(ask(&Choice::OpenAi(settings)), (Ok(yes()), vec![]));
}

#[test]
fn what_a_server_claims_to_have_used_is_believed_up_to_a_bound() {
    let chat = r#"{"choices":[{"message":{"content":"{\"so\":true}"}}],"usage":{"prompt_tokens":9223372036854775807,"completion_tokens":18446744073709551615}}"#;
    let message = r#"{"content":[{"type":"text","text":"{\"so\":true}"}],"usage":{"input_tokens":9223372036854775807,"cache_creation_input_tokens":18446744073709551615,"cache_read_input_tokens":18446744073709551615,"output_tokens":18446744073709551615}}"#;
    let most = u64::from(u32::MAX);
    let wanted = Completion { usage: Some(Usage { tokens_in: most, tokens_out: most }), ..yes() };
    for (choice, body) in
        [(Choice::OpenAi as fn(ServerSettings) -> Choice, chat), (Choice::Anthropic, message)]
    {
        let (settings, _) = serve(vec![("200 OK", body)]);
        assert_eq!(ask(&choice(settings)), (Ok(wanted.clone()), vec![]));
    }
}

#[test]
fn what_is_no_answer_says_what_to_change_and_never_the_key() {
    let page = ("200 OK\r\ncontent-type: text/html", "<html>");
    let cut = ("200 OK\r\ncontent-type: application/json", r#"{"choices":[{"mess"#);
    let other = ("200 OK", r#"{"data":[]}"#);
    let key = ("401 No", "your key sk-very-secret is wrong");
    let echo = ("422 No", "what is sk-very-secret");
    for (reply, wanted) in [
        (page, "instead of JSON"),
        (cut, "not JSON, or was cut off"),
        (other, "no `choices`"),
        (key, "model.api_key_env"),
        (echo, "what is [api_key]"),
        (("404 No", ""), "model.url and model.name"),
        (("307 There\r\nlocation: http://example.org/", ""), "somewhere else"),
    ] {
        let (settings, _) = serve(vec![reply]);
        let (answer, pauses) = ask(&Choice::OpenAi(settings));
        let why = answer.unwrap_err().to_string();
        assert!(why.contains(wanted) && pauses.is_empty(), "{why} {pauses:?}");
    }
}

#[test]
fn an_answer_without_end_is_not_read_to_its_end() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
        let mut sent = stream.write_all(head.as_bytes());
        while sent.is_ok() {
            sent = stream.write_all(&[b' '; 65536]);
        }
    });
    let settings = ServerSettings {
        base_url: format!("http://{address}"),
        model: "m".into(),
        api_key: None,
        connect_timeout: Duration::from_secs(5),
    };
    let (answer, _) = ask(&Choice::OpenAi(settings));
    assert!(matches!(&answer, Err(Error::Answer(why)) if why.contains("longer than")), "{answer:?}");
}

#[test]
fn settings_that_cannot_work_are_refused_before_anything_is_sent() {
    let settings = |base_url: &str, model: &str| ServerSettings {
        base_url: base_url.into(),
        model: model.into(),
        api_key: None,
        connect_timeout: Duration::ZERO,
    };
    for wrong in [
        settings("ftp://x", "m"),
        settings("http://user:pw@host", "m"),
        settings("", "m"),
        settings("http://h", " "),
    ] {
        let error = Provider::open(&Choice::OpenAi(wrong), None).unwrap_err();
        assert!(matches!(&error, Error::Invalid(why) if !why.contains("pw")), "{error}");
    }
    let error = Provider::open(&Choice::OpenAi(settings("http://user:pw@host", "m")), None).unwrap_err();
    assert!(error.to_string().contains("model.api_key_env"), "{error}");
    assert!(Provider::open(&Choice::Client, None).unwrap().is_none(), "nobody lends one");
}

#[test]
fn an_answer_has_the_shape_that_was_asked_for_or_it_is_said_what_is_wrong() {
    let schema = json!({
        "type": "object",
        "properties": { "list": {
            "type": "array", "maxItems": 2, "items": {
                "type": "object",
                "properties": {
                    "kind": { "type": "string", "enum": ["a", "b"] },
                    "text": { "type": "string", "maxLength": 3 },
                    "sure": { "type": "number", "minimum": 0, "maximum": 1 },
                    "at": { "type": "integer" },
                },
                "required": ["kind"],
            },
        } },
        "required": ["list"],
    });
    let read = |text: &str| schema::read(text, &schema);
    assert!(read(r#"{"list":[{"kind":"a","text":"äöü","sure":1,"at":3}]}"#).is_ok());
    assert!(read("Sure! Here it is:\n```json\n{\"list\": []}\n```\nAnything else?").is_ok());
    for (wrong, why) in [
        ("I would rather not", "no JSON document"),
        (r#"{"list":[{"kind":"a""#, "no JSON document"),
        ("[]", "the answer must be an object"),
        ("{}", "the answer must have `list`"),
        (r#"{"list":{}}"#, "the answer.list must be a list"),
        (r#"{"list":[],"more":1}"#, "must not have `more`"),
        (r#"{"list":[{},{},{}]}"#, "at most 2"),
        (r#"{"list":[{"kind":"c"}]}"#, "the answer.list[0].kind must be one of a, b"),
        (r#"{"list":[{"kind":1}]}"#, "must be a string"),
        (r#"{"list":[{"kind":"a","text":"long"}]}"#, "at most 3 characters"),
        (r#"{"list":[{"kind":"a","sure":1.5}]}"#, "between 0 and 1"),
        (r#"{"list":[{"kind":"a","at":1.5}]}"#, "whole number"),
    ] {
        let said = read(wrong).unwrap_err();
        assert!(said.contains(why), "{wrong}: {said}");
    }
}

#[test]
fn an_answer_is_found_behind_what_a_model_thinks_aloud() {
    let so = question().schema;
    let read = |text: &str| schema::read(text, &so);
    for text in [
        "<think>The user wants {\"so\": ...} hmm {x}</think>\n{\"so\":true}",
        "<think>Perhaps {\"so\":false}?</think>```json\n{\"so\":true}\n```",
        "Perhaps {\"so\":false}? No.\n</think>\n{\"so\":true}",
        "The shape is {\"so\": …}, as in {\"thus\":1}: {\"so\":true} is mine, {x} is not",
        "{{\"so\":true}}",
    ] {
        assert_eq!(read(text), Ok(json!({ "so": true })), "{text}");
    }
    for text in ["<think>Perhaps {\"so\":true}", "{\"so\":true, \"why\":{\"so\":true}", "{x} {y"] {
        assert_eq!(read(text), Err("there is no JSON document in the answer".to_owned()), "{text}");
    }
    assert_eq!(read("so: {\"thus\":1}"), Err("the answer must have `so`".to_owned()));
    let braces = "{\"a\":[".repeat(500_000);
    assert!(read(&format!("{braces}}}")).is_err(), "and that in one pass");
}

#[cfg(unix)]
mod command {
    use super::super::{Choice, CommandSettings, Error, Patience, Provider};
    use super::question;
    use std::time::Duration;

    fn run(script: &str, timeout_ms: u64) -> Result<String, Error> {
        let settings =
            CommandSettings { program: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()] };
        let provider = Provider::open(&Choice::Command(settings), None).unwrap().unwrap();
        assert!(!provider.name().contains(script), "{}", provider.name());
        let until = Duration::from_millis(timeout_ms);
        let patience =
            Patience { until, now: &|| Duration::ZERO, pause: &|_| {}, below: &|n| n.saturating_sub(1) };
        provider.complete(&question(), &patience).map(|completion| completion.text)
    }

    const PATIENT: u64 = 60_000;

    #[test]
    fn a_program_reads_the_question_and_writes_the_answer() {
        assert_eq!(
            run("cat; printf %s \"$THROUGHLINE_HOOKS\"", PATIENT).unwrap(),
            format!("{}off", question().in_words())
        );
        assert_eq!(run("echo unread", PATIENT).unwrap(), "unread\n");
    }

    #[test]
    fn a_program_that_fails_or_hangs_is_no_model() {
        let failed = run("echo it broke >&2; exit 3", PATIENT).unwrap_err().to_string();
        assert!(failed.contains("exit status: 3") && failed.contains("it broke"), "{failed}");
        let hung = run("sleep 600 & sleep 600", 50).unwrap_err();
        assert!(matches!(&hung, Error::Unavailable(why) if why.contains("50 ms")), "{hung}");
        let long = run("yes", PATIENT).unwrap_err();
        assert!(matches!(&long, Error::Answer(why) if why.contains("longer than")), "{long}");
        let settings = CommandSettings { program: "/no/such/program".into(), arguments: vec![] };
        let provider = Provider::open(&Choice::Command(settings), None).unwrap().unwrap();
        let patience =
            Patience { until: Duration::ZERO, now: &|| Duration::ZERO, pause: &|_| {}, below: &|_| 0 };
        let missing = provider.complete(&question(), &patience).unwrap_err();
        assert!(matches!(&missing, Error::Invalid(why) if why.contains("model.command")), "{missing}");
    }
}
