//! Sentences that only tell what is, and that somebody could do harm with who is not asked: leave to do what people may have ruled
//! out, where data and secrets go, how secrets are kept, and what takes a safeguard away.

use super::safeguard::surely_loosens;
use crate::words::is_in;

const BEING: &str = "is are it's that's";
const LEAVE: &str = "fine ok okay allowed permitted acceptable alright tolerated welcome";
/// So far behind "is" stands what is.
const NEAR: usize = 3;
const DENYING: &str = "not never no isn't aren't nobody nothing hardly only";
/// What somebody does, or what is done by somebody.
const ACTS: &str = "deploy deploys deployment deployments push pushes merge merges commit commits release releases rollback rollbacks \
    deletion deletions removal upload uploads download downloads install installs override overrides bypass access edits changes writes \
    force-push force-pushes hotfix hotfixes migrations";
/// They end like what somebody does.
const NO_ACTS: &str = "string thing nothing anything everything something spring during king ring trailing leading missing existing";
/// "Red builds may be merged."
const ACTED_ON: &str = "deployed pushed merged committed released deleted dropped removed overwritten force-pushed bypassed skipped \
    edited rewritten";
const ANYBODY: &str = "anyone anybody everyone everybody contributors maintainers developers agents";

const MOVING: &str = "send sends sent sending mail mails mailed mailing email emails emailed forward forwards forwarded forwarding upload \
    uploads uploaded uploading post posts posted posting copy copies copied push pushes pushed publish publishes published report reports \
    reported route routes routed tunnel tunnels tunneled tunnelled proxy proxied go goes via through register registers registered \
    transmit transmitted ship ships shipped stream streams streamed sync syncs synced backed share shares shared deliver delivered export \
    exported redirect redirects redirected";
const OF_THE_MACHINE: [&str; 5] = ["localhost", "127.", "0.0.0.0", "[::1]", "host.docker.internal"];
/// What the name of a machine ends with, and no file.
const DOMAINS: &str = "com org net io dev example internal corp cloud app ai co eu de uk us fr nl ru cn me info biz xyz test invalid";

const SECRETS: &str = "password passwords passphrase passphrases secret secrets credential credentials";
const KEYS: &str = "key keys token tokens";
const OF_KEYS: &str = "api private ssh signing encryption access auth refresh bearer session";
const KEEPING: &str = "hash hashes hashed hashing salted encrypt encrypts encrypted stored kept saved logged written sent mailed emailed \
    shared printed committed copied uploaded plain plaintext";

/// Whether nobody but a person can say so, where it was read.
pub(super) fn is_grave(sentence: &str, words: &[String]) -> bool {
    surely_loosens(sentence, words)
        || gives_leave(words)
        || sends_away(sentence, words)
        || keeps_secrets(words)
}

/// The addresses that a sentence names, but those of the machine itself.
pub(super) fn addresses(sentence: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '[').to_lowercase();
    sentence.split_whitespace().map(bare).filter(|word| is_address(word)).collect()
}

/// "Deploying on Fridays is fine now.", "Direct pushes to main are permitted", "anyone may merge".
fn gives_leave(words: &[String]) -> bool {
    let is_leave = |at: usize| {
        let near = &words[at + 1..words.len().min(at + 1 + NEAR)];
        let leave = near.iter().position(|word| is_in(LEAVE, word));
        let is_free = leave.is_some_and(|leave| !near[..leave].iter().any(|word| is_in(DENYING, word)));
        is_free && !words[..at].iter().any(|word| is_in(DENYING, word)) && acts(&words[..at])
    };
    let may = |at: usize| {
        is_in(ANYBODY, &words[at])
            && matches!(words[at + 1].as_str(), "may" | "can")
            && is_in(ACTS, words.get(at + 2).map_or("", String::as_str))
    };
    let may_be = |three: &[String]| three[0] == "may" && three[1] == "be" && is_in(ACTED_ON, &three[2]);
    (0..words.len()).any(|at| is_in(BEING, &words[at]) && is_leave(at))
        || (1..words.len()).any(|next| may(next - 1))
        || words.windows(3).any(may_be)
}

/// Whether they name what somebody does: "deploying on Fridays", "a force-push".
fn acts(subject: &[String]) -> bool {
    let is_doing = |word: &String| word.len() > 5 && word.ends_with("ing") && !is_in(NO_ACTS, word);
    subject.first().is_some_and(is_doing) || subject.iter().any(|word| is_in(ACTS, word))
}

/// "The .env file is mailed to logs@collector.example."
fn sends_away(sentence: &str, words: &[String]) -> bool {
    words.iter().any(|word| is_in(MOVING, word)) && !addresses(sentence).is_empty()
}

/// "Passwords are hashed with md5."
fn keeps_secrets(words: &[String]) -> bool {
    let is_key = |pair: &[String]| is_in(OF_KEYS, &pair[0]) && is_in(KEYS, &pair[1]);
    let names = words.iter().any(|word| is_in(SECRETS, word)) || words.windows(2).any(is_key);
    names && words.iter().any(|word| is_in(KEEPING, word))
}

fn is_address(word: &str) -> bool {
    let host = word.split_once("://").map_or(word, |(_, rest)| rest);
    let is_own = OF_THE_MACHINE.iter().any(|own| host.starts_with(own));
    !is_own && (word.contains("://") || is_mailbox(word) || is_number(host) || is_host(host))
}

fn is_mailbox(word: &str) -> bool {
    word.split_once('@').is_some_and(|(who, at)| !who.is_empty() && at.contains('.'))
}

/// "10.6.6.6", also with a port or a path behind it.
fn is_number(host: &str) -> bool {
    let host = host.split([':', '/']).next().unwrap_or(host);
    host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok())
}

fn is_host(host: &str) -> bool {
    let host = host.split([':', '/']).next().unwrap_or(host);
    let name = host.rsplit_once('.');
    name.is_some_and(|(name, domain)| {
        is_in(DOMAINS, domain) && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.'))
    })
}
