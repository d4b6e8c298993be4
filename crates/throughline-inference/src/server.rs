//! The address of a server that texts may be sent to, and what its answers say about time.

use std::time::Duration;

use ureq::Body;
use ureq::http::header::{DATE, HeaderName, RETRY_AFTER};
use ureq::http::{Response, Uri};

/// The host, and the port if the address names one; else what is wrong with the address, which is not repeated because it
/// may hold a password. A key belongs in the variable that the setting `key` names.
pub(crate) fn authority(base_url: &str, key: &str) -> Result<String, String> {
    let uri: Uri = base_url.parse().map_err(|_| "is not an address")?;
    match uri.scheme_str() {
        Some("http") => {}
        Some("https") if cfg!(feature = "https") => {}
        Some("https") => {
            return Err("is https, which this build was made without (feature `https`)".to_owned());
        }
        _ => return Err("must start with http:// or https://".to_owned()),
    }
    let authority = uri.authority().ok_or("names no host")?.as_str();
    if authority.contains('@') {
        return Err(format!(
            "must not hold a user or password: set {key} to a variable with the key instead"
        ));
    }
    if uri.query().is_some() {
        return Err("must not have a query".to_owned());
    }
    Ok(authority.to_owned())
}

/// Whether no proxy can lead there.
pub(crate) fn is_loopback(authority: &str) -> bool {
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    host == "localhost" || host.starts_with("127.") || host == "[::1]"
}

/// So many characters of what a server says about a refused request.
pub(crate) const EXCERPT: usize = 200;

/// The beginning of what a server says, of which no more than `limit` bytes are read, without the key that it may repeat.
pub(crate) fn excerpt(response: &mut Response<Body>, limit: u64, key: Option<&str>) -> String {
    let body = response.body_mut().with_config().limit(limit).lossy_utf8(true).read_to_string();
    // What it says only adds to the error that is reported anyway.
    let said = without_key(&body.unwrap_or_default(), key);
    said.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(EXCERPT).collect()
}

pub(crate) fn without_key(text: &str, key: Option<&str>) -> String {
    match key {
        Some(key) if !key.is_empty() => text.replace(key, "[api_key]"),
        _ => text.to_owned(),
    }
}

/// The pause that a server asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pause {
    For(Duration),
    /// Since 1970, by a clock like ours.
    Until(Duration),
}

impl Pause {
    pub(crate) fn left(self, now: Duration) -> Duration {
        match self {
            Pause::For(pause) => pause,
            Pause::Until(at) => at.saturating_sub(now),
        }
    }

    pub(crate) fn length(self) -> Option<Duration> {
        match self {
            Pause::For(pause) => Some(pause),
            Pause::Until(_) => None,
        }
    }
}

/// In seconds or until a date, which is taken by the server's own clock where it tells the time.
pub(crate) fn retry_after(response: &Response<Body>) -> Option<Pause> {
    let said = |name: HeaderName| Some(response.headers().get(name)?.to_str().ok()?.trim());
    let asked = said(RETRY_AFTER)?;
    if let Ok(seconds) = asked.parse() {
        return Some(Pause::For(Duration::from_secs(seconds)));
    }
    let at = date(asked)?;
    Some(said(DATE).and_then(date).map_or(Pause::Until(at), |now| Pause::For(at.saturating_sub(now))))
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Since 1970, of a date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
fn date(text: &str) -> Option<Duration> {
    let (_, text) = text.split_once(", ")?;
    let [day, month, year, time, "GMT"] = text.split(' ').collect::<Vec<_>>()[..] else { return None };
    let number = |text: &str, from: u64, to: u64| {
        text.parse().ok().filter(|number: &u64| (from..=to).contains(number))
    };
    let [hour, minute, second] = time.split(':').collect::<Vec<_>>()[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let days = days(number(year, 1970, 9999)?, month, number(day, 1, 31)?);
    let seconds = number(hour, 0, 23)? * 3600 + number(minute, 0, 59)? * 60 + number(second, 0, 60)?;
    Some(Duration::from_secs(days * 86_400 + seconds))
}

/// Since 1970, in years that begin with March, so that a leap day is their last.
fn days(year: u64, month: u64, day: u64) -> u64 {
    const TO_1970: u64 = 719_468;
    let (year, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    year * 365 + leap_days + (153 * months + 2) / 5 + day - 1 - TO_1970
}
