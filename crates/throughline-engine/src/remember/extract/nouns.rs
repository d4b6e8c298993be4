//! The vocabulary of the trade: what customs of a project are about, what its environment consists of, and which
//! words make a statement specific.

use super::sentence::Word;
use crate::words::is_in;

/// What people make rules about.
const ARTEFACTS: &str = "api apis amount amounts argument arguments assets branch branches bug build builds bundle cache \
    call calls change changes changelog ci class classes client code codebase column columns comment comments commit commits \
    component components config configs connection constants context controller controllers convention coverage css date \
    dates db dependency dependencies deploy deploys deployment dev diff doc docs docstring docstrings documentation dto dtos e2e \
    endpoint endpoints entity env enum enums error errors event events experiment experiments export exports feature features \
    field fields file files fix fixture fixtures flag flags folder folders form format formatting function functions handler \
    handlers header helper helpers hook hooks http id ids image images import imports index infra infrastructure input \
    interface interfaces issue job jobs key keys keywords label length lib library line lines lint linter log logs logging \
    loop master merge message messages method methods metric metrics migration migrations mock mocks model models module modules \
    money name names naming notebook notebooks number numbers output package packages page param parameter parameters password \
    passwords path paths pipeline pr prs price prices production project prop props proto pull queries query queue readme \
    refactoring release releases repo repository request requests response responses result return review route routes \
    schema schemas script scripts secret secrets seed seeds service services setting settings sql staging state state story string \
    strings stuff style styles suite table tables tag tags test tests ticket timestamp timestamps todo token tokens type types ui \
    unwraps unwrap url urls utils validation value values variable variables version versions warning warnings widget wrapper yaml json";

/// What a project runs in and on.
const SURROUNDINGS: &str = "admin amounts android api app apps backend billing box branch bucket buckets build builds bus \
    cache ci client cluster collector debugger console container cron customers dashboard database databases db deploy deploys deployment \
    desktop dev docs domain e2e emulator endpoint env environment export exporter frontend gateway images infra \
    infrastructure integration ios job jobs kubernetes ledger legacy lib library local locally login logs mail mobile module \
    monorepo panel partner pipeline port production prod project proto proxy queue redis registry release repo \
    repository rotation runner runners runtime s3 sandbox schema script scripts seed sentry server service services site staging \
    submodule suite swagger table tenants test tests toolchain truth user users vpn web webhook websocket worker workers workspace \
    websites webpack vite docker postgres mysql node python package dashboards";

/// Product names that say which one.
const TOOLS: &str = "postgres postgresql mysql mariadb mongodb mongo sqlite redis memcached kafka nats rabbitmq sqs docker podman \
    kubernetes k8s helm argocd terraform ansible vault aws gcp azure rds ecs fargate lambda cloudfront cloudflare vercel netlify \
    heroku jenkins github gitlab circleci sentry datadog grafana prometheus opentelemetry react vue svelte angular next nuxt \
    tailwind redux zustand webpack vite esbuild jest vitest mocha cypress playwright pytest unittest ruff black isort mypy flake8 \
    eslint prettier biome npm pnpm yarn bun deno node uv pip poetry conda cargo clippy rustfmt tokio axum sqlx diesel serde go \
    golang rust python typescript javascript java kotlin swift ruby rails django flask fastapi spring gradle maven bazel nx \
    turborepo make just stripe adyen paypal twilio launchdarkly minio s3 mailhog nginx caddy traefik grpc graphql rest openapi \
    swagger prisma drizzle typeorm knex alembic flyway liquibase jwt oauth oauth2 sso saml lightgbm pytorch tensorflow \
    airflow dbt snowflake bigquery spark temporal celery sidekiq elasticsearch opensearch solr neo4j httpx axios fetch lodash \
    moment date-fns dayjs zod pydantic structlog winston pino storybook orval squirrel vim emacs utc kebab-case snake_case camelcase \
    pascalcase tabs spaces british american english german french spanish arm arm64 x86 linux macos windows jdk jvm wasm csv json yaml \
    toml protobuf adr i18n gdpr pagerduty slack jira confluence notion linear eu us monday tuesday wednesday thursday friday \
    saturday sunday mondays tuesdays wednesdays thursdays fridays";

pub(super) fn is_artefact(word: &Word) -> bool {
    let text = word.text.as_str();
    is_in(ARTEFACTS, text) || text.split(['-', '/']).any(|part| part.len() > 2 && is_in(ARTEFACTS, part))
}

pub(super) fn is_surrounding(word: &Word) -> bool {
    let text = word.text.as_str();
    is_in(SURROUNDINGS, text)
        || text.split(['-', '_']).any(|part| part.len() > 2 && is_in(SURROUNDINGS, part))
}

/// What people tell an agent to do, as they begin a sentence.
const ORDERS: &str = "make add move put set change create implement remove rename fix update show render write let give deploy start \
    check look find replace switch bump revert try take skip leave start stop open close merge rebase commit push restart install \
    delete drop extract inline refactor split convert rewrite generate draft summarise summarize translate review explain test debug backfill wire port tweak rerun";

pub(super) fn is_order(word: &Word) -> bool {
    is_in(ORDERS, word.text.as_str())
}

/// A word that says which: a name, a number, a path, a product.
pub(super) fn is_specific(word: &Word) -> bool {
    word.is_name || is_tool(word)
}

/// Names that are also plain words count when they are written as names.
const AMBIGUOUS: &str = "next go make just rest us eu linear spring black notion slack moment fetch temporal react helm vault solid arm \
    spark make";

pub(super) fn is_tool(word: &Word) -> bool {
    let text = word.text.as_str();
    is_in(TOOLS, text) && (word.is_capital || !is_in(AMBIGUOUS, text))
}
