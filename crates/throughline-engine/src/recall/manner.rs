//! How a question is asked, as far as that says where its answer is: what an agent said stands in other events than what
//! people say, and the words that ask for advice are not what it is about.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::index::terms::{TermId, stem_id};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Manner {
    for_advice: bool,
    /// "remind me what you suggested"
    for_what_was_said: bool,
}

/// What a word counts that says how a question is asked rather than what about.
const FRAMING: f32 = 0.5;

impl Manner {
    pub(super) fn of(question: &str) -> Manner {
        let words: Vec<String> = question
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let says = |phrase: &&[&str]| words.windows(phrase.len()).any(|some| some == *phrase);
        Manner {
            for_advice: ASKING_FOR_ADVICE.iter().any(says),
            for_what_was_said: ASKING_WHAT_WAS_SAID.iter().any(says),
        }
    }

    /// How much of what it says by its rarity a word counts.
    pub(super) fn share(self, term: TermId) -> f32 {
        let frames = FRAMING_STEMS.contains(&term) || self.for_advice && ADVICE_STEMS.contains(&term);
        if frames { FRAMING } else { 1.0 }
    }

    pub(super) fn is_for_what_was_said(self) -> bool {
        self.for_what_was_said
    }
}

static FRAMING_STEMS: LazyLock<HashSet<TermId>> = LazyLock::new(|| stems(FRAMING_WORDS));
static ADVICE_STEMS: LazyLock<HashSet<TermId>> = LazyLock::new(|| stems(ADVICE_WORDS));

fn stems(words: &str) -> HashSet<TermId> {
    words.split_whitespace().map(stem_id).collect()
}

const FRAMING_WORDS: &str = "advice ago current date day kind last lately long many mention month much name number \
    often previous previously recent recently recommend recommendation remember remind sort suggest suggestion tell \
    time tip told total type week year";

/// What somebody says who asks for advice, whatever it is about.
const ADVICE_WORDS: &str = "think might want need like look try help please know wonder plan find interest consider \
    feel get going become start bit quite really something anything someone thing lot more most new good best better \
    great extra soon next tonight today again lately previous";

const ASKING_FOR_ADVICE: &[&[&str]] = &[
    &["advice"],
    &["advise"],
    &["idea"],
    &["ideas"],
    &["inspiration"],
    &["recommend"],
    &["recommendation"],
    &["recommendations"],
    &["should", "i"],
    &["should", "we"],
    &["suggest"],
    &["suggestion"],
    &["suggestions"],
    &["tip"],
    &["tips"],
    &["could", "i"],
    &["can", "i", "do"],
    &["do", "you", "think"],
    &["help", "me"],
];

const ASKING_WHAT_WAS_SAID: &[&[&str]] = &[
    &["remind", "me"],
    &["did", "you"],
    &["you", "advised"],
    &["you", "described"],
    &["you", "explained"],
    &["you", "gave"],
    &["you", "listed"],
    &["you", "mentioned"],
    &["you", "offered"],
    &["you", "proposed"],
    &["you", "provided"],
    &["you", "recommended"],
    &["you", "said"],
    &["you", "shared"],
    &["you", "showed"],
    &["you", "suggested"],
    &["you", "talked"],
    &["you", "told"],
    &["you", "wrote"],
    &["you'd", "recommended"],
    &["you'd", "suggested"],
    &["our", "chat"],
    &["our", "conversation"],
    &["our", "discussion"],
    &["our", "earlier"],
    &["our", "last"],
    &["our", "previous"],
    &["earlier", "conversation"],
    &["last", "conversation"],
    &["previous", "chat"],
    &["previous", "conversation"],
];

#[cfg(test)]
mod tests {
    use super::{FRAMING, Manner};
    use crate::index::terms::stem_id;

    #[test]
    fn who_asks_for_advice_is_not_asking_about_good_new_things() {
        let advice = Manner::of("Can you recommend a good library for queues?");
        let question = Manner::of("Which queue library is good?");
        assert_eq!((advice.share(stem_id("good")), question.share(stem_id("good"))), (FRAMING, 1.0));
        assert_eq!((advice.share(stem_id("queues")), question.share(stem_id("queue"))), (1.0, 1.0));
    }

    #[test]
    fn words_that_frame_a_question_do_so_in_every_form() {
        let manner = Manner::of("How many weeks did the migration take?");
        for word in ["week", "weeks", "mentions", "reminded", "recommendations"] {
            assert_eq!(manner.share(stem_id(word)), FRAMING, "{word}");
        }
    }

    #[test]
    fn what_an_agent_said_is_asked_for_in_these_ways() {
        for (question, expected) in [
            ("Remind me what the port was", true),
            ("What did you suggest for the cache?", true),
            ("In our previous chat there was a name", true),
            ("Which port did we choose?", false),
            ("What do you know about the cache?", false),
        ] {
            assert_eq!(Manner::of(question).is_for_what_was_said(), expected, "{question}");
        }
    }
}
