//! Queries as people and agents write them: each finds the right one of a dozen memories, and none does harm.

use serde_json::Value as Json;

use crate::fixture::{Home, on_both, shows};
use crate::memory::ids;

on_both!(
    every_kind_of_query_finds_the_right_one_of_a_dozen,
    what_the_project_knows_nothing_about_finds_nothing,
    the_syntax_of_search_engines_is_only_text,
    a_query_may_begin_with_a_hyphen,
    control_characters_in_a_query_do_no_harm,
    a_long_query_is_answered_or_refused,
    a_query_of_nothing_finds_nothing,
    any_limit_is_answered,
);

const DOZEN: [(&str, &str); 14] = [
    ("pool", "The connection pool of the billing service holds at most forty connections"),
    ("deploy", "Never deploy on a Friday afternoon: the on-call engineer is alone then"),
    ("retry", "parseRetryAfter in src/http/backoff.rs reads the Retry-After header of the payment provider"),
    ("flaky", "The test checkout_totals_round_half_even is flaky on ARM because of the float printing"),
    (
        "tokens",
        "Access tokens of the mobile app expire after fifteen minutes, refresh tokens after thirty days",
    ),
    ("style", "Maria prefers small pull requests with one commit each"),
    ("queue", "Order events go through Kafka, topic orders.v2, partitioned by customer"),
    ("migration", "Schema migrations run before the new pods start, in the job migrate-db"),
    ("chinese", "数据库迁移脚本在部署之前由值班工程师手动运行"),
    ("japanese", "検索インデックスは毎晩午前三時に再構築される"),
    ("russian", "Резервные копии базы данных хранятся девяносто дней в отдельном регионе"),
    ("emoji", "Commits that change the public API get a 🚀 in their title"),
    ("german", "Die Rechnungsnummern müssen lückenlos sein, das verlangt das Finanzamt"),
    ("logs", "Application logs go to Loki and are dropped after two weeks"),
];

fn dozen(home: &Home) -> Vec<(&'static str, String)> {
    let remember = |(name, text): (&'static str, &str)| (name, crate::memory::remember(home, &[text]));
    DOZEN.into_iter().map(remember).collect()
}

fn every_kind_of_query_finds_the_right_one_of_a_dozen(home: &Home) {
    let dozen = dozen(home);
    let wrong: Vec<String> = [
        ("kafka", "queue"),
        ("flaky", "flaky"),
        ("how long are the access tokens valid?", "tokens"),
        ("when can I not deploy?", "deploy"),
        ("where do order events go", "queue"),
        ("how many connections does the billing pool have", "pool"),
        ("what does Maria like in reviews", "style"),
        ("parseRetryAfter", "retry"),
        ("parse_retry_after", "retry"),
        ("parse retry after", "retry"),
        ("ParseRetryAfter", "retry"),
        ("PARSE_RETRY_AFTER", "retry"),
        ("parse-retry-after", "retry"),
        ("checkoutTotalsRoundHalfEven", "flaky"),
        ("migrate_db", "migration"),
        ("orders.v2", "queue"),
        ("src/http/backoff.rs", "retry"),
        ("backoff.rs", "retry"),
        ("http/backoff", "retry"),
        ("src\\http\\backoff.rs", "retry"),
        ("conection pol", "pool"),
        ("migratoins", "migration"),
        ("kafak", "queue"),
        ("refesh tokens", "tokens"),
        ("connections", "pool"),
        ("connection", "pool"),
        ("deploying on fridays", "deploy"),
        ("数据库", "chinese"),
        ("谁运行迁移脚本", "chinese"),
        ("検索", "japanese"),
        ("インデックスの再構築はいつ", "japanese"),
        ("резервная копия", "russian"),
        ("Где хранятся резервные копии?", "russian"),
        ("РЕЗЕРВНЫЕ КОПИИ", "russian"),
        ("🚀", "emoji"),
        ("rechnungsnummer lückenlos", "german"),
        ("luckenlos", "german"),
        ("LÜCKENLOS", "german"),
        ("Loki", "logs"),
        ("how long do we keep logs", "logs"),
    ]
    .into_iter()
    .filter_map(|(query, wanted)| {
        let found = ids(home, &["search", query]);
        let wanted_id = &dozen.iter().find(|(name, _)| *name == wanted).unwrap().1;
        let names = found.iter().map(|id| dozen.iter().find(|(_, known)| known == id).unwrap().0);
        let names: Vec<&str> = names.collect();
        (found.first() != Some(wanted_id)).then(|| format!("{query:?}: not {wanted} but {names:?}"))
    })
    .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn what_the_project_knows_nothing_about_finds_nothing(home: &Home) {
    dozen(home);
    for query in ["xyzzyplugh", "zzzz qqqq", "🦖", "0x7f3a9c", "the", "of and or"] {
        let answer = home.json(&["search", query]);
        assert_eq!(answer["total"], 0, "{query}: {answer:#}");
    }
}

/// A query that is all syntax to some search engine is words to ours.
fn the_syntax_of_search_engines_is_only_text(home: &Home) {
    let dozen = dozen(home);
    let pool = &dozen[0].1;
    for query in [
        "\"connection pool\"",
        "\"connection pool",
        "connection AND pool",
        "connection NOT pool",
        "NOT connection pool",
        "connection OR",
        "NEAR(connection pool, 5)",
        "content:connection pool",
        "connection* pool*",
        "(connection pool",
        "connection) pool",
        "^connection + pool",
        "connection & pool | !x",
        "connection <-> pool",
        "connection:* & pool:A",
        "'connection pool",
        "connection'; drop table memory; --",
        "connection \\ pool",
        "connection % _ pool",
        "{connection pool}",
        "$1 ?1 connection pool",
    ] {
        assert_eq!(ids(home, &["search", query]).first(), Some(pool), "{query}");
    }
    assert_eq!(home.json(&["memory", "list"])["total"], 14);
}

fn a_query_may_begin_with_a_hyphen(home: &Home) {
    let dozen = dozen(home);
    let pool = &dozen[0].1;
    for query in
        [&["-connection pool"][..], &["-- -connection pool"], &["--", "-connection", "pool"], &["—pool"]]
    {
        let ran = home.call(&[&["search", "--json"], query].concat()).run();
        let answer: Json = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(answer["hits"][0]["id"], pool.as_str(), "{query:?}");
    }
    assert_eq!(ids(home, &["search", "-5 connections in the pool", "--limit", "1"]), [pool.as_str()]);
    assert_eq!(ids(home, &["search", "--limit", "1", "connection", "pool"]), [pool.as_str()]);
    assert_eq!(ids(home, &["memory", "search", "-pool"]), [pool.as_str()]);
}

fn control_characters_in_a_query_do_no_harm(home: &Home) {
    let dozen = dozen(home);
    for query in [
        "connection\u{1}pool",
        "connection\tpool\r\n",
        "\u{1b}[31mconnection\u{1b}[0m pool",
        "\u{200b}connection\u{200b} pool",
        "\u{202e}connection pool",
        "\u{feff}connection pool\u{fffd}",
    ] {
        assert_eq!(ids(home, &["search", query]).first(), Some(&dozen[0].1), "{query:?}");
    }
    for query in ["\u{7f}", "\u{1}\u{2}\u{3}", "\u{e000}", "\u{301}\u{301}", "\u{10ffff}"] {
        assert_eq!(home.json(&["search", query])["total"], 0, "{query:?}");
    }
}

fn a_long_query_is_answered_or_refused(home: &Home) {
    let dozen = dozen(home);
    let words: String = (0..5000).map(|n| format!("word{n:05} ")).collect();
    let long = format!("kafka topic orders {words}");
    assert!(long.len() > 50_000);
    home.json(&["search", &long]);
    let repeated = "kafka orders ".repeat(4000);
    assert_eq!(ids(home, &["search", &repeated]).first(), Some(&dozen[6].1));
    home.json(&["search", &"x".repeat(50_000)]);
    home.json(&["search", &"数据库".repeat(6000)]);
    let error = home.fails(&["search", &"x ".repeat(40_000)]);
    shows!(home, error, @"error: the query has 80000 bytes and the limit is 65536; ask for what matters in it");
}

fn a_query_of_nothing_finds_nothing(home: &Home) {
    dozen(home);
    for query in ["", " ", "\n\t", "?!", "-", "--"] {
        let ran = home.call(&["search", "--json", "--", query]).run();
        let answer: Json = serde_json::from_str(&ran.stdout).unwrap();
        assert!(ran.code == 0 && answer["total"] == 0, "{query:?}: {ran:?}");
    }
}

fn any_limit_is_answered(home: &Home) {
    for n in 0..5 {
        crate::memory::remember(home, &[&format!("The lorikeet rule number {n}")]);
    }
    let query = "lorikeet rule";
    let all = ids(home, &["search", query, "--limit", "100"]);
    let total = home.json(&["search", query])["total"].as_u64().unwrap();
    assert!(total > 2 && all.len() as u64 == total, "{total}");
    assert_eq!(ids(home, &["search", query, "--limit", "2"]), all[..2]);
    let text = home.ok(&["search", query, "-n", "1"]);
    assert!(text.ends_with(&format!("1 of {total} shown (--limit)\n")), "{text}");
    for limit in ["1000000", "4294967296"] {
        assert_eq!(ids(home, &["search", query, "--limit", limit]), all, "{limit}");
    }
    assert_eq!(home.call(&["search", query, "--limit", "0"]).run().code, 2, "none is no limit");
}

#[test]
fn the_largest_limit_is_answered() {
    let home = Home::sqlite();
    dozen(&home);
    let found = ids(&home, &["search", "kafka", "--limit", "18446744073709551615"]);
    assert_eq!(found, ids(&home, &["search", "kafka"]));
}

#[test]
fn a_limit_of_nothing_is_not_an_answer_of_nothing() {
    let home = Home::sqlite();
    dozen(&home);
    let ran = home.call(&["search", "kafka", "--limit", "0"]).run();
    assert!(!ran.stdout.contains("nothing relevant"), "{ran:?}");
}

#[test]
fn a_query_of_punctuation_finds_nothing() {
    let home = Home::sqlite();
    dozen(&home);
    for query in ["*", "%", "\"\"", "''", "()", "#", "/", ":", "!!!", "[]{}", "=>", "//"] {
        let answer = home.json(&["search", query]);
        assert_eq!(answer["total"], 0, "{query}");
    }
}

#[test]
fn a_name_is_found_in_small_letters() {
    let home = Home::sqlite();
    dozen(&home);
    for (name, query) in [
        ("macOS", "macos"),
        ("iOS", "ios"),
        ("PagerDuty", "pagerduty"),
        ("RefundPolicy", "refundpolicy"),
        ("on-call", "oncall"),
    ] {
        let id = crate::memory::remember(&home, &[&format!("Builds of today: {name}")]);
        assert_eq!(ids(&home, &["search", query]).first(), Some(&id), "{query}");
        home.ok(&["forget", &id]);
    }
}

#[test]
fn the_beginning_of_a_name_with_digits_finds_it() {
    let home = Home::sqlite();
    dozen(&home);
    let id = crate::memory::remember(&home, &["Primary keys are UUIDv7, sign-in is OAuth2"]);
    for query in ["uuid", "oauth"] {
        assert_eq!(ids(&home, &["search", query]).first(), Some(&id), "{query}");
    }
}

/// The more an agent pastes, the less of it each memory has; a path that it names is still an answer.
#[test]
fn a_pasted_error_finds_the_memory_about_its_file() {
    let home = Home::sqlite();
    dozen(&home);
    let about = "Stripe webhooks are verified in src/payments/webhook.rs with the secret of the dashboard";
    let id = crate::memory::remember(&home, &[about]);
    let pasted = "thread 'tokio-runtime-worker' panicked at src/payments/webhook.rs:88:17: called Result::unwrap() on \
                  an Err value: SignatureMismatch { expected: \"t=1492774577\", got: \"\" } note: run with \
                  RUST_BACKTRACE=1 environment variable to display a backtrace";
    assert_eq!(ids(&home, &["search", pasted]).first(), Some(&id));
}

#[test]
fn a_short_word_that_is_not_there_is_not_taken_for_another() {
    let home = Home::sqlite();
    dozen(&home);
    crate::memory::remember(&home, &["Every migration must be reversible", "--kind", "rule"]);
    crate::memory::remember(&home, &["The cart talks REST to the inventory"]);
    let answer = home.json(&["search", "rust", "--kind", "memory"]);
    assert_eq!(answer["total"], 0, "{answer:#}");
}

#[test]
fn an_old_answer_is_above_what_was_said_lately_beside_the_point() {
    let home = Home::sqlite();
    let text = "The VPN of the Berlin office is reached at vpn-berlin.example with WireGuard";
    let id = crate::memory::remember(&home, &[text, "--occurred-at", "170d"]);
    crate::memory::remember(&home, &["The Berlin office closes at 19:00"]);
    assert_eq!(ids(&home, &["search", "how do I reach the VPN of the Berlin office"]).first(), Some(&id));
}
