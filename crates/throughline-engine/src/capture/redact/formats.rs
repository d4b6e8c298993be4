//! Which credentials can be told by their own spelling? One line per kind of credential: the text it begins
//! with, and how many characters of which set follow. Those that only their name gives away (`DB_PASSWORD=…`)
//! are left to `assignment`.

use std::ops::Range;

use super::bytes::{
    ALNUM, ALNUM_DASH, BASE64, Charset, DIGIT, ENCODED, HEX, LOWER_ALNUM, UPPER_ALNUM, URL_PATH, UUID, WORD,
    WORD_DASH, WORD_DASH_DOT, WORD_DASH_DOT_TILDE, WORD_DASH_EQUALS,
};
use super::randomness;
use super::scan::{Find, Text};

/// One kind of credential.
pub(super) struct Format {
    pub(super) name: &'static str,
    /// Any of these begins it (or, after a `lead`, stands in its middle).
    pub(super) prefixes: &'static [&'static str],
    lead: Option<Run>,
    body: Run,
    proof: Proof,
    keep: Keep,
}

#[derive(Clone, Copy)]
struct Run {
    of: Charset,
    min: usize,
    max: usize,
}

enum Proof {
    /// Prefix and length are enough.
    Shape,
    /// The prefix is short or a plain word, so the body must also look random.
    Random,
    /// Random, with this many dots inside.
    Dots(usize),
}

enum Keep {
    Nothing,
    /// The prefix is an address or a parameter's name, which readers need.
    Prefix,
}

/// For credentials without a fixed length.
const OPEN: usize = 1024;

/// A bot's token begins with its numeric id in base64, and so with the base64 of three digits.
macro_rules! base64_digits {
    ($($start:literal),*) => {
        &[$(
            concat!($start, "A"), concat!($start, "E"), concat!($start, "I"), concat!($start, "M"),
            concat!($start, "Q"), concat!($start, "U"), concat!($start, "Y"), concat!($start, "c"),
            concat!($start, "g"), concat!($start, "k"),
        )*]
    };
}

const DISCORD_ID_STARTS: &[&str] = base64_digits!["MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"];

const TWILIO_STARTS: &[&str] = &[
    "SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb", "SKc", "SKd", "SKe",
    "SKf",
];

pub(super) static FORMATS: &[Format] = &[
    // Clouds
    format("aws-access-key-id", &["AKIA", "ASIA", "ABIA", "ACCA"], UPPER_ALNUM, 16, 16),
    format("aws-bedrock-key", &["ABSK"], BASE64, 109, 269),
    format("google-api-key", &["AIza"], WORD_DASH, 35, 39),
    format("google-gemini-key", &["AQ.Ab"], WORD_DASH, 40, 120),
    format("google-oauth-token", &["ya29."], WORD_DASH_DOT, 20, OPEN),
    format("google-oauth-secret", &["GOCSPX-"], WORD_DASH, 24, 40),
    format("google-refresh-token", &["1//0"], WORD_DASH, 40, 256),
    format("azure-sas-signature", &["sig="], ENCODED, 40, 120).random().keep_prefix(),
    format(
        "azure-client-secret",
        &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"],
        WORD_DASH_DOT_TILDE,
        31,
        34,
    )
    .after(WORD_DASH_DOT_TILDE, 3, 3),
    format("azure-devops-token", &["JQQJ99"], ALNUM, 70, 90),
    format("alibaba-access-key-id", &["LTAI"], ALNUM, 12, 24).random(),
    format("tencent-secret-id", &["AKID"], ALNUM, 32, 36).random(),
    format("yandex-key", &["AQVN"], WORD_DASH, 35, 38),
    format("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], HEX, 64, 64),
    format("heroku-key", &["HRKU-"], WORD_DASH, 36, 80),
    format("fly-token", &["fo1_"], WORD_DASH, 40, 64),
    format("fly-macaroon", &["fm1r_", "fm1a_", "fm1_", "fm2_"], ENCODED, 40, OPEN),
    format("vercel-token", &["vcp_", "vci_", "vca_", "vcr_", "vck_"], ALNUM, 24, 80),
    format("netlify-token", &["nfp_", "nfo_", "nfc_", "nfu_"], ALNUM, 30, 60),
    format("cloudflare-origin-key", &["v1.0-"], UUID, 160, 180),
    format("render-key", &["rnd_"], ALNUM, 28, 40),
    format("planetscale-token", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], WORD_DASH_DOT, 32, 64),
    format("supabase-key", &["sbp_", "sb_secret_"], WORD_DASH, 30, 64).random(),
    format("neon-key", &["napi_"], LOWER_ALNUM, 48, 80),
    format("tailscale-key", &["tskey-"], ALNUM_DASH, 20, 100),
    // Code hosts, registries, builds
    format("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], WORD, 36, 255),
    format("github-fine-grained-token", &["github_pat_"], WORD, 50, 255),
    format(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-", "glagent-",
            "gloas-", "glffct-", "glwt-",
        ],
        WORD_DASH_DOT,
        20,
        512,
    ),
    format("gitlab-runner-token", &["GR1348941"], WORD_DASH, 20, 20),
    format("bitbucket-token", &["ATBB", "BBDC-"], WORD_DASH, 24, 64).random(),
    format("atlassian-token", &["ATATT3", "ATCTT3", "ATSTT3"], WORD_DASH_EQUALS, 40, 512),
    format("trello-token", &["ATTA"], HEX, 64, 80),
    format("npm-token", &["npm_"], ALNUM, 36, 64),
    format("pypi-token", &["pypi-AgE"], WORD_DASH, 50, 512),
    format("crates-io-token", &["cio"], ALNUM, 32, 32).random(),
    format("rubygems-key", &["rubygems_"], HEX, 48, 48),
    format("nuget-key", &["oy2"], LOWER_ALNUM, 43, 43).random(),
    format("clojars-token", &["CLOJARS_"], LOWER_ALNUM, 60, 60),
    format("docker-hub-token", &["dckr_pat_", "dckr_oat_"], WORD_DASH, 24, 64),
    format("circleci-token", &["CCIPAT_", "CCIPRJ_"], WORD, 40, 80),
    format("buildkite-token", &["bkua_", "bkaj_"], ALNUM, 32, 64),
    format("jfrog-key", &["AKCp"], ALNUM, 60, 80),
    format("sonar-token", &["squ_", "sqp_", "sqa_"], HEX, 40, 40),
    format("sourcegraph-token", &["sgp_", "sgd_"], WORD, 40, 64).random(),
    format("postman-key", &["PMAK-"], ALNUM_DASH, 50, 64),
    format("pulumi-token", &["pul-"], HEX, 40, 40),
    format("terraform-cloud-token", &[".atlasv1."], WORD_DASH_EQUALS, 40, 80).after(ALNUM, 14, 14),
    format("openshift-token", &["sha256~"], WORD_DASH, 43, 43),
    format("infracost-key", &["ico-"], ALNUM, 32, 32).random(),
    format("prefect-key", &["pnu_"], ALNUM, 36, 36),
    // Model providers
    format("anthropic-key", &["sk-ant-"], WORD_DASH, 20, 256),
    format("openrouter-key", &["sk-or-"], WORD_DASH, 32, 128),
    format("openai-key", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], WORD_DASH, 20, 256).random(),
    format("openai-key", &["sk-"], WORD_DASH, 32, 256).random(),
    format("hugging-face-token", &["hf_", "api_org_"], ALNUM, 30, 60).random(),
    format("replicate-token", &["r8_"], ALNUM, 30, 60),
    format("groq-key", &["gsk_"], ALNUM, 40, 80),
    format("xai-key", &["xai-"], ALNUM, 60, 120),
    format("perplexity-key", &["pplx-"], ALNUM, 32, 80),
    format("nvidia-key", &["nvapi-"], WORD_DASH, 40, 100),
    format("together-key", &["tgp_v1_"], WORD_DASH, 32, 80),
    format("cerebras-key", &["csk-"], LOWER_ALNUM, 40, 80),
    format("pinecone-key", &["pcsk_"], WORD, 40, 100),
    format("langsmith-key", &["lsv2_pt_", "lsv2_sk_"], WORD, 32, 64),
    format("tavily-key", &["tvly-"], ALNUM_DASH, 28, 64).random(),
    format("jina-key", &["jina_"], WORD_DASH, 50, 80).random(),
    // Messages and mail
    format(
        "slack-token",
        &[
            "xoxb-",
            "xoxp-",
            "xoxa-",
            "xoxr-",
            "xoxs-",
            "xoxc-",
            "xoxd-",
            "xoxe-",
            "xoxe.xoxp-",
            "xoxe.xoxb-",
            "xapp-",
        ],
        ENCODED,
        16,
        512,
    )
    .random(),
    format(
        "slack-webhook",
        &["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
        URL_PATH,
        24,
        120,
    )
    .keep_prefix(),
    format(
        "discord-webhook",
        &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        URL_PATH,
        70,
        120,
    )
    .keep_prefix(),
    format("discord-token", DISCORD_ID_STARTS, WORD_DASH_DOT, 55, 80).dots(2),
    format("teams-webhook", &["webhook.office.com/webhookb2/"], URL_PATH, 60, 300).keep_prefix(),
    format("zapier-webhook", &["hooks.zapier.com/hooks/catch/"], URL_PATH, 10, 60).keep_prefix(),
    format("telegram-bot-token", &[":AA"], WORD_DASH, 32, 34).after(DIGIT, 8, 10),
    format("twilio-key", TWILIO_STARTS, HEX, 31, 31),
    format("sendgrid-key", &["SG."], WORD_DASH_DOT, 60, 70).random(),
    format("mailgun-key", &["key-"], HEX, 32, 32),
    format("mailchimp-key", &["-us"], DIGIT, 1, 2).after(HEX, 32, 32),
    format("brevo-key", &["xkeysib-", "xsmtpsib-"], ALNUM_DASH, 64, 100),
    format("resend-key", &["re_"], WORD, 28, 40).random(),
    // Payment and shops
    format("stripe-key", &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_"], WORD, 16, 256),
    format("stripe-webhook-secret", &["whsec_"], BASE64, 24, 80).random(),
    format("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"], ALNUM, 32, 40),
    format("square-token", &["sq0atp-", "sq0csp-", "sq0idp-"], WORD_DASH, 22, 60),
    format("square-access-token", &["EAAA"], WORD_DASH, 60, 60).random(),
    format("facebook-token", &["EAACEdEose0cBA", "EAAB", "EAAG", "EAAM", "EAAC"], ALNUM, 80, 400).random(),
    format("easypost-key", &["EZAK", "EZTK"], ALNUM, 54, 54),
    format("shippo-token", &["shippo_live_", "shippo_test_"], HEX, 40, 40),
    format("flutterwave-key", &["FLWSECK-", "FLWSECK_TEST-"], ALNUM_DASH, 32, 48),
    format("plaid-token", &["access-production-", "access-sandbox-", "access-development-"], UUID, 36, 36),
    // Work tools and observability
    format("linear-key", &["lin_api_", "lin_oauth_", "lin_wh_"], ALNUM, 32, 80),
    format("notion-token", &["ntn_"], ALNUM, 40, 60),
    format("notion-token", &["secret_"], ALNUM, 43, 43).random(),
    format("figma-token", &["figd_", "figo_", "figu_"], WORD_DASH, 36, 64),
    format("airtable-token", &["pat"], WORD_DASH_DOT, 79, 79).dots(1),
    format("contentful-token", &["CFPAT-"], WORD_DASH, 43, 43),
    format("typeform-token", &["tfp_"], WORD_DASH_DOT, 40, 80),
    format("dropbox-token", &["sl.u.", "sl.B", "sl.A"], WORD_DASH, 100, OPEN),
    format("one-password-token", &["ops_eyJ"], BASE64, 100, OPEN),
    format("sentry-token", &["sntrys_", "sntryu_", "sntrya_", "sntryi_"], ENCODED, 40, 512),
    format("grafana-token", &["glsa_", "glc_"], ENCODED, 32, 512),
    format("new-relic-key", &["NRAK-", "NRII-", "NRRA-", "NRSP-"], WORD_DASH, 27, 48),
    format("dynatrace-token", &["dt0c01.", "dt0s16.", "dt0s01."], WORD_DASH_DOT, 80, 100),
    format("readme-key", &["rdme_"], LOWER_ALNUM, 70, 80),
    format("apify-token", &["apify_api_"], ALNUM, 30, 48),
    format("adafruit-key", &["aio_"], ALNUM, 28, 28).random(),
    format("launchdarkly-key", &["api-", "sdk-", "mob-"], UUID, 36, 36).random(),
    // Secret stores
    format("databricks-token", &["dapi", "dkea", "dose"], UUID, 32, 34).random(),
    format("vault-token", &["hvs.", "hvb.", "hvr."], WORD_DASH, 24, 512),
    format(
        "doppler-token",
        &["dp.st.", "dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        WORD_DASH_DOT,
        40,
        80,
    ),
    format("age-secret-key", &["AGE-SECRET-KEY-1", "AGE-PLUGIN-"], UPPER_ALNUM, 50, 80),
    format("ory-token", &["ory_at_", "ory_rt_", "ory_pat_", "ory_st_"], WORD_DASH_DOT, 30, 120),
];

const fn format(
    name: &'static str,
    prefixes: &'static [&'static str],
    of: Charset,
    min: usize,
    max: usize,
) -> Format {
    Format {
        name,
        prefixes,
        lead: None,
        body: Run { of, min, max },
        proof: Proof::Shape,
        keep: Keep::Nothing,
    }
}

impl Format {
    const fn random(mut self) -> Self {
        self.proof = Proof::Random;
        self
    }

    const fn dots(mut self, count: usize) -> Self {
        self.proof = Proof::Dots(count);
        self
    }

    const fn keep_prefix(mut self) -> Self {
        self.keep = Keep::Prefix;
        self
    }

    const fn after(mut self, of: Charset, min: usize, max: usize) -> Self {
        self.lead = Some(Run { of, min, max });
        self
    }

    /// The credential whose prefix, known to be `prefix_len` long, stands at `at`.
    fn find(&self, text: &Text<'_>, at: usize, prefix_len: usize) -> Option<Find> {
        let start = self.start(text, at)?;
        let body_start = at + prefix_len;
        let run_end = self.body.of.run_end(text.bytes, body_start, self.body.max + 1);
        // A sentence that ends with the credential ends with a dot that is not part of it.
        let end = body_start + text.slice(body_start, run_end).trim_end_matches('.').len();
        let fits = (self.body.min..=self.body.max).contains(&(end - body_start));
        if !fits || text.marker_at(run_end) || !self.proven(text.slice(body_start, end)) {
            return None;
        }
        let from = match self.keep {
            Keep::Nothing => start,
            Keep::Prefix => body_start,
        };
        Some(Find { start: from, end, rule: self.name })
    }

    fn start(&self, text: &Text<'_>, at: usize) -> Option<usize> {
        let Some(lead) = self.lead else {
            let body = match self.keep {
                Keep::Nothing => self.body.of,
                Keep::Prefix => ALNUM,
            };
            return text.begins(at, body).then_some(at);
        };
        let floor = text.floor.max(at.saturating_sub(lead.max));
        let start = lead.of.run_start(text.bytes, at, floor);
        ((lead.min..=lead.max).contains(&(at - start)) && text.begins(start, lead.of)).then_some(start)
    }

    fn proven(&self, body: &str) -> bool {
        match self.proof {
            Proof::Shape => self.body.max < 8 || randomness::is_varied(body),
            Proof::Random => randomness::is_random(body),
            Proof::Dots(count) => {
                body.bytes().filter(|&byte| byte == b'.').count() == count && randomness::is_random(body)
            }
        }
    }
}

/// The credential of the format at `index` whose prefix stands at `prefix`.
pub(super) fn find(text: &Text<'_>, index: u8, prefix: Range<usize>) -> Option<Find> {
    let find = FORMATS[usize::from(index)].find(text, prefix.start, prefix.len())?;
    // `sk-` finds what `sk-ant-` says more about.
    let rule = name_of(text, find.start, find.end).unwrap_or(find.rule);
    Some(Find { rule, ..find })
}

/// The name of the credential that is exactly `start..end`, so that `TOKEN=…` can say whose token it was.
pub(super) fn name_of(text: &Text<'_>, start: usize, end: usize) -> Option<&'static str> {
    let value = text.slice(start, end);
    FORMATS
        .iter()
        .flat_map(|format| format.prefixes.iter().map(move |prefix| (format, prefix)))
        .filter(|(_, prefix)| value.starts_with(**prefix))
        .filter_map(|(format, prefix)| format.find(text, start, prefix.len()))
        .find(|find| find.start == start && find.end == end)
        .map(|find| find.rule)
}
