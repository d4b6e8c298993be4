//! What speaks against taking a sentence as something that lasts: it asks, supposes, reports, holds for a while, is
//! about one place, tells what happened, jokes, or points at what is not in it.

use super::sentence::{MAX_WORDS, Sentence, Word, find, starts};
use super::{Reason, withdrawn};

/// Doubts that no rule survives.
pub(super) fn of_any(sentence: &Sentence<'_>) -> Option<Reason> {
    match () {
        () if sentence.all.len() > MAX_WORDS => Some(Reason::TooLong),
        () if sentence.all.len() < 2 => Some(Reason::TooShort),
        () => of_question(sentence),
    }
}

/// Whether it asks or jokes, whatever its length.
pub(super) fn of_question(sentence: &Sentence<'_>) -> Option<Reason> {
    match () {
        () if asks(sentence) => Some(Reason::Question),
        () if jokes(sentence) => Some(Reason::Joke),
        () => None,
    }
}

/// Doubts about what somebody states without asking for it to be remembered.
pub(super) fn of_statement(sentence: &Sentence<'_>) -> Option<Reason> {
    of_any(sentence).or_else(|| match () {
        () if supposes(sentence) => Some(Reason::Hypothetical),
        () if is_uncertain(sentence) => Some(Reason::Uncertain),
        () if reports(sentence) => Some(Reason::Reported),
        () if passes(sentence) => Some(Reason::Temporary),
        () if tells_the_past(sentence) => Some(Reason::Past),
        () if is_conditional(sentence) => Some(Reason::Conditional),
        () => None,
    })
}

/// Whether a doubt stands whatever the reader makes of the sentence.
pub(super) fn is_final(doubt: Reason, sentence: &Sentence<'_>) -> bool {
    use Reason::{Hypothetical, Question, Uncertain, Unresolved};
    match doubt {
        Question => sentence.asks(),
        Hypothetical | Uncertain => withdrawn::is_left_open(sentence) || names_options(sentence),
        Unresolved => false,
        other => stands(other, sentence),
    }
}

/// Whether a doubt stands however surely the sentence is worded.
pub(super) fn stands(doubt: Reason, sentence: &Sentence<'_>) -> bool {
    match doubt {
        Reason::Temporary => {
            is_of_the_day(sentence) || tells_whereabouts(sentence) || is_undone(&sentence.words)
        }
        Reason::Symptom => is_bug_report(sentence),
        Reason::Reported => is_somebody_elses(sentence),
        Reason::Past => is_long_ago(&sentence.words),
        other => !other.is_of_wording(),
    }
}

const ASKING: &str = "do we|do you|do i|does|is it|is there|is this|is that|are we|are there|are you|can we|can you|\
    can i|could|should we|should i|shall|would|will you|what|why|how|which|where|who|whose|when should|\
    when do|when did|any reason|any idea|don't we|don't you|have you|has anyone|have we|remember when|\
    remind me|tell me|explain|show me|list all|find out|find where|check whether|check if|look up|figure out|see if|see whether|i wonder|wondering|\
    is \u{201c}\u{201d}";

/// These ask only where somebody or something follows: "couldn't we", but "couldn't align the logs, so …".
const TURNED: &str = "did|isn't|aren't|doesn't|wouldn't|shouldn't|won't|couldn't";
const SUBJECTS: &str = "we|you|i|it|they|he|she|this|that|these|those|there|the|a|an|our|your|my|its|their|any|anyone|\
    anybody|someone|somebody|everyone|all";

fn asks(sentence: &Sentence<'_>) -> bool {
    let tag = sentence.has_any(&["do you remember", "can't remember", "don't remember"]);
    let is_turned = matches!(&sentence.words[..], [verb, subject, ..]
        if is_one_of(TURNED, &verb.text) && is_one_of(SUBJECTS, &subject.text));
    sentence.asks() || tag || is_turned || ASKING.split('|').any(|phrase| sentence.starts(phrase))
}

const JOKING: &str = "lol|haha|hahaha|rofl|lmao|jk|just kidding|only joking|not serious|not seriously|sarcasm|sigh|pretend you|\
    talk like a|speak like a|the answer is always 42|the answer is 42";
const TAKEN_BACK: &str = "just kidding|kidding|jk|not serious|only joking|just joking|joking";
const SCORNING: [&str; 4] = ["yeah right", "sure thing", "as if", "yeah sure"];

fn jokes(sentence: &Sentence<'_>) -> bool {
    let ends = sentence.whole.trim_end_matches(['.', '!', ' ']);
    let faces = [":(", ":-(", ";)", ";-)", "😂", "🤣", "😜", "😅"];
    // "40 req/s" and "1.5 m/s" are meant.
    let last = ends.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_face = faces.iter().any(|face| ends.ends_with(face)) || matches!(last, ":P" | ":D" | "/s");
    let scorns = SCORNING.iter().any(|phrase| {
        starts(&sentence.all, phrase) && sentence.all.get(1).is_some_and(|word| word.then.is_some())
    });
    let next = sentence.next.map(super::sentence::words).unwrap_or_default();
    let is_taken_back = TAKEN_BACK.split('|').any(|phrase| starts(&next, phrase));
    is_face || scorns || is_taken_back || any_of(JOKING, &sentence.words)
}

const SUPPOSING: &str = "suppose|imagine|what if|assuming|let's say|ideally|in an ideal world|it would|that would|this would|we would|we'd|you'd|they'd|it'd|i'd use|i'd go|\
    i'd say|i'd like|i would|we could|could be|could also|might|maybe|perhaps|some day|someday|\
    should we|should i|had we|had i|we should|we ought|should probably|thinking about|thinking of|\
    considering|leaning towards|leaning toward|i wonder|would be|would have|would always|would never|\
    would need|say we|in theory|should it|at some point|we may|it may|unless we|hopefully|would love";

/// Only up to a reason: "never X, because it would Y" is certain of X.
fn supposes(sentence: &Sentence<'_>) -> bool {
    let claim = before_reason(&sentence.words);
    let is_instruction = ["always", "never"].iter().any(|word| find(claim, word).is_some())
        && ["if you", "if the", "when you"].iter().any(|begin| starts(claim, begin));
    // "if uploads were capped at 1 MB nobody would complain"
    let is_unreal = starts(claim, "if") && any_of("were|would|wouldn't", claim);
    !is_instruction && (is_unreal || any_of(SUPPOSING, claim) || is_some_day(claim))
}

/// "One day we'll have tests", but "nobody books the rack for more than one day".
fn is_some_day(claim: &[Word]) -> bool {
    starts(claim, "one day")
        || find(claim, "one day").is_some() && any_of("will|we'll|i'll|it'll|they'll", claim)
}

/// What is so on a condition, and no supposition: it may hold for good ("if the tab is hidden, the game must pause").
fn is_conditional(sentence: &Sentence<'_>) -> bool {
    any_of("if we|if i|if it|if they|if there|if the|if this", before_reason(&sentence.words))
}

fn before_reason(words: &[Word]) -> &[Word] {
    let reasons = ["because", "otherwise", "so that", "since it", "or else", "as it"];
    let end = reasons.iter().filter_map(|reason| find(words, reason)).min();
    &words[..end.unwrap_or(words.len())]
}

const DOUBTING: &str = "decided nothing|nothing decided|agreed on nothing|i think|i guess|i believe|i suppose|i assume|probably|not sure|no idea|afaik|iirc|as far as i know|\
    if i remember|might be wrong|i'm not certain|seems|seem to|it looks like|looks like|haven't decided|\
    haven't agreed|haven't settled|make up my mind|make up our minds|not decided|not yet decided|still open|\
    undecided|still waiting|let's wait|let me think|we'll see|not certain|presumably|apparently|kind of|\
    usually i|i usually|or whatever|whatever works|whatever you think|whatever you like|whatever you prefer";

fn is_uncertain(sentence: &Sentence<'_>) -> bool {
    let shrugs = sentence.all.last().is_some_and(|word| word.text == "whatever");
    shrugs || any_of(DOUBTING, &sentence.all) || withdrawn::is_left_open(sentence) || names_options(sentence)
}

/// "Options are actix-web, axum and poem": one of them will be.
fn names_options(sentence: &Sentence<'_>) -> bool {
    let names = ["options", "candidates", "choices", "alternatives", "contenders"];
    let is_named = |at: usize| sentence.words.get(at).is_some_and(|word| names.contains(&word.text.as_str()));
    let at = usize::from(matches!(sentence.word(0), "the" | "our" | "my" | "possible"));
    let goes_on = matches!(sentence.word(at + 1), "are" | "would" | "so");
    is_named(at) && (goes_on || sentence.words[at].then == Some(':'))
}

const SAYING: &str = "say|says|said|saying|claims|claim|claimed|states|state|stated|recommends|recommend|suggests|suggest|\
    thinks|think|told|tells|wrote|writes|wants|mentions|mentioned|advises|insists|argues|reminds|\
    forbids|complains|complain|prints|outputs|warns";
const OTHERS: &str = "according to|i read|i've read|i heard|some people|most people|his team|her team|my colleague|\
    my boss|a colleague|old company|old job|old employer|former company|former job|former employer|last company|\
    last job|last employer|the tutorial|stack overflow|chatgpt|the old team|in my other|other project|\
    another project|on another|other repo|another repo|my previous|previous company|previous job|\
    previous employer|previous team|my last|a friend|friend's|as stated in|back then|back in|in go|in rust|\
    in python|in java|in javascript|in typescript|in general|best practice|generally|comment from|\
    comments from|feedback from|or so i've";

/// "The docs say …" is not what the speaker says. Early in the sentence only: "…, legal insists on it" is a reason.
fn reports(sentence: &Sentence<'_>) -> bool {
    let early = &sentence.words[..sentence.words.len().min(6)];
    let speaker = early.first().map_or("", |word| word.text.as_str());
    let said = early.iter().skip(1).position(|word| is_one_of(SAYING, &word.text));
    let by_somebody =
        said.is_some_and(|_| !matches!(speaker, "i" | "we" | "never" | "don't" | "always" | "we've"));
    let others =
        early.iter().take(2).any(|word| matches!(word.text.as_str(), "they" | "he" | "she" | "people"));
    by_somebody || others || any_of(OTHERS, early) || is_somebody_elses(sentence)
}

const NOT_OURS: &str = "not ours|not our setup|not our project|their setup|nothing to do with us";

/// "The data team uses Airflow for all of their stuff", "…, that's their setup"
fn is_somebody_elses(sentence: &Sentence<'_>) -> bool {
    is_of_another_team(&sentence.words) || any_of(NOT_OURS, &sentence.words)
}

fn is_of_another_team(words: &[Word]) -> bool {
    let is_team = |word: &Word| is_one_of("team|guys|folks|squad|department", &word.text);
    let named = words
        .iter()
        .take(4)
        .position(is_team)
        .filter(|_| words.first().is_some_and(|word| word.text == "the"));
    named.is_some_and(|at| {
        any_of("their own|their stuff|their things|all of their|their projects|their repo", &words[at..])
    })
}

const PASSING: &str = "for now|just this once|this once|this time|temporarily|temporary|until|today|tonight|tomorrow|\
    right now|at the moment|for the moment|currently|one-off|in this session|for this session|\
    this session|for this pr|for this branch|for this commit|for this task|for this experiment|\
    for the demo|for this one|only this|quick and dirty|meanwhile|for a while|this week|\
    this sprint|throw it away|as a workaround";

fn passes(sentence: &Sentence<'_>) -> bool {
    any_of(PASSING, &sentence.words) && !holds_from_then(&sentence.words)
        || tells_whereabouts(sentence)
        || is_undone(&sentence.words)
}

const UNDOING: &str = "while we debug|while i debug|while you debug|while debugging|while we're debugging|while i'm debugging|\
    then take it out|then remove it|then delete it|then revert it|take it out again|remove it again|remove it afterwards|\
    remove it after|revert it afterwards|take it out afterwards|while you do that|while you do this|while you're doing that|\
    while doing that|while doing this|while you're at it|during this refactoring";

/// "print the payload while we debug this, then take it out"
fn is_undone(words: &[Word]) -> bool {
    any_of(UNDOING, words)
}

const WHEREABOUTS: &str = "train|bus|tram|plane|ferry|car|road|way|phone|mobile|call|meeting|lunch|airport|home|hotel|bed|sofa|\
    holiday|vacation|leave";

/// "I'm on the train, the connection drops every few minutes", but "I'm on the payments team".
fn tells_whereabouts(sentence: &Sentence<'_>) -> bool {
    let is_somewhere = |word: &Word| is_one_of(WHEREABOUTS, &word.text);
    sentence.starts_any(&["i'm on", "i'm in", "i'm at", "i am on", "i am in", "i am at"])
        && sentence.words.iter().take(5).any(is_somewhere)
}

const OF_THE_DAY: [&str; 11] = [
    "today",
    "tonight",
    "tomorrow",
    "right now",
    "at the moment",
    "for the moment",
    "currently",
    "for now",
    "this week",
    "this sprint",
    "temporarily",
];
const CHANGED: &str = "now|new|moved|changed|switched|replaced|swapped|migrated|renamed|became|become|decided|voted|merged|from|\
    since|as of|starting|effective";

/// "Today the API runs on port 9000" is of that day, however it is worded; "today we moved the API to port 9000" is not.
fn is_of_the_day(sentence: &Sentence<'_>) -> bool {
    let words = &sentence.words;
    // The "now" of "for now" is no change.
    let beside = |phrase: &&str| {
        let count = phrase.split(' ').count();
        let before = words.len().saturating_sub(count);
        let rest = [(0, words.get(count..)), (before, words.get(..before))];
        rest.into_iter().find_map(|(at, rest)| starts(&words[at..], phrase).then_some(rest?))
    };
    OF_THE_DAY.iter().find_map(beside).is_some_and(|rest| !any_of(CHANGED, rest))
}

/// "from this week on", "as of today", "as from tomorrow", "starting tomorrow": a beginning without an end.
fn holds_from_then(words: &[Word]) -> bool {
    let from = find(words, "from").is_some_and(|at| {
        words[at..].iter().take(5).any(|word| matches!(word.text.as_str(), "on" | "onward" | "onwards"))
    });
    from || ["as of", "as from", "from today", "from tomorrow", "starting", "since"]
        .iter()
        .any(|begin| find(words, begin).is_some())
}

const PAST: &str = "used to|yesterday|last week|last month|last year|last time|previously|there was a time|in the past|\
    we tried|i tried|i already|i ran|i was|we were|we talked|we discussed|i had|we had talked|i changed|\
    i installed|i used|i've been|i merged|we merged|i forgot|back when|i told|went out|\
    never had|i deployed|i pushed|i set|i added|it was|never worked|never got";

const LONG_AGO: &str = "before my time|there was a time when|we had a time when|had a time when|nobody remembers why|back in the day";

/// "before my time we deployed with Capistrano": however surely it is worded, it is over.
fn is_long_ago(words: &[Word]) -> bool {
    any_of(LONG_AGO, words)
}

const CHANGED_TO: &str = "upgraded to|moved to|migrated to|switched to|renamed to|bumped to|changed to|raised to|lowered to|\
    updated to|downgraded to";

/// "…, we had two deadlocks because of that" is a reason that happened, not the statement.
fn tells_the_past(sentence: &Sentence<'_>) -> bool {
    let clause = sentence.words.iter().position(|word| word.then.is_some());
    let first = &sentence.words[..clause.map_or(sentence.words.len(), |end| end + 1)];
    let holds_since = ["since last", "since yesterday"].iter().any(|since| find(first, since).is_some());
    // "Django got upgraded to 5.2 yesterday": the day is over, and the change is not.
    let changed = any_of(CHANGED_TO, first);
    let is_past = |phrase: &&str| {
        find(first, phrase).is_some()
            && !(changed && matches!(*phrase, "yesterday" | "last week" | "we were"))
    };
    is_long_ago(&sentence.words) || !holds_since && PAST.split('|').any(|phrase| is_past(&phrase))
}

const PLACES: &str = "function|file|line|method|class|loop|test|view|page|component|button|form|table|query|endpoint|pr|\
    branch|commit|experiment|slide|block|case|one|request|field|variable|script|module|test|screen|\
    modal|dialog|header|issue|task|ticket|bug|handler|hook|snippet|section";

/// About one place in the code: "in this function", "on this page", "line 40", "here" without "we".
pub(super) fn is_local(sentence: &Sentence<'_>) -> bool {
    let words = &sentence.words;
    let pointed = words.windows(2).any(|pair| {
        matches!(pair[0].text.as_str(), "this" | "that" | "these" | "those")
            && is_one_of(PLACES, &pair[1].text)
    });
    let numbered = words
        .windows(2)
        .any(|pair| pair[0].text == "line" && pair[1].text.starts_with(|c: char| c.is_ascii_digit()));
    let here = sentence.has("here") && !sentence.has_any(&["we", "our", "around here", "in here"]);
    pointed
        || numbered
        || here
        || sentence.has_any(&["in there", "over there", "the previous", "the other one"])
}

const SYMPTOMS: &str = "crash|crashes|crashed|crashing|hangs|hang|freezes|broken|breaks again|is down|is red|blank|\
    that's a bug|is a bug|the bug|again and again|doesn't work|not working|isn't working|\
    stopped working|complain|complains|annoying|returns 4|returns 5|502|503|500|403|404|timeout of|\
    already in use|is failing|are failing|fails on|keeps|never finishes|never reaches|since yesterday|\
    since the last|since the upgrade|is missing|that's why|weird|too long|too slow|way too|\
    something is off|can't reach|even though|wrong|always fails|always crashes|i always get|\
    i keep getting|is broken|off by|now and then|once in a while|from time to time|\
    sometimes|occasionally|intermittently|sporadically|at random";

/// What is wrong, as one reports it to have it put right.
pub(super) fn is_symptom(sentence: &Sentence<'_>) -> bool {
    any_of(SYMPTOMS, &sentence.words) || is_bug_report(sentence)
}

const MISFORTUNES: &str = "sees an empty|see an empty|gets an empty|get an empty|sees a blank|see a blank|gets a blank|get a blank|\
    sees a white|see a white|gets a white|get a white|nothing happens|gets stuck|get stuck";

/// "When the provider times out the customer sees an empty page": however surely it is worded, it is to be put right.
fn is_bug_report(sentence: &Sentence<'_>) -> bool {
    sentence.starts_any(&["when", "whenever", "if", "as soon as"]) && any_of(MISFORTUNES, &sentence.words)
}

const POINTING: &str = "it|that|this|these|those|them|one|ones|so|same|first|second|third|other|latter|former|yours|way|\
    thing|stuff|like";
const FILL: &str = "the|a|an|to|do|use|always|never|here|of|in|for|with|on|at|be|is|was|before|better|version|way|\
    option|approach|suggestion|idea|not|don't|against|go|again|please|we|i|you|and|again,|now|then|\
    anymore|instead|your|my|every|each|time|everytime";

/// Words that name nothing: "it the way it was before".
pub(super) fn is_unresolved(object: &[Word]) -> bool {
    let empty = |word: &Word| {
        let text = word.text.as_str();
        is_one_of(POINTING, text) || is_one_of(FILL, text) || text.is_empty()
    };
    object.iter().all(empty)
}

const ANSWERS: &str = "answers|replies|responses|summaries|explanations|messages|commits|comments|plans|reports|reviews|names|sentences";

/// The object begins by pointing: "use that in …", "this config".
pub(super) fn points(object: &[Word]) -> bool {
    let first = object.first().map_or("", |word| word.text.as_str());
    let second = object.get(1).map_or("", |word| word.text.as_str());
    let pronoun = matches!(first, "it" | "this" | "these" | "those" | "them" | "that" | "your" | "option");
    // "the last two versions" points at nothing that was said before.
    let ordinal = object.len() < 5
        && matches!(second, "first" | "second" | "third" | "other" | "same" | "one" | "previous" | "last");
    // "Your answers in English" are all that there will be.
    let pronoun = pronoun && !(first == "your" && is_one_of(ANSWERS, second));
    pronoun || (first == "the" && ordinal) || matches!(first, "another" | "different" | "option")
}

const ORDERS: &str = "implement|please implement|please add|please adjust|please fix|add that|fix it|fix that|fix this|\
    write a test|please check|please review|please change|adjust the|and fix|translate|make it|\
    that's what i want|that's how it should|can you|could you";
const INQUIRIES: [&str; 5] = ["find out", "look into", "investigate", "figure out", "track down"];

/// The sentence, or the next one, says what to do about it: a wish for the product, not a custom of the project.
pub(super) fn is_ordered(sentence: &Sentence<'_>) -> bool {
    let next = sentence.next.map(super::sentence::words).unwrap_or_default();
    let to_write = [
        "write in",
        "write that",
        "mention that",
        "state that",
        "document that",
        "say that",
        "add that",
        "now the same",
        "the same for",
        "now do",
    ];
    sentence.starts_any(&to_write)
        || any_of(ORDERS, &sentence.words)
        || ORDERS.split('|').any(|phrase| starts(&next, phrase) && !phrase.starts_with('c'))
        || INQUIRIES.iter().any(|phrase| starts(&next, phrase))
}

/// Whether one of the phrases, parted by bars, stands among the words.
fn any_of(phrases: &str, words: &[Word]) -> bool {
    phrases.split('|').any(|phrase| find(words, phrase).is_some())
}

fn is_one_of(list: &str, word: &str) -> bool {
    list.split('|').any(|known| known == word)
}
