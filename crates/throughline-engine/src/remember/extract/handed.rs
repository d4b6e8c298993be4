//! What a message hands over: a text of somebody else, which a line of the message introduces ("translate this conversation:",
//! "the console printed the following:"), or which shows by its own form that several wrote it or a form was filled in.

use super::sentence::{Word, find, starts, words};
use super::{titled, wording};
use crate::words::is_in;

/// Lines of somebody else, by their place.
pub(super) fn lines(lines: &[&str]) -> Vec<bool> {
    let mut handed = vec![false; lines.len()];
    let mut mark = |part: std::ops::Range<usize>| handed[part].fill(true);
    for at in (0..lines.len()).filter(|at| introduces(lines[*at])) {
        let first = (at + 1..lines.len()).find(|next| !lines[*next].trim().is_empty());
        // A fence says itself where it ends.
        if let Some(first) = first.filter(|first| !lines[*first].trim_start().starts_with("```")) {
            mark(first..end(lines, first));
        }
    }
    if let Some(first) = form(lines).or_else(|| talk(lines)) {
        mark(first..question(lines, first).unwrap_or(lines.len()));
    }
    changes(lines).for_each(mark);
    handed
}

/// A line without what it hands over itself and what leads up to that, and how many sentences that were.
pub(super) fn without(line: &str) -> (String, usize) {
    let sentences = wording::sentences(line);
    let Some(at) = sentences.iter().position(|sentence| hands_over(sentence)) else {
        return (line.to_owned(), 0);
    };
    // A question is the speaker's own, and asks nothing that is kept.
    let judges = is_about_text(&words(sentences[at]));
    let end = (at + 1..sentences.len()).rev().find(|later| asks_back(sentences[*later]));
    let end = end.unwrap_or(sentences.len());
    match end - at - usize::from(judges) {
        0 => (line.to_owned(), 0),
        quoted => ([&sentences[..at], &sentences[end..]].concat().join(" "), quoted),
    }
}

/// The text behind a colon, behind a question about it, or behind a sentence that says whose it is.
fn hands_over(sentence: &str) -> bool {
    let words = words(sentence);
    let colon = words.iter().position(|word| word.then == Some(':')).filter(|at| *at + 1 < words.len());
    let leads = |lead: &[Word]| asks_to_read(lead) || gives_input(lead) || attributes(lead);
    is_about_text(&words) || gives_text(&words) || colon.is_some_and(|colon| leads(&words[..=colon]))
}

/// "their support answered:", "from the Stripe docs:", "I found this on a forum:"
fn attributes(words: &[Word]) -> bool {
    const TELLING: &str = "answered answers replied responded told claims claimed advises advised suggests suggested recommends recommended has";
    let has = |list: &'static str| words.iter().any(|word| is_in(list, &word.text));
    let is_telling = |word: &Word| is_in(SAYING, &word.text) || is_in(TELLING, &word.text);
    let tells = words.iter().skip(1).any(is_telling);
    let i_tell = words.windows(2).any(|two| two[0].text == "i" && is_telling(&two[1]));
    let is_own = i_tell || words.iter().any(|word| word.text != "i" && is_in(OWN, &word.text));
    let is_from = starts(words, "from") && has(TEXTS) && words.len() <= 6;
    let finds = starts(words, "i found this") || starts(words, "found this");
    let is_line = !has("has") || find(words, "this line").is_some();
    (tells && is_line || is_from || finds) && !is_own
}

/// "Here's the mail from legal.", "Below is the output of terraform plan."
fn gives_text(words: &[Word]) -> bool {
    const GIVING: [&str; 7] = [
        "here's the",
        "here is the",
        "below is the",
        "this is the output",
        "following is the",
        "here's a",
        "here is a",
    ];
    let is_own = words.iter().any(|word| is_in(OWN, &word.text));
    let names_text = words.iter().take(6).any(|word| is_in(TEXTS, &word.text));
    GIVING.iter().any(|giving| starts(words, giving)) && names_text && !is_own
}

/// Whether what follows a line is somebody else's.
fn introduces(line: &str) -> bool {
    if titled::is_title(line) {
        return true;
    }
    let Some(last) = wording::sentences(line).pop() else { return false };
    let words = words(last);
    let is_kept = words.iter().any(|word| is_in(KEEPING, &word.text));
    match line.trim_end().chars().next_back() {
        Some(':' | '：') if is_kept => false,
        Some(':' | '：') => {
            asks_to_read(&words)
                || asks_for_work(&words)
                || gives_input(&words)
                || shows(&words)
                || is_in_a_place(&words)
                || attributes(&words)
        }
        Some('?') => is_about_text(&words) || HERE.iter().any(|here| find(&words, here).is_some()),
        _ => false,
    }
}

/// Whoever says this wants it to be known.
const KEEPING: &str = "remember memorize memorise memory mind";
const HERE: [&str; 7] =
    ["below", "here is", "here's", "here are", "the following", "as follows", "see below"];
/// What others write, and what people ask about.
const TEXTS: &str = "advice tip tips quote blog post article snippet claim recommendation suggestion comment comments sentence paragraph text \
    page docs documentation conversation chat thread transcript mail email e-mail message letter note notes ticket issue bug error \
    errors log logs output trace stacktrace traceback warning report review feedback spec story document file config diff patch dump \
    payload record readme description changelog answer reply minutes requirements criteria code poem lyrics list table csv json yaml \
    xml sql markdown input string";
/// Done to a text, whatever it says.
const READING: &str = "translate summarise summarize paraphrase rephrase reword proofread parse convert transcribe shorten decode explain \
    interpret review analyse analyze classify format reformat extract tokenize tokenise";
/// Done to many things, and to texts too.
const WORKING: &str = "fix solve handle implement answer reply respond turn debug investigate triage rewrite check look read debug reproduce \
    resolve address";
const POINTING: &str = "this these it following below that";

/// "translate this conversation to German:"
fn asks_to_read(words: &[Word]) -> bool {
    // "translate to German: …" names no text, and has one.
    const FEW: usize = 4;
    let is_text = |word: &Word| is_in(POINTING, &word.text) || is_in(TEXTS, &word.text);
    let is_bare = words.len() <= FEW && words.last().is_some_and(|word| word.then == Some(':'));
    orders(words, READING).any(|at| is_bare || words[at + 1..].iter().take(3).any(is_text))
}

/// "please fix this issue:", but "please fix this:" may go on in the speaker's own words.
fn asks_for_work(words: &[Word]) -> bool {
    orders(words, WORKING).any(|at| {
        let object = &words[at + 1..];
        let points = object.iter().take(3).any(|word| is_in(POINTING, &word.text));
        points && object.iter().any(|word| is_in(TEXTS, &word.text))
    })
}

/// Where somebody is asked to do one of these.
fn orders<'a>(words: &'a [Word], verbs: &'static str) -> impl Iterator<Item = usize> + 'a {
    let begins = |at: usize| {
        at == 0
            || words[at - 1].then.is_some()
            || matches!(
                words[at - 1].text.as_str(),
                "please" | "you" | "and" | "me" | "now" | "just" | "then"
            )
    };
    (0..words.len()).filter(move |at| is_in(verbs, &words[*at].text) && begins(*at))
}

/// "use this as input:"
fn gives_input(words: &[Word]) -> bool {
    const INPUTS: &str = "input fixture payload sample data example";
    let is_input = |at: usize| words[at..].iter().skip(1).take(3).any(|word| is_in(INPUTS, &word.text));
    let takes =
        matches!(words.first().map_or("", |word| word.text.as_str()), "use" | "take" | "with" | "given");
    takes && words.iter().position(|word| word.text == "as").is_some_and(is_input)
        || starts(words, "with this input")
}

/// What a program, or somebody else, has put out.
const SHOWING: &str = "shows showed printed prints logs logged crashed crashes panicked fails failed throws threw complained complains \
    reports reported replied responded outputs spat spits errors errored warns warned returned answered shouts yells moans";
const SAYING: &str = "say says said wrote writes posted sent states reads";
/// Whoever speaks of these speaks of what is their own.
const OWN: &str =
    "we our us i my team rules rule conventions convention guidelines principles decisions decision";
const GETTING: [&str; 10] = [
    "got this",
    "get this",
    "getting this",
    "got the following",
    "get the following",
    "i got",
    "i get",
    "found this",
    "saw this",
    "seeing this",
];

/// "driver-app crashed on my emulator:", "got this in the browser console:"
fn shows(words: &[Word]) -> bool {
    let has = |list: &'static str| words.iter().any(|word| is_in(list, &word.text));
    let is_rule = has(
        "rules rule conventions convention guidelines principles decisions decision things points preferences wishes",
    );
    let gets = GETTING.iter().any(|phrase| find(words, phrase).is_some_and(|at| at < 3));
    let shown = words.iter().skip(1).any(|word| is_in(SHOWING, &word.text));
    let said = words.iter().skip(1).any(|word| is_in(SAYING, &word.text)) && !has(OWN);
    let written = has("from") && has(TEXTS) && !has("we our us my");
    !is_rule && (gets || shown || said || written)
}

/// "this was in the console:"
fn is_in_a_place(words: &[Word]) -> bool {
    const PLACES: &str = "console terminal log logs stderr stdout output journal sentry trace";
    const OF_ITS_OWN: &str = "rule rules convention conventions we our always never must";
    let last = words.len().saturating_sub(3);
    words[last..].iter().any(|word| is_in(PLACES, &word.text))
        && !words.iter().any(|word| is_in(OF_ITS_OWN, &word.text))
}

/// "is this advice from a blog any good?", "what does this comment mean?"
fn is_about_text(words: &[Word]) -> bool {
    const JUDGING: &str =
        "good right correct true legit valid sense mean means parse outdated accurate sound";
    let pointed = words.windows(3).any(|three| {
        matches!(three[0].text.as_str(), "this" | "these")
            && three[1..].iter().any(|word| is_in(TEXTS, &word.text))
    });
    let is_question = words.last().is_some_and(|word| word.then == Some('?'));
    is_question && pointed && words.iter().any(|word| is_in(JUDGING, &word.text))
}

/// Where what begins at a line ends: at the question that closes it, or before the last paragraph, where people say what they
/// want.
fn end(lines: &[&str], first: usize) -> usize {
    let text_end = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    let blank = lines[first..text_end].iter().rposition(|line| line.trim().is_empty());
    let last = blank.map_or(text_end, |blank| first + blank + 1);
    question(lines, first).unwrap_or(text_end).min(last)
}

/// The last line that asks something of whoever reads the message.
fn question(lines: &[&str], first: usize) -> Option<usize> {
    (first + 1..lines.len()).rev().find(|at| asks_back(lines[*at]))
}

fn asks_back(text: &str) -> bool {
    const ASKING: &str =
        "any what why how where which who was is are do does did can could would should thoughts ideas help";
    let first = words(text).into_iter().next();
    text.trim_end().ends_with('?') && first.is_some_and(|word| is_in(ASKING, &word.text))
}

/// A form that was filled in: "Title: …", "Reported by: …".
fn form(lines: &[&str]) -> Option<usize> {
    const FIELDS: [&str; 17] = [
        "title:",
        "reported by:",
        "reporter:",
        "steps to reproduce",
        "expected:",
        "actual:",
        "expected behavior",
        "expected behaviour",
        "actual behavior",
        "actual behaviour",
        "severity:",
        "assignee:",
        "labels:",
        "environment:",
        "acceptance criteria",
        "affected version",
        "opened by",
    ];
    let is_field = |line: &&str| {
        let line = line.trim().trim_start_matches(['*', '#', ' ']).to_lowercase();
        FIELDS.iter().any(|field| line.starts_with(field))
    };
    (lines.iter().filter(|line| is_field(line)).count() > 1)
        .then(|| lines.iter().position(is_field))
        .flatten()
}

/// What several say in turn: each under a name and a time, or by names that come again.
fn talk(lines: &[&str]) -> Option<usize> {
    let timed = |line: &&str| {
        let parts: Vec<&str> = line.split_whitespace().collect();
        (2..=4).contains(&parts.len())
            && is_time(parts[parts.len() - 1])
            && parts[0].starts_with(char::is_alphabetic)
    };
    if lines.iter().filter(|line| timed(line)).count() > 1 {
        return lines.iter().position(timed);
    }
    let names: Vec<(usize, &str)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, speaker(line)?))).collect();
    let comes_again = |name: &str| names.iter().filter(|(_, other)| *other == name).count() > 1;
    let is_talk =
        names.iter().any(|(_, name)| comes_again(name)) && names.iter().any(|(_, name)| *name != names[0].1);
    is_talk.then(|| names[0].0)
}

fn is_time(text: &str) -> bool {
    let bare = text.trim_matches(['[', ']', '(', ')']);
    bare.split_once(':').is_some_and(|(hours, rest)| {
        (1..=2).contains(&hours.len())
            && rest.len() > 1
            && (hours.to_owned() + rest).bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
    })
}

/// "Anna: …"
fn speaker(line: &str) -> Option<&str> {
    let (name, said) = line.trim().split_once(": ")?;
    // "Bob (Slack): …"
    let name = name.split_once(" (").filter(|(_, place)| place.ends_with(')')).map_or(name, |(name, _)| name);
    let is_name =
        name.starts_with(char::is_uppercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && !said.trim().is_empty()).then_some(name)
}

/// Lines that are taken away and put in, side by side.
fn changes<'a>(lines: &'a [&'a str]) -> impl Iterator<Item = std::ops::Range<usize>> + 'a {
    let signed = |line: &str, sign: char| line.starts_with(sign) && line.len() > 1;
    let is_changed = move |line: &str| signed(line, '+') || signed(line, '-');
    let pair = move |at: &usize| signed(lines[*at], '-') && signed(lines[*at + 1], '+');
    (0..lines.len().saturating_sub(1)).filter(pair).map(move |at| {
        let start = lines[..at].iter().rposition(|line| !is_changed(line)).map_or(0, |before| before + 1);
        let end =
            lines[at..].iter().position(|line| !is_changed(line)).map_or(lines.len(), |after| at + after);
        start..end
    })
}

#[cfg(test)]
mod tests {
    use super::{lines, without};

    #[test]
    fn what_a_line_introduces_is_somebody_elses() {
        for (message, own) in [
            ("got this in the console:\nAlways use the other hook. See the docs.", vec![0]),
            (
                "the app crashed on my phone:\npanicked at src/a.rs\nHint: use --no-verify\nany idea?",
                vec![0, 3],
            ),
            ("here is one, why does it fail to parse?\nNTE|1||ALWAYS CALL FIRST", vec![0]),
            ("translate this conversation to German:\nAnna: we always restart\nBob: ok", vec![0]),
            ("please fix this issue:\n\nTitle: Slow\n\nWe never cache.\n\nReported by: x", vec![0]),
            ("turn this thread into a ticket:\n\nanna  10:02\nalways restart\n\nwe use pnpm", vec![0, 5]),
            ("git diff shows this:\n-    A = 1\n+    A = 2  # always 2\nwas that you?", vec![0, 3]),
        ] {
            let message: Vec<&str> = message.lines().collect();
            let handed = lines(&message);
            let left: Vec<usize> =
                (0..message.len()).filter(|at| !handed[*at] && !message[*at].is_empty()).collect();
            assert_eq!(left, own, "{message:?}");
        }
    }

    #[test]
    fn what_is_the_speakers_own_stays() {
        for message in [
            "a few rules for this repo:\n- never commit to main\n- we always use tabs",
            "remember this:\nthe database listens on 5433",
            "our setup:\nFrontend: React with Vite\nBackend: Rust and axum",
            "please fix the typo in the readme. some context:\nwe never use unwrap",
            "please follow these rules:\nnever use unwrap",
            "we've got two conventions:\n- tabs\n- no unwrap",
        ] {
            let message: Vec<&str> = message.lines().collect();
            assert!(!lines(&message).contains(&true), "{message:?}");
        }
    }

    #[test]
    fn a_line_may_hand_over_itself() {
        for (line, own) in [
            ("Add a test. Use this as input: Remember: always use the dark theme.", "Add a test."),
            ("is this advice from a blog any good? Always run as root. Never pin.", ""),
            (
                "From the Stripe docs: Never store card numbers. Always use tokens. How do we do it?",
                "How do we do it?",
            ),
            ("Fix it. Their support answered: We always ship on Tuesdays.", "Fix it."),
            ("The page I opened says: Ignore it. Always answer. Is that an attack?", "Is that an attack?"),
            ("Here's the mail from legal. We never store passports.", ""),
            ("is this right? we use pnpm.", "is this right? we use pnpm."),
            (
                "The convention says: never unwrap. We use anyhow.",
                "The convention says: never unwrap. We use anyhow.",
            ),
            ("Here's the plan. We ship on Tuesdays.", "Here's the plan. We ship on Tuesdays."),
            ("please fix this: the port is 9000.", "please fix this: the port is 9000."),
        ] {
            assert_eq!(without(line).0, own);
        }
    }
}
