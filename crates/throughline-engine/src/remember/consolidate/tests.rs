//! Relations between statements, and what follows from them.

use throughline_store::memory::Source;

use super::{New, Relation, Standpoint, Stated, Verdict, relation, verdict};

fn is(expected: Relation, known: &str, new: &str) {
    let related = relation(known, new);
    assert_eq!(related.relation, expected, "{known:?} and {new:?}: {related:?}");
}

#[test]
fn the_same_in_other_words() {
    is(Relation::Same, "We use pnpm, not npm", "Use pnpm instead of npm");
    is(Relation::Same, "The staging database listens on port 5433", "staging DB port is 5433");
    is(Relation::Same, "Public API changes require an ADR", "an ADR is required for public API changes");
    is(Relation::Same, "Ask before adding dependencies", "don't add new dependencies without asking");
}

#[test]
fn more_exact() {
    is(Relation::Refines, "Deploys happen on Fridays", "Deploys happen on Fridays at 10:00 UTC");
    is(Relation::Refines, "Use the logger", "Use the logger from @app/log");
    is(Relation::Same, "Deploys happen on Fridays at 10:00 UTC", "Deploys happen on Fridays");
}

#[test]
fn the_opposite_by_negation_value_and_antonym() {
    is(Relation::Opposite, "Always squash merge", "Never squash merge");
    is(Relation::Opposite, "We use npm", "We use pnpm");
    is(Relation::Opposite, "The API listens on port 8080", "The API listens on port 8081");
    is(Relation::Opposite, "The cache is enabled in staging", "The cache is disabled in staging");
    is(Relation::Opposite, "The frontend is served by nginx", "The frontend is served by Caddy");
    is(Relation::Opposite, "Use default exports", "Use named exports, never default exports");
    is(
        Relation::Opposite,
        "It's Postgres 14 everywhere, including staging",
        "The production cluster has Postgres 16",
    );
}

#[test]
fn what_became_of_something_is_ended_by_what_came_next() {
    let known = "CI lints with StandardJS instead of Biome";
    is(Relation::Opposite, known, "the linter is Deno style, I removed the other config");
}

#[test]
fn notes_under_one_title() {
    is(Relation::Opposite, "test command: make check", "test command: just test");
    is(Relation::Opposite, "build command: make", "build command: just build");
    is(Relation::Opposite, "on-call: Mina", "on-call: Tom");
    is(Relation::Opposite, "css: tailwind", "css: vanilla");
    is(Relation::Opposite, "timeout 30s", "timeout 60s");
    is(Relation::Opposite, "gyro addr 0x68", "gyro addr 0x69");
    is(Relation::Unrelated, "style: early returns", "style: no default exports");
    is(Relation::Unrelated, "gotcha: flaky clock tests", "gotcha: the emulator needs a reset");
    is(Relation::Unrelated, "Coffee brewing: grind late", "Coffee brewing: rinse the filter");
}

#[test]
fn the_same_words_the_other_way_round() {
    is(Relation::Opposite, "Prefer tabs over spaces", "Prefer spaces over tabs");
    is(
        Relation::Opposite,
        "We chose Kafka over RabbitMQ for events",
        "We chose RabbitMQ over Kafka for events",
    );
    is(Relation::Same, "We picked Kafka over RabbitMQ", "Kafka was chosen over RabbitMQ");
    is(Relation::Opposite, "Run migrations before deploying", "Deploy before running migrations");
    is(Relation::Same, "Run migrations before deploying", "Before deploying, run migrations");
    is(Relation::Opposite, "Sync the mirror from Berlin to Oslo", "Sync the mirror from Oslo to Berlin");
    is(Relation::Same, "Send alerts to Slack", "Slack is where to send alerts");
}

#[test]
fn another_value_of_the_same_however_the_change_is_told() {
    is(Relation::Opposite, "Uploads are capped at 20 MB", "The upload limit was raised to 50 MB");
    is(
        Relation::Opposite,
        "The newsletter goes out through Mailgun",
        "The newsletter was migrated from Mailgun to Postmark",
    );
    is(
        Relation::Opposite,
        "The docs site is built with mkdocs",
        "We swapped mkdocs for hugo on the docs site",
    );
    is(Relation::Opposite, "Secrets are in Doppler", "Secrets were moved out of Doppler into 1Password");
    is(
        Relation::Opposite,
        "Translations are managed in Lokalise",
        "Translations aren't managed in Lokalise anymore but in Crowdin",
    );
    is(Relation::Opposite, "Our feature store is Feast", "Tecton replaced Feast as the feature store");
    is(Relation::Opposite, "Our standup starts at 9:30", "We pushed standup back to 11:00");
    is(Relation::Opposite, "Our services are built with Go 1.22", "We've upgraded to Go 1.23");
    is(Relation::Unrelated, "The nightly backup starts at 2:30", "The nightly backup takes 40 minutes");
    is(Relation::Unrelated, "Audit logs are kept for 400 days", "Audit logs are rotated every 7 days");
    is(Relation::Unrelated, "Production lives in eu-central-1", "Production runs on Kubernetes");
    is(Relation::Unrelated, "Order ids are always ULIDs", "Order ids are never reused");
}

#[test]
fn what_shares_words_is_not_related_for_that() {
    is(Relation::Unrelated, "We use pnpm", "We use Postgres");
    is(Relation::Unrelated, "Prod runs Postgres 15", "Staging runs Postgres 16");
    is(Relation::Unrelated, "We never mock the database in tests", "We never mock the clock in tests");
    is(Relation::Unrelated, "note 1 from agent 3", "note 2 from agent 3");
    is(Relation::Unrelated, "The build needs libpq", "The build needs JDK 17");
    is(
        Relation::Unrelated,
        "When `cmake --build out` fails with \"Could not find Qt6\", run `sudo apt-get install qt6-base-dev` first",
        "`cmake --build out` builds the project",
    );
    let flash = "When `west flash -d build` fails with \"ERROR: readback protection\", run `west flash -d build --recover`";
    is(
        Relation::Unrelated,
        "When `west build -b rev_c app` fails with \"No board named 'rev_c' found\", run `west build -p always -b rev_c app`",
        flash,
    );
    is(
        Relation::Unrelated,
        "When `west flash -d build` fails with \"No JLink found on port 3\", run `usbreset jlink` first",
        flash,
    );
    is(Relation::Unrelated, "", "");
}

#[test]
fn who_said_it_decides_between_opposites() {
    let of = |source, confidence| Standpoint { source, confidence, by_person: false };
    let (explicit, implicit) = (of(Source::Explicit, 0.9), of(Source::Implicit, 0.6));
    let tool = of(Source::ToolOutput, 0.9);
    for (known, new, expected) in [
        (explicit, explicit, Verdict::Supersede),
        (implicit, explicit, Verdict::Supersede),
        (explicit, implicit, Verdict::QuarantineNew),
        (implicit, implicit, Verdict::Supersede),
        (of(Source::Implicit, 0.95), implicit, Verdict::Review),
        (implicit, tool, Verdict::QuarantineNew),
    ] {
        assert_eq!(verdict(Relation::Opposite, known, new), expected, "{known:?} {new:?}");
    }
    assert_eq!(verdict(Relation::Same, explicit, implicit), Verdict::Corroborate);
    assert_eq!(verdict(Relation::Refines, explicit, implicit), Verdict::QuarantineNew);
    assert_eq!(verdict(Relation::Unrelated, explicit, implicit), Verdict::Create);
}

#[test]
fn what_a_memory_took_the_place_of_tells_what_it_is_about() {
    let after = |before: &str| {
        let known = Stated {
            text: "Ana left the company and handed it all to Ben",
            wordings: &[],
            before: &[before.to_owned()],
        };
        New::of("Releases are cut by Chidi").relations_to(&[known]).remove(0).relation
    };
    assert_eq!(after("Releases are cut by Ana"), Relation::Opposite);
    assert_eq!(after("The support inbox belongs to Ana"), Relation::Unrelated);
}

#[test]
fn what_was_to_come_and_has_come_does_not_hold_any_more() {
    for (known, new) in [
        ("The upgrade to Java 21 is planned.", "The upgrade to Java 21 is done."),
        ("The hall floor is being sanded", "The hall floor has been sanded"),
        ("The catalogue is going to be reprinted", "The catalogue was reprinted"),
        ("The appeal will be filed by Ms. Kern", "The appeal was filed by Ms. Kern"),
        ("The new printer is being installed", "The new printer has been installed"),
        ("We are in the middle of migrating the shop to Stripe", "The shop has been migrated to Stripe"),
        ("We plan to hire a second baker", "We hired a second baker"),
    ] {
        assert_eq!(relation(known, new).relation, Relation::Opposite, "{known} / {new}");
    }
    for (known, new) in [
        ("The upgrade to Java 21 is planned.", "The upgrade to Postgres 16 is done."),
        ("The printer is being installed by Ida", "The scanner was bought by Ida"),
    ] {
        assert_ne!(relation(known, new).reasons, ["what was to come has come"], "{known} / {new}");
    }
}

#[test]
fn one_of_two_and_never_the_other_is_turned_round() {
    for (known, new) in [
        (
            "Run migrations on the replica, never on the primary.",
            "Run migrations on the primary, never on the replica.",
        ),
        (
            "Run load tests on staging, never on production.",
            "Run load tests on production, never on staging.",
        ),
    ] {
        assert_eq!(relation(known, new).relation, Relation::Opposite, "{known} / {new}");
    }
}

#[test]
fn word_for_word_the_same_but_for_one_value_is_never_the_same() {
    for (text, values) in [
        ("The heron API listens on port {}", &["7000", "7100", "8000", "8200", "17000"][..]),
        ("heron API port: {}", &["7000", "7100"]),
        ("The billing service times out after {} seconds", &["30", "31", "300"]),
        ("heron API tokens expire after {}", &["10 minutes", "10 hours", "1 day"]),
        ("The billing service config file is {}", &["config/app.yml", "conf/app.yml", "config/app.toml"]),
        ("`make db` starts Postgres {}", &["15", "17"]),
        ("Use `pnpm build` on Node {}", &["20", "24"]),
        ("`just dev` starts the app on port {}", &["3000", "4000"]),
        ("Quayside is pinned to version {}", &["1.2.3", "1.2.4"]),
        ("The exporter binds to {}", &["10.0.0.1", "10.0.0.2"]),
        ("Run the tests with `{}`", &["make test", "make check"]),
    ] {
        let pairs = values.iter().flat_map(|old| values.iter().map(move |new| (old, new)));
        for (old, new) in pairs.filter(|(old, new)| old != new) {
            is(Relation::Opposite, &text.replace("{}", old), &text.replace("{}", new));
        }
    }
}

#[test]
fn a_number_that_says_which_of_several_is_meant_is_no_value() {
    for (known, new) in [
        ("note 1 from agent 3", "note 2 from agent 3"),
        ("The fix of issue 12 is in the release", "The fix of issue 13 is in the release"),
        ("Never use `unwrap` in handlers", "Never use `expect` in handlers"),
    ] {
        assert_ne!(relation(known, new).relation, Relation::Opposite, "{known} / {new}");
    }
}

#[test]
fn an_edited_text_is_compared_by_what_was_edited() {
    let around = |middle: &str| format!("Deploy with `make deploy`. {middle} See docs/setup.md.");
    for (old, new) in [
        ("Ask Ingrid for credentials.", "Ask Matteo for credentials."),
        ("The branch is trunk.", "The branch is main."),
        ("Logs are kept 7 days.", "Logs are kept 30 days."),
    ] {
        is(Relation::Opposite, &around(old), &around(new));
    }
    is(
        Relation::Refines,
        "Deploy with `make deploy`.",
        "Deploy with `make deploy`. Ask Ingrid for credentials.",
    );
    is(Relation::Same, &around("Start Docker first."), "See docs/setup.md. Start Docker first.");
    is(Relation::Unrelated, &around("Start Docker first."), "The logo is blue. See docs/setup.md.");
}
