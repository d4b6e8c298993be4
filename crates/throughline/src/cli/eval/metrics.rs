//! What a ranked answer is worth against the turns and sessions that hold the answer.

use serde::Serialize;

/// Means over questions, in percent.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Figures {
    pub(super) questions: usize,
    pub(super) turn_recall_5: f64,
    pub(super) turn_recall_10: f64,
    pub(super) turn_recall_20: f64,
    pub(super) turn_any_10: f64,
    pub(super) ndcg_10: f64,
    pub(super) session_recall_5: f64,
    pub(super) session_recall_10: f64,
    pub(super) session_recall_20: f64,
    pub(super) session_any_5: f64,
    pub(super) session_any_10: f64,
    /// Tokens of the ten best turns.
    pub(super) tokens: f64,
    /// Milliseconds for one question.
    pub(super) milliseconds: f64,
}

/// One question's answer: turns and sessions, the best first, and those that hold the answer.
#[derive(Debug)]
pub(super) struct Answered<'a> {
    pub(super) turns: Vec<&'a str>,
    pub(super) sessions: Vec<&'a str>,
    pub(super) gold_turns: &'a [String],
    pub(super) gold_sessions: &'a [String],
    pub(super) tokens: u64,
    pub(super) milliseconds: f64,
}

impl Figures {
    pub(super) fn of<'a, 'b: 'a>(answers: impl Iterator<Item = &'a Answered<'b>>) -> Figures {
        let mut sum = Figures::default();
        for answer in answers {
            sum.add(answer);
        }
        sum.mean()
    }

    fn add(&mut self, answer: &Answered<'_>) {
        let turns = |k| recall(&answer.turns, answer.gold_turns, k);
        let sessions = |k| recall(&answer.sessions, answer.gold_sessions, k);
        self.questions += 1;
        self.turn_recall_5 += turns(5);
        self.turn_recall_10 += turns(10);
        self.turn_recall_20 += turns(20);
        self.turn_any_10 += any(turns(10));
        self.ndcg_10 += ndcg(&answer.turns, answer.gold_turns, 10);
        self.session_recall_5 += sessions(5);
        self.session_recall_10 += sessions(10);
        self.session_recall_20 += sessions(20);
        self.session_any_5 += any(sessions(5));
        self.session_any_10 += any(sessions(10));
        self.tokens += answer.tokens as f64;
        self.milliseconds += answer.milliseconds;
    }

    fn mean(mut self) -> Figures {
        let count = self.questions.max(1) as f64;
        for share in [
            &mut self.turn_recall_5,
            &mut self.turn_recall_10,
            &mut self.turn_recall_20,
            &mut self.turn_any_10,
            &mut self.ndcg_10,
            &mut self.session_recall_5,
            &mut self.session_recall_10,
            &mut self.session_recall_20,
            &mut self.session_any_5,
            &mut self.session_any_10,
        ] {
            *share = (*share / count * 1000.0).round() / 10.0;
        }
        self.tokens = (self.tokens / count).round();
        self.milliseconds = (self.milliseconds / count * 100.0).round() / 100.0;
        self
    }
}

/// The share of what was wanted that is among the first `k`.
fn recall(ranked: &[&str], gold: &[String], k: usize) -> f64 {
    let found = gold.iter().filter(|key| ranked.iter().take(k).any(|ranked| ranked == key)).count();
    found as f64 / gold.len() as f64
}

fn any(recall: f64) -> f64 {
    f64::from(u8::from(recall > 0.0))
}

fn ndcg(ranked: &[&str], gold: &[String], k: usize) -> f64 {
    let gain = |place: usize| 1.0 / (place as f64 + 2.0).log2();
    let is_gold = |(_, key): &(usize, &&str)| gold.iter().any(|gold| gold == *key);
    let got: f64 = ranked.iter().take(k).enumerate().filter(is_gold).map(|(place, _)| gain(place)).sum();
    let best: f64 = (0..gold.len().min(k)).map(gain).sum();
    got / best
}

#[cfg(test)]
mod tests {
    use super::{ndcg, recall};

    #[test]
    fn recall_and_gain_are_as_defined() {
        let gold = ["a".to_owned(), "b".to_owned()];
        assert_eq!(recall(&["x", "a", "b"], &gold, 2), 0.5);
        assert_eq!(ndcg(&["a", "b"], &gold, 10), 1.0);
        assert!((ndcg(&["x", "a"], &gold, 10) - 0.6309 / 1.6309).abs() < 1e-3);
    }
}
