//! The words, names and scripts that a memory is found by.

use super::{By, Query, found, knowing, recall, texts};

/// Each query finds its memory first, among the others.
fn each_finds(memories: &[&str], cases: &[(&str, &str)]) {
    let fixture = knowing(memories);
    for (query, expected) in cases {
        let best = found(&fixture, query).into_iter().next();
        assert_eq!(best.as_deref(), Some(*expected), "{query}");
    }
}

#[test]
fn people_ask_in_many_ways() {
    let staging = "Staging deploys run every night at two";
    let payments = "Payments are handled by Stripe webhooks";
    let colour = "Ann prefers dark themes in her editor";
    each_finds(
        &[staging, payments, colour],
        &[
            ("stripe", payments),
            ("STRIPE", payments),
            ("When does staging get deployed?", staging),
            ("how do we handle a payment", payments),
            ("what theme does Ann like best?", colour),
            ("webhook", payments),
            ("the editor's theme", colour),
        ],
    );
}

#[test]
fn what_is_asked_for_by_its_sort_is_found_by_its_name() {
    let pnpm = "Use pnpm in this repo, not npm";
    let drizzle = "Queries are written with Drizzle";
    let utc = "Timestamps are kept in UTC";
    each_finds(
        &[pnpm, drizzle, utc, "The manager signs off every package of work", "Ann likes libraries"],
        &[
            ("which package manager do we use?", pnpm),
            ("which ORM writes the queries?", drizzle),
            ("which time zone counts?", utc),
        ],
    );
}

#[test]
fn names_are_found_however_they_are_written() {
    let camel = "call parseHttpRequest before routing";
    let snake = "user_session_token lives in redis";
    let path = "see src/recall/fuse.rs:12 for the formula";
    let dotted = "set log.max_content_bytes to raise it";
    let kebab = "install the left-pad-extra package";
    let module = "std::collections::BTreeMap keeps the order";
    let mail = "write to ops@example.com about outages";
    each_finds(
        &[camel, snake, path, dotted, kebab, module, mail],
        &[
            ("parseHttpRequest", camel),
            ("parse_http_request", camel),
            ("parse-http-request", camel),
            ("http request", camel),
            ("userSessionToken", snake),
            ("user-session-token", snake),
            ("session token", snake),
            ("fuse.rs", path),
            ("src/recall/fuse.rs", path),
            ("src/recall/fuse.rs:12", path),
            ("max_content_bytes", dotted),
            ("log.max_content_bytes", dotted),
            ("maxContentBytes", dotted),
            ("leftPadExtra", kebab),
            ("BTreeMap", module),
            ("collections::BTreeMap", module),
            ("ops@example.com", mail),
            ("example.com", mail),
        ],
    );
}

#[test]
fn misspelt_words_and_beginnings_find_what_was_meant() {
    let auth = "authentication goes through keycloak";
    let queue = "the queue is rabbitmq in production";
    each_finds(
        &[auth, queue, "postgres holds the invoices", "deployment needs two approvals"],
        &[
            ("authentcation", auth),
            ("authetnication", auth),
            ("keyclaok", auth),
            ("keyc", auth),
            ("rabitmq", queue),
            ("rabb", queue),
            ("postgers", "postgres holds the invoices"),
            ("deploymnt", "deployment needs two approvals"),
        ],
    );
    let fixture = knowing(&[auth, queue]);
    let recalled = recall(&fixture, &Query::of("keyclaok", 5));
    assert_eq!(recalled.searched[0].terms[0].taken_for, ["keycloak"]);
}

#[test]
fn scripts_of_the_world_are_searched() {
    let chinese = "请记住数据库连接字符串放在环境变量里";
    let japanese = "データベースの接続設定は環境変数にあります";
    let korean = "데이터베이스 연결 설정은 환경 변수에 있습니다";
    let thai = "รหัสผ่านฐานข้อมูลอยู่ในตัวแปรสภาพแวดล้อม";
    let russian = "Миграции базы данных запускаются ночью";
    let greek = "Ο διακομιστής βρίσκεται στην Αθήνα";
    let arabic = "الخادم موجود في القاهرة";
    let accents = "Le café préféré de Zoë est à Orléans";
    let picture = "release day means 🚀 in the channel";
    each_finds(
        &[chinese, japanese, korean, thai, russian, greek, arabic, accents, picture],
        &[
            ("数据库", chinese),
            ("连接字符串", chinese),
            ("データベース", japanese),
            ("接続設定", japanese),
            ("데이터베이스", korean),
            ("연결", korean),
            ("ฐานข้อมูล", thai),
            ("миграция", russian),
            ("МИГРАЦИЯМИ", russian),
            ("базами данных", russian),
            ("διακομιστής", greek),
            ("القاهرة", arabic),
            ("cafe prefere", accents),
            ("CAFÉ", accents),
            ("zoe", accents),
            ("orleans", accents),
            ("🚀", picture),
        ],
    );
}

#[test]
fn what_follows_an_apostrophe_is_found() {
    for (memory, query) in [
        ("l'utilisateur choisit la langue", "utilisateur"),
        ("dell'applicazione si parla qui", "applicazione"),
        ("ask O'Brien about the keys", "obrien"),
        ("ask O'Brien about the keys", "brien"),
    ] {
        let fixture = knowing(&[memory, "nothing to see"]);
        let query = Query { by: By::Words, ..Query::of(query, 5) };
        assert_eq!(texts(&recall(&fixture, &query)), [memory], "{}", query.text);
    }
}

#[test]
fn composed_and_decomposed_letters_are_the_same() {
    let decomposed = "le cafe\u{301} de Zoe\u{308}";
    let fixture = knowing(&[decomposed, "nothing to see"]);
    for query in ["café", "cafe", "cafe\u{301}", "zoë"] {
        let query = Query { by: By::Words, ..Query::of(query, 5) };
        assert_eq!(texts(&recall(&fixture, &query)), [decomposed], "{}", query.text);
    }
}

#[test]
fn composed_and_decomposed_syllables_are_the_same() {
    use unicode_normalization::UnicodeNormalization as _;
    for (memory, word) in [("데이터베이스 연결", "데이터베이스"), ("データベース接続", "データベース")]
    {
        let decomposed: String = memory.nfd().collect();
        let fixture = knowing(&[&decomposed, "nothing to see"]);
        let query = Query { by: By::Words, ..Query::of(word, 5) };
        assert_eq!(texts(&recall(&fixture, &query)), [decomposed.as_str()], "{word}");
    }
}

#[test]
fn what_looks_like_an_emoji_is_found_by_itself_alone() {
    let fixture = knowing(&["❤️ is for love", "☀️ is for weather"]);
    for (query, memory) in [("❤️", "❤️ is for love"), ("❤", "❤️ is for love"), ("☀️", "☀️ is for weather")]
    {
        let query = Query { by: By::Words, floor: Some(0.0), ..Query::of(query, 5) };
        assert_eq!(texts(&recall(&fixture, &query)), [memory], "{}", query.text);
    }
}

#[test]
fn nonsense_finds_nothing() {
    let fixture = knowing(&[
        "Staging deploys run every night at two",
        "Payments are handled by Stripe webhooks",
        "Ann prefers dark themes in her editor",
    ]);
    for text in ["xyzzy plugh frobnicate", "qwertzuiop", "lorem ipsum dolor sit amet", "ÞÞÞ ŋŋŋ", "ᚠᚢᚦ"]
    {
        assert_eq!(found(&fixture, text), [""; 0], "{text}");
    }
}

#[test]
fn a_title_and_its_memory_are_found_together() {
    let fixture = crate::testing::Fixture::new();
    let titled = crate::remember::Statement {
        title: Some("Holiday calendar".into()),
        ..crate::remember::Statement::of("the office is closed on these days")
    };
    super::remember(&fixture, vec![titled]);
    assert_eq!(found(&fixture, "calendar"), ["the office is closed on these days"]);
    assert_eq!(found(&fixture, "holiday office"), ["the office is closed on these days"]);
}
