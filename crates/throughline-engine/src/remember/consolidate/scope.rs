//! Which part of a project a statement is about, where it says so. "In the admin app we use yarn" says nothing of the rest of the
//! project, so it does not end what was said of all of it, nor is it ended by that; unless it tells of a change.

use std::ops::Range;

use super::reading::Reading;
use super::vocabulary;
use crate::remember::shape;
use crate::words::is_in;

/// One of the two is about a part that the other does not name, and the new one does not tell what became of the known one.
pub(super) fn are_apart(known: &str, new: &str) -> bool {
    fn is_narrower(narrow: &Said<'_>, wide: &Said<'_>) -> bool {
        narrow.begins_in_a_part(wide)
            || narrow.ends_in_a_part(wide)
            || narrow.is_of_a_part(wide)
            || narrow.is_qualified(wide)
    }
    one_of_both(known, new, is_narrower)
}

/// One of the two begins with a part that the other does not name: what is said there is not said more exactly of all.
pub(super) fn begin_apart(known: &str, new: &str) -> bool {
    fn is_narrower(narrow: &Said<'_>, wide: &Said<'_>) -> bool {
        narrow.begins_in_a_part(wide)
    }
    one_of_both(known, new, is_narrower)
}

fn one_of_both(known: &str, new: &str, is_narrower: impl Fn(&Said<'_>, &Said<'_>) -> bool) -> bool {
    let is_one = |text: &str| !text.contains([';', '\n']) && !text.contains(". ");
    if !is_one(known) || !is_one(new) {
        return false;
    }
    let (a, b) = (Reading::of(known), Reading::of(new));
    let (old, new) = (Said::of(known, &a), Said::of(new, &b));
    let is_told_of_both = new.tells_a_change() || new.denies(&old) || old.is_of_all() || new.is_of_all();
    !is_told_of_both && (is_narrower(&old, &new) || is_narrower(&new, &old))
}

/// What stands before what a statement is about.
const PLACING: &str = "in on at for within inside under with";
/// The same behind what it says.
const PLACED: &str = "in on for within inside";
const ARTICLES: &str = "the our a an this that these those your my their its all every each";
/// Parts that projects have, and what says which.
const PARTS: &str = "app apps application applications admin site website shop storefront portal dashboard panel frontend backend web mobile \
    desktop ios android cli worker workers service services microservice client clients server servers gateway sdk api package packages \
    module modules crate crates library lib plugin plugins extension addon storybook workspace workspaces notebook notebooks lambda lambdas \
    staging production prod sandbox preview qa ci dev e2e unit integration smoke tests test suite firmware bootloader simulator emulator \
    device devices board boards edge cluster clusters kiosk terminal console tablet tablets browser launcher lobby matchmaker tooling legacy \
    monolith warehouse scraper crawler bot demo playground sample samples prototype installer daemon agent agents proxy infra windows linux \
    macos arm arm64 safari firefox chrome";
/// Further words that the name of a part ends with.
const ENDS: &str = "repo repository folder directory table tables flow mode screen page reports emails functions region tenant tenants tokens files branch";
/// What says of itself not which part it is: all there is may be called so.
const ANY: &str = "app apps application applications service services site website client clients server servers module modules package packages \
    library lib tests test suite api ci agent agents repo repository folder directory table tables page files branch project codebase monorepo";
/// What is no part: all of it, a time, a way of speaking, an occasion, where a value is written.
const NO_PART: &str = "repo project codebase monorepo repository team company general fact short theory practice addition order case cases \
    particular total end beginning meantime future past run record average principle summary file config configuration settings readme \
    documentation code source manifest manifests yaml env monday tuesday wednesday thursday friday saturday sunday mondays tuesdays \
    wednesdays thursdays fridays saturdays sundays january february march april june july august september october november december \
    morning evening afternoon night nights week weeks weekday weekdays weekend weekends month months quarter year hour hours minute \
    minutes midnight noon time day days holidays sprint merge push commit release releases tag tags failure failures error errors start \
    startup save boot crash exit conflict deploy deploys default moment place once reason reasons purpose now today";
/// With these another clause begins.
const BEGINNING: &str = "we i you it they there everything everyone everybody nobody nothing the our a an all every each any no never always \
    don't do use prefer keep put write run deploy";
const VERBS: &str = "is are was has have uses use run runs listens listen need needs go goes take takes expire expires last lasts live lives \
    get gets stay stays must should may can opens open lands land returns return deploy deploys ships ship log logs happen happens";
/// Behind these stands where something is put or found.
const DONE: &str = "seen kept built sent done held shown found read run written put set made";
const BELONGING: &str = "belong belongs sit sits reside resides come comes end ends";
/// Said before a thing without making it another.
const PLAIN: &str = "main default new old current latest own whole entire actual real overall usual code test source git software system product app \
    application project team repo local first second third last next other same single total max maximum min minimum";
/// What a frontend alone has.
const OF_FRONTENDS: [&str; 5] =
    ["frontend framework", "bundler", "state management", "styling", "components"];

struct Word {
    small: String,
    ends: bool,
    is_capital: bool,
}

struct Said<'a> {
    words: Vec<Word>,
    reading: &'a Reading,
}

impl<'a> Said<'a> {
    fn of(text: &str, reading: &'a Reading) -> Said<'a> {
        let word = |written: &str| {
            let raw = shape::bare(written).trim_matches('`');
            let small = raw.replace('’', "'").to_lowercase().replace("end-to-end", "e2e");
            let small = small.strip_suffix("'s").map_or(small.clone(), str::to_owned);
            Word { small, ends: written.ends_with([',', ':', ';']), is_capital: shape::is_capital(raw) }
        };
        let words = text.split_whitespace().map(word).filter(|word| !word.small.is_empty()).collect();
        Said { words, reading }
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.small.as_str())
    }

    fn names(&self, word: &str) -> bool {
        self.words.iter().any(|one| is_same(&one.small, word))
    }

    fn has_pair(&self, one: &str, other: &str) -> bool {
        self.words.windows(2).any(|pair| pair[0].small == one && pair[1].small == other)
    }

    fn tells_a_change(&self) -> bool {
        const SINCE: &str = "today tonight tomorrow starting since already finally becomes become switching moving \
                withdrawn lifted revoked okayed";
        self.reading.is_change
            || self.words.iter().any(|word| is_in(SINCE, &word.small))
            || [("any", "more"), ("from", "now"), ("from", "here"), ("going", "forward"), ("as", "of")]
                .iter()
                .any(|(one, other)| self.has_pair(one, other))
    }

    /// "…, not Jenkins", where that is what the other says.
    fn denies(&self, other: &Said<'_>) -> bool {
        !self.reading.rejected.is_disjoint(&other.reading.content)
    }

    fn is_of_all(&self) -> bool {
        const ALL: &str = "everywhere anywhere throughout including overall";
        self.words.iter().any(|word| is_in(ALL, &word.small))
    }

    /// "In the admin app …"
    fn begins_in_a_part(&self, wide: &Said<'_>) -> bool {
        self.leading().is_some_and(|(place, part)| {
            wide.lacks(&part) && (self.is_certain_part(&place, &part) || self.goes_on_as(place.end, wide))
        })
    }

    /// "… in the admin app"
    fn ends_in_a_part(&self, wide: &Said<'_>) -> bool {
        self.trailing().is_some_and(|(at, part)| wide.lacks(&part) && self.differ_before(at, wide))
    }

    /// "The admin app uses …"
    fn is_of_a_part(&self, wide: &Said<'_>) -> bool {
        self.subject_part().is_some_and(|part| wide.lacks(&part) && self.is_about_what(wide, &part))
    }

    fn lacks(&self, part: &[&str]) -> bool {
        !part.iter().any(|word| self.names(word))
    }

    /// "In the legacy admin app we …": where that stands, and the words that say which part.
    fn leading(&self) -> Option<(Range<usize>, Vec<&str>)> {
        let first = (0..2).find(|at| !is_in("but and also only so", self.word(*at)))?;
        // "On a branch with two users" is an occasion.
        if !is_in(PLACING, self.word(first)) || is_in("a an", self.word(first + 1)) {
            return None;
        }
        let start = self.after_articles(first + 1);
        let end = self.end_of_place(start)?;
        let part = self.part(start..end)?;
        (end + 2 <= self.words.len()).then_some((start..end, part))
    }

    fn after_articles(&self, at: usize) -> usize {
        (at..self.words.len()).find(|at| !is_in(ARTICLES, self.word(*at))).unwrap_or(self.words.len())
    }

    fn end_of_place(&self, start: usize) -> Option<usize> {
        const LONG: usize = 5;
        let near = start..self.words.len().min(start + LONG);
        let comma = near.clone().find(|at| self.words[*at].ends).map(|at| at + 1);
        let begins = near.clone().skip(1).find(|at| is_in(BEGINNING, self.word(*at)));
        let is_part = |at: &usize| is_part(self.word(*at));
        let named = near.clone().take(3).find(is_part).filter(|at| begins.is_none_or(|end| *at < end));
        let named =
            named.map(|at| (at..self.words.len()).find(|at| !is_part(at)).unwrap_or(self.words.len()));
        let capital = || near.clone().next().filter(|at| self.words[*at].is_capital).map(|at| at + 1);
        comma.or(named).or(begins).or_else(capital)
    }

    /// The words of a place that say which part it is; nothing where it is none.
    fn part(&self, place: Range<usize>) -> Option<Vec<&str>> {
        let words: Vec<&str> = place.map(|at| self.word(at)).collect();
        let tells: Vec<&str> = words.iter().copied().filter(|word| !is_in(ARTICLES, word)).collect();
        let last = tells.last()?;
        let telling: Vec<&str> = tells.iter().copied().filter(|word| !is_in(ANY, word)).collect();
        let is_none = is_number(tells[0])
            || tells.iter().all(|word| is_in(NO_PART, word))
            || is_in(NO_PART, last) && !is_in(ANY, last)
            || tells.iter().any(|word| vocabulary::is_empty(word) && !is_in(PARTS, word));
        match (is_none, telling.is_empty()) {
            (true, _) => None,
            (false, true) => Some(tells),
            (false, false) => Some(telling),
        }
    }

    /// It is called a part, and which. Any other place is one where the same thing is spoken of.
    fn is_certain_part(&self, place: &Range<usize>, part: &[&str]) -> bool {
        place.clone().any(|at| is_part(self.word(at))) && !is_any(part)
    }

    /// Behind the part it says something of the same thing as the other.
    fn goes_on_as(&self, at: usize, wide: &Said<'_>) -> bool {
        let (own, its) = (self.after_articles(at), wide.after_articles(0));
        let is_same_at = |more: usize| is_same(self.word(own + more), wide.word(its + more));
        // "For state management we use …" says of what it is told.
        let is_purpose = is_in("for with at", self.word(0)) && is_in("we i use", self.word(own));
        own + 1 < self.words.len() && is_same_at(0) && is_same_at(1) && !is_purpose
    }

    /// "… 9090 in staging": where that begins, and the words that say which part; not what something is put in.
    fn trailing(&self) -> Option<(usize, Vec<&str>)> {
        const LONG: usize = 5;
        /// "…, but only in the admin app"; what else a clause of its own says is not said of the first: "…, not in the cluster",
        /// "…, three replicas in the cluster".
        const ONLY: &str = "but and only just mostly except also at least so far";
        let all = self.words.len();
        let at = (2..all).rev().find(|at| is_in(PLACED, self.word(*at)))?;
        let clause = self.words[..at].iter().rposition(|word| word.ends).map_or(0, |end| end + 1);
        if clause > 0 && !(clause..at).all(|at| is_in(ONLY, self.word(at))) {
            return None;
        }
        let before = self.word(at - 1);
        let is_put = vocabulary::is_empty(before)
            || vocabulary::only_ties(before)
            || is_in(VERBS, before)
            || is_in(BELONGING, before)
            || is_in(DONE, before)
            || before.ends_with("ed") && before.len() > 4;
        let start = self.after_articles(at + 1);
        let is_part = (start..all).any(|at| is_in(PARTS, self.word(at)));
        let is_one = self.words[at..].iter().rev().skip(1).all(|word| !word.ends);
        let holds = !is_put && is_part && is_one && all > start && all - start <= LONG;
        Some((at, self.part(start..all).filter(|part| holds && !is_any(part))?))
    }

    /// What is said before the place is another thing than the other says, of something that both name.
    fn differ_before(&self, at: usize, wide: &Said<'_>) -> bool {
        let tells = |word: &&Word| !vocabulary::is_empty(&word.small) && !vocabulary::only_ties(&word.small);
        let (own, place) = self.words.split_at(at);
        let has = |words: &[Word], word: &Word| words.iter().any(|one| is_same(&one.small, &word.small));
        let begin_alike =
            (0..2).all(|at| is_same(self.word(at), wide.word(at))) || self.has_value_of_sort(wide);
        if !begin_alike && !own.iter().filter(tells).any(|word| has(&wide.words, word)) {
            return false;
        }
        let its = wide.words.iter().filter(tells).filter(|word| !has(place, word));
        let is_other = own.iter().filter(tells).any(|word| !has(&wide.words, word));
        self.reading.is_negative != wide.reading.is_negative
            || is_other && its.clone().any(|word| !has(own, word))
    }

    fn has_value_of_sort(&self, other: &Said<'_>) -> bool {
        let values = &other.reading.values;
        self.reading.values.iter().any(|own| values.iter().any(|its| its.of == own.of))
    }

    /// "The payment client has …", "the e2e tests use …": the words that say which part. What a part *is* is itself.
    fn subject_part(&self) -> Option<Vec<&str>> {
        let (start, verb) = self.subject()?;
        let next = self.word(verb + 1);
        let is_done = next.ends_with("ed") || is_in("built written run on at in", next);
        let says_more = !is_in("is are was", self.word(verb)) || is_done;
        let part = self.part(start..verb).filter(|_| says_more && is_part(self.word(verb - 1)))?;
        // "Old files stay as they are, …"
        let says_which = part.iter().any(|word| !is_in(PLAIN, word));
        (says_which && !is_any(&part)).then_some(part)
    }

    fn subject(&self) -> Option<(usize, usize)> {
        let start = self.after_articles(0);
        let verb = (start + 1..self.words.len()).take(5).find(|at| is_in(VERBS, self.word(*at)))?;
        let is_thing = |word: &str| !vocabulary::is_empty(word) && !vocabulary::is_negation(word);
        let is_of_things = (start..verb).all(|at| is_thing(self.word(at)) || is_in(PARTS, self.word(at)));
        is_of_things.then_some((start, verb))
    }

    /// What the other says is said of all there is, or of what this says something of its part of: a value of one sort.
    fn is_about_what(&self, wide: &Said<'_>, part: &[&str]) -> bool {
        let is_frontend = part.iter().all(|word| is_in("frontend web ui", word));
        if is_frontend && self.reading.values.iter().any(|value| OF_FRONTENDS.contains(&value.of)) {
            return false;
        }
        match wide.subject() {
            None => is_in("we i use run deploy write keep never always don't", wide.word(0)),
            Some(_) if wide.subject_part().is_some() => false,
            Some((_, verb)) => {
                let own = self.subject().map_or(0, |(_, verb)| verb);
                let is_told = |word: &str| self.words[own..].iter().any(|one| is_same(&one.small, word));
                self.has_value_of_sort(wide) || is_told(wide.word(verb - 1))
            }
        }
    }

    /// "Docker artifacts go to …" beside "artifacts go to …", "the timeout of the client is …" beside "the timeout is …".
    fn is_qualified(&self, wide: &Said<'_>) -> bool {
        let which = self.which_by_verb(wide).or_else(|| self.which_by_words(wide));
        which.is_some_and(|which| {
            let says_which = |word: &&str| !is_in(PLAIN, word) && !is_in(NO_PART, word) && !wide.names(word);
            let is_thing = |word: &&str| !vocabulary::is_empty(word) && !vocabulary::is_negation(word);
            which.iter().all(|word| says_which(word) && is_thing(word) && !is_number(word))
        })
    }

    fn which_by_verb(&self, wide: &Said<'_>) -> Option<Vec<&str>> {
        let (start, end) = wide.subject()?;
        let (begin, verb) = self.subject_before(wide.word(end))?;
        let its: Vec<&str> = (start..end).map(|at| wide.word(at)).collect();
        let own: Vec<&str> = (begin..verb).map(|at| self.word(at)).collect();
        which_of(&own, &its).filter(|_| self.goes_alike(verb, (wide, end)))
    }

    /// "Partner API keys rotate every 30 days" beside "API keys rotate every 90 days", whatever the verb is.
    fn which_by_words(&self, wide: &Said<'_>) -> Option<Vec<&str>> {
        const ALIKE: usize = 3;
        let (own, its) = (self.after_articles(0), wide.after_articles(0));
        let is_alike = |more: &usize| {
            let at = own + more;
            let is_word = at + ALIKE < self.words.len() && its + ALIKE < wide.words.len();
            is_word && (0..ALIKE).all(|next| is_same(self.word(at + next), wide.word(its + next)))
        };
        let more = (1..=3).find(is_alike).filter(|_| wide.subject().is_none())?;
        Some((own..own + more).map(|at| self.word(at)).collect())
    }

    /// What comes before a verb that the other has too.
    fn subject_before(&self, its: &str) -> Option<(usize, usize)> {
        let start = self.after_articles(0);
        let verb = (start + 1..self.words.len()).take(7).find(|at| is_same(self.word(*at), its))?;
        Some((start, verb))
    }

    /// Both say the same of their subject, with another value.
    fn goes_alike(&self, verb: usize, (wide, end): (&Said<'_>, usize)) -> bool {
        let (next, its) = (self.word(verb + 1), wide.word(end + 1));
        let is_how_often =
            |word: &str| is_in("hourly daily nightly weekly biweekly monthly quarterly yearly", word);
        let are_of_a_sort = is_number(next) && is_number(its) || is_how_often(next) && is_how_often(its);
        is_same(next, its) || are_of_a_sort || self.has_value_of_sort(wide)
    }
}

/// The words that only one subject has, before the other or behind "of".
fn which_of<'a>(own: &[&'a str], its: &[&str]) -> Option<Vec<&'a str>> {
    let are_same =
        |own: &[&str]| own.len() == its.len() && own.iter().zip(its).all(|(one, other)| is_same(one, other));
    let more = own.len().saturating_sub(its.len());
    let of = own.iter().position(|word| *word == "of");
    match of {
        None => ((1..=3).contains(&more) && are_same(&own[more..])).then(|| own[..more].to_vec()),
        Some(of) => {
            let rest: Vec<&str> =
                own[of + 1..].iter().copied().filter(|word| !is_in(ARTICLES, word)).collect();
            (are_same(&own[..of]) && !rest.is_empty()).then_some(rest)
        }
    }
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        || is_in("one two three four five six seven eight nine ten", word)
}

/// It does not say which part it is.
fn is_any(part: &[&str]) -> bool {
    part.iter().all(|word| is_in(ANY, word))
}

fn is_part(word: &str) -> bool {
    is_in(PARTS, word) || is_in(ENDS, word)
}

/// One word, or two names of one thing.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |word: &str| -> String {
        let word = vocabulary::canonical(word);
        let one = word.strip_suffix('s').filter(|rest| rest.len() > 2).unwrap_or(word);
        // "Caches" and "cache", "hotfixes" and "hotfix".
        one.strip_suffix('e').unwrap_or(one).to_owned()
    };
    one == other || plain(one) == plain(other)
}

#[cfg(test)]
mod tests;
