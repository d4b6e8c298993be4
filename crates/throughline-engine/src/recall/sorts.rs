//! What a question asks for by its sort: "which package manager do we use?" is answered by what names pnpm, which has none of
//! the question's words.

use std::sync::LazyLock;

use crate::index::terms::{Sort, TermId, stem_id, terms};
use crate::remember::alternatives;

/// How people ask for what is one of some alternatives, and which those are.
const SORTS: &[(&[&str], &[&str])] = &[
    (&["package manager"], &["package manager", "python packages"]),
    (&["dependencies", "dependency manager"], &["package manager", "python packages"]),
    (
        &["orm", "database library", "query builder"],
        &["rust database library", "javascript database library"],
    ),
    (
        &["test runner", "test framework", "testing library"],
        &["javascript tests", "python tests", "test runner of rust"],
    ),
    (&["browser tests", "end-to-end tests", "e2e tests"], &["browser tests"]),
    (&["formatter", "code style"], &["formatter"]),
    (&["indentation"], &["indentation"]),
    (&["database"], &["database"]),
    (&["message bus", "message broker", "message queue", "broker"], &["message bus"]),
    (&["cache"], &["cache server"]),
    (&["state management", "state library", "store library", "state"], &["state management"]),
    (&["ci", "continuous integration"], &["continuous integration"]),
    (&["payment provider", "payments"], &["payment provider"]),
    (&["api style", "protocol"], &["api style"]),
    (&["framework", "frontend framework"], &["frontend framework"]),
    (&["date library", "dates"], &["dates library"]),
    (&["http client"], &["http client", "python http client"]),
    (&["async runtime"], &["async runtime"]),
    (&["error tracking", "error tracker"], &["error tracking"]),
    (&["web server", "reverse proxy"], &["web server"]),
    (&["password hash", "hash passwords"], &["password hash"]),
    (&["programming language", "language"], &["programming language", "spoken language"]),
    (&["bundler", "build tool"], &["bundler"]),
    (&["cloud", "cloud provider"], &["cloud"]),
    (&["hosting", "hosted"], &["hosting", "cloud"]),
    (&["time zone", "timezone"], &["time zone"]),
    (&["validation", "validation library"], &["validation"]),
    (&["pagination"], &["pagination"]),
    (&["styling", "styles", "css"], &["styling"]),
    (&["infrastructure as code"], &["infrastructure as code"]),
    (&["editor"], &["editor"]),
    (&["day", "weekday"], &["weekday"]),
];

/// Likewise, of what a project may have several of. Words that mean much else ("repo", "secrets") are no names of sorts.
const THINGS: &[(&[&str], &str)] = &[
    (
        &["issue tracker", "bug tracker", "track work", "track issues"],
        "jira redmine youtrack trello asana bugzilla clickup phabricator shortcut linear taiga openproject github gitlab",
    ),
    (
        &["code hosted", "code hosting", "repository hosting"],
        "github gitlab codeberg bitbucket gitea forgejo sourcehut gerrit",
    ),
    (
        &["linter"],
        "flake8 pylint ruff eslint oxlint biome tslint rubocop golangci clippy staticcheck stylelint ktlint detekt checkstyle swiftlint",
    ),
    (&["type checker", "check types"], "mypy pyright basedpyright pyre pytype ty tsc"),
    (&["alerts go", "on-call tool", "paging"], "opsgenie pagerduty zenduty victorops squadcast alertmanager"),
    (&["monitoring", "monitor with"], "grafana datadog netdata zabbix nagios prometheus checkmk dynatrace"),
    (
        &["hoster", "hosts us", "hosting provider"],
        "hetzner ovh exoscale infomaniak netcup linode digitalocean scaleway vultr ionos heroku vercel netlify railway aws gcp azure",
    ),
    (
        &["orchestrator", "schedules our services", "schedules services"],
        "nomad kubernetes k3s k8s talos swarm mesos",
    ),
    (
        &["migration tool", "migrations done"],
        "flyway liquibase goose atlas dbmate alembic knex prisma sqitch refinery",
    ),
    (&["rtos"], "zephyr freertos riot nuttx threadx"),
    (&["feature flags", "feature toggles"], "launchdarkly unleash flagsmith flipt growthbook"),
    (
        &["identity provider", "login provider", "single sign-on"],
        "keycloak zitadel auth0 okta authentik cognito clerk",
    ),
    (&["search engine", "full-text search"], "elasticsearch opensearch meilisearch typesense solr algolia"),
    (&["object storage"], "s3 minio gcs r2 ceph garage"),
    (&["mail provider", "email provider"], "postmark sendgrid mailgun ses resend brevo mailchimp"),
    (&["docs site", "documentation site"], "docusaurus mkdocs starlight vitepress sphinx mdbook"),
    (&["secret store", "secrets manager"], "vault doppler sops infisical bitwarden"),
    (&["container registry"], "ghcr ecr quay harbor gcr dockerhub"),
    (&["monorepo tool"], "nx turborepo bazel lerna rush moon"),
    (&["logger", "logging library"], "winston pino logtape serilog zap logrus slog tracing bunyan log4j"),
    (&["event bus", "events travel"], "kafka nats rabbitmq sqs pulsar kinesis redpanda"),
];

/// A sort of things that a question names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) name: &'static str,
    /// The things, as they are found.
    pub(crate) things: Vec<TermId>,
}

/// A sort as it is looked for by every search of memories: its names, in terms, and its things.
struct Known {
    names: Vec<(&'static str, Vec<TermId>)>,
    things: Vec<TermId>,
}

static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let named = |names: &[&'static str]| names.iter().map(|name| (*name, ids(name))).collect();
    let of_one = SORTS.iter().map(|(names, sorts)| Known { names: named(names), things: things(sorts) });
    let of_many = THINGS.iter().map(|(names, things)| {
        let things = things.split(' ').map(stem_id).collect();
        Known { names: named(names), things }
    });
    of_one.chain(of_many).collect()
});

/// The sorts that a question names by all words of one of their names, each sort once.
pub(crate) fn named_in(question: &str) -> Vec<Asked> {
    let words = ids(question);
    let is_named = |name: &[TermId]| words.windows(name.len()).any(|some| some == name);
    let asked = KNOWN.iter().filter_map(|known| {
        let (name, _) = known.names.iter().find(|(_, name)| is_named(name))?;
        Some(Asked { name, things: known.things.clone() })
    });
    asked.collect()
}

fn ids(text: &str) -> Vec<TermId> {
    let mut ids = vec![];
    terms(text, |term| {
        if term.sort != Sort::Whole {
            ids.push(term.id);
        }
    });
    ids
}

/// Things of several words are left out: one of their words alone is something else.
fn things(sorts: &[&str]) -> Vec<TermId> {
    let names = sorts.iter().flat_map(|sort| alternatives::named(sort));
    let mut things: Vec<TermId> = names.filter(|name| !name.contains(' ')).map(stem_id).collect();
    things.sort_unstable();
    things.dedup();
    things
}

#[cfg(test)]
mod tests {
    use super::{SORTS, named_in};
    use crate::index::terms::stem_id;
    use crate::remember::alternatives;

    #[test]
    fn a_question_names_what_it_asks_for() {
        for (question, name, thing) in [
            ("Which package manager do we use?", "package manager", "pnpm"),
            ("what ORM is it", "orm", "drizzle"),
            ("Which time zone are timestamps in?", "time zone", "utc"),
            ("Which issue tracker do we use?", "issue tracker", "redmine"),
            ("Which linter checks our code?", "linter", "flake8"),
        ] {
            let asked = named_in(question);
            assert_eq!(asked.len(), 1, "{question}");
            assert_eq!(asked[0].name, name);
            assert!(asked[0].things.contains(&stem_id(thing)), "{question}");
        }
        assert_eq!(named_in("who manages the packages?"), []);
    }

    #[test]
    fn every_sort_has_things() {
        for (_, sorts) in SORTS {
            for sort in *sorts {
                assert!(alternatives::named(sort).next().is_some(), "{sort}");
            }
        }
    }
}
