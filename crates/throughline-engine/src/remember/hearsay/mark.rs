//! What is kept of a sentence so that it is known again when somebody repeats it, also with other words around it: a few bits
//! of each of its stems, which do not tell what they were.

use crate::index::terms::{Sort, term_id, terms};
use crate::words::is_in;

/// Bits of a stem: many words share them, so that nobody reads the sentence from its mark.
const BITS: u64 = 0xfff;
const DIGITS: usize = 3;
/// A longer sentence has several marks, each of so many stems, the next from the middle of the one before.
const STEMS: usize = 24;
/// Fewer stems anybody may have in common.
const TELLING: usize = 2;
/// So much of what is said again was said.
const MOST: f64 = 0.75;
/// Who says so few stems has not left out most of a long sentence.
const FEW: usize = 3;
const OF_FEW: usize = 3;

/// Words that say how something is told, and not what.
const FRAMING: &str = "always never must shall should please important note notice warning system todo policy rule rules user users team \
    prefer prefers preferred preference want wants wanted decision decide decided decides agree agreed agrees required require requires \
    allowed permitted fine ok okay acceptable may will ensure sure remember don dont doesn doesnt isn isnt won need needs needed now not \
    no longer more anymore";

/// The stems of a sentence that tell something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark(Vec<u16>);

impl Mark {
    pub(super) fn all_of(sentence: &str) -> Vec<Mark> {
        Mark::all_but(sentence, |_| false)
    }

    /// The same without some words.
    pub(super) fn all_but(sentence: &str, is_left_out: impl Fn(&str) -> bool) -> Vec<Mark> {
        let mut stems: Vec<u16> = vec![];
        terms(sentence, |term| {
            let stem = (term.id & BITS) as u16;
            let is_framing = is_in(FRAMING, &term.word) || is_left_out(&term.word);
            let tells = matches!(term.sort, Sort::Word | Sort::Sign) && !is_framing;
            if tells && !stems.contains(&stem) {
                stems.push(stem);
            }
        });
        let starts = (0..stems.len()).step_by(STEMS / 2);
        let starts = starts.filter(|start| *start == 0 || start + STEMS / 2 < stems.len());
        let marks = starts.map(|start| Mark(stems[start..stems.len().min(start + STEMS)].to_vec()));
        marks.filter(|mark| mark.0.len() >= TELLING).collect()
    }

    /// Of a name that is known again only as a whole.
    pub(super) fn of_name(name: &str) -> Mark {
        let id = term_id(name);
        Mark(vec![(id & BITS) as u16, (id >> BITS.count_ones() & BITS) as u16])
    }

    pub(super) fn written(&self) -> String {
        self.0.iter().map(|stem| format!("{stem:03x}")).collect()
    }

    /// Nothing where it is no mark.
    pub(super) fn read(text: &str) -> Option<Mark> {
        let digits = text.as_bytes().chunks(DIGITS);
        let stems = digits.map(|stem| u16::from_str_radix(std::str::from_utf8(stem).ok()?, 16).ok());
        stems.collect::<Option<Vec<u16>>>().map(Mark)
    }

    /// Whether what it is of says most of what another says.
    pub(super) fn says(&self, other: &Mark) -> bool {
        let shared = other.0.iter().filter(|stem| self.0.contains(stem)).count();
        let is_a_scrap = other.0.len() <= FEW && shared * OF_FEW < self.0.len();
        shared >= TELLING && shared as f64 >= MOST * other.0.len() as f64 && !is_a_scrap
    }

    /// Whether both say the same stems.
    pub(super) fn is(&self, other: &Mark) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|stem| other.0.contains(stem))
    }
}
