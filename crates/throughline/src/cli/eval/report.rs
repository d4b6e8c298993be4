//! The table at the end of an evaluation.

use std::collections::BTreeSet;

use serde::Serialize;

use super::super::output::table;
use super::Haystack;
use super::ask::Measured;
use super::metrics::Figures;

#[derive(Debug, Serialize)]
pub(super) struct Report {
    set: &'static str,
    haystacks: usize,
    sessions: usize,
    turns: usize,
    database: String,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    method: String,
    questions_of: String,
    #[serde(flatten)]
    figures: Figures,
}

impl Report {
    pub(super) fn new(set: &'static str, haystacks: &[Haystack], measured: Measured<'_>) -> Report {
        let groups: BTreeSet<&str> =
            haystacks.iter().flat_map(|h| &h.questions).map(|question| question.group.as_str()).collect();
        let mut rows = vec![];
        for method in &measured.methods {
            let mut row = |questions_of: &str, figures: Figures| {
                if figures.questions > 0 {
                    rows.push(Row {
                        method: method.name.clone(),
                        questions_of: questions_of.to_owned(),
                        figures,
                    });
                }
            };
            let of = |keep: &dyn Fn(&super::Question) -> bool| {
                Figures::of(
                    method.answers.iter().filter(|(question, _)| keep(question)).map(|(_, answer)| answer),
                )
            };
            if haystacks.iter().flat_map(|h| &h.questions).any(|question| !question.headline) {
                row("categories 1-4", of(&|question| question.headline));
            }
            row("all", of(&|_| true));
            for group in &groups {
                row(group, of(&|question| question.group == *group));
            }
        }
        Report {
            set,
            haystacks: haystacks.len(),
            sessions: haystacks.iter().map(|haystack| haystack.sessions.len()).sum(),
            turns: haystacks.iter().flat_map(|h| &h.sessions).map(|session| session.turns.len()).sum(),
            database: measured.database,
            rows,
        }
    }

    pub(super) fn text(&self) -> String {
        let header = [
            "method",
            "questions",
            "n",
            "turn r@5",
            "r@10",
            "r@20",
            "any@10",
            "ndcg@10",
            "session r@5",
            "r@10",
            "r@20",
            "any@5",
            "any@10",
            "tokens",
            "ms",
        ];
        let rows = self.rows.iter().map(|row| {
            let f = &row.figures;
            let shares = [
                f.turn_recall_5,
                f.turn_recall_10,
                f.turn_recall_20,
                f.turn_any_10,
                f.ndcg_10,
                f.session_recall_5,
                f.session_recall_10,
                f.session_recall_20,
                f.session_any_5,
                f.session_any_10,
            ];
            let mut cells = vec![row.method.clone(), row.questions_of.clone(), f.questions.to_string()];
            cells.extend(shares.map(|share| format!("{share:.1}")));
            cells.extend([format!("{:.0}", f.tokens), format!("{:.2}", f.milliseconds)]);
            cells
        });
        format!(
            "{}: {} haystacks, {} sessions, {} turns, on {}\n{}",
            self.set,
            self.haystacks,
            self.sessions,
            self.turns,
            self.database,
            table(&header, rows)
        )
    }
}
