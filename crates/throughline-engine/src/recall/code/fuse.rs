//! Words and meaning of chunks, and of the files they are in, become one order.
//!
//! A commit message and a question of two words differ too much in what a match could score; so each part is taken as a
//! share of the best one, and the whole keeps the absolute relevance of its best, by which nothing is told to be relevant
//! where nothing is. The words of a chunk count one, and what else counts is added to them: what is multiplied makes
//! the strong stronger, and a file that everything else speaks for stays below one that has a rare word.

use std::collections::HashMap;

use super::super::fuse::Candidate;
use super::super::query::By;
use super::Signals;

/// What counts how much beside the words of a chunk, which count one.
#[derive(Debug, Clone, Copy)]
struct Counts {
    meaning_of_chunk: f64,
    meaning_of_file: f64,
    /// The words and the meaning of the file.
    file: f64,
    /// What the next best chunks of the file have.
    beside: f64,
}

/// Measured with `eval commits`, like the rest: what a file is about says more than what a single chunk is near to.
const BOTH: Counts = Counts { meaning_of_chunk: 0.15, meaning_of_file: 0.35, file: 0.85, beside: 0.5 };
/// Words alone and meaning alone, as they were measured to do best.
const ALONE: Counts = Counts { meaning_of_chunk: 1.0, meaning_of_file: 1.0, file: 1.0, beside: 0.3 };
/// What is so near as a share of the nearest is not near at all: most of a project means something alike.
const FAR: f64 = 0.5;
/// So many of the next best chunks of a file.
const NEXT_BEST: usize = 3;

/// The best words and the nearest meaning among candidates.
#[derive(Debug, Clone, Copy)]
struct Best {
    words: f64,
    meaning: f64,
    by: By,
}

/// Gives every chunk its place: by itself, by its file, and by what else of the file matches. Tells how relevant the best
/// of them is.
pub(super) fn mix<'a>(
    candidates: &mut [Candidate],
    by: By,
    of_file: impl Fn(&Candidate) -> Option<(i64, Option<&'a Candidate>)>,
) -> f64 {
    let counts = if by == By::WordsAndMeaning { BOTH } else { ALONE };
    let files: HashMap<i64, &Candidate> =
        candidates.iter().filter_map(&of_file).filter_map(|(number, file)| Some((number, file?))).collect();
    let best_chunk = Best::of(candidates.iter(), by);
    let best_file = Best::of(files.values().copied(), by);
    let mut absolute: f64 = 0.0;
    let mut by_file: HashMap<i64, Vec<f64>> = HashMap::new();
    for candidate in candidates.iter() {
        let Some((number, file)) = of_file(candidate) else { continue };
        let whole = file.map_or(0.0, |file| file.relevance);
        absolute = absolute.max(f64::midpoint(candidate.relevance, whole));
        by_file.entry(number).or_default().push(best_chunk.share(candidate, 0.0));
    }
    for of_one in by_file.values_mut() {
        of_one.sort_by(|a, b| b.total_cmp(a));
    }
    let beside = |number: i64| {
        let all = by_file.get(&number);
        all.map_or(0.0, |all| all.iter().skip(1).take(NEXT_BEST).sum::<f64>() / NEXT_BEST as f64)
    };
    for candidate in candidates.iter_mut() {
        let chunk = best_chunk.share(candidate, counts.meaning_of_chunk);
        let (beside, file) = of_file(candidate).map_or((0.0, None), |(number, file)| (beside(number), file));
        let file = file.map_or(0.0, |file| best_file.share(file, counts.meaning_of_file));
        candidate.relevance = chunk + counts.file * file + counts.beside * beside;
        let most = |meaning: f64| if by == By::WordsAndMeaning { 1.0 + meaning } else { 1.0 };
        let (chunk, file) = (chunk / most(counts.meaning_of_chunk), file / most(counts.meaning_of_file));
        candidate.code = Some(Signals { chunk, file, ..Signals::default() });
    }
    absolute
}

/// Sums become relevances again: the best has what the best was found to have.
pub(super) fn settle(candidates: &mut [Candidate], absolute: f64) {
    let best = candidates.iter().map(|candidate| candidate.relevance).fold(f64::MIN_POSITIVE, f64::max);
    for candidate in candidates {
        candidate.relevance *= absolute / best;
    }
}

impl Best {
    fn of<'a>(candidates: impl Iterator<Item = &'a Candidate>, by: By) -> Best {
        let mut best = Best { words: f64::MIN_POSITIVE, meaning: f64::MIN_POSITIVE, by };
        for candidate in candidates {
            best.words = best.words.max(f64::from(candidate.lexical));
            best.meaning = best.meaning.max(nearness(candidate));
        }
        best
    }

    fn share(self, candidate: &Candidate, meaning: f64) -> f64 {
        let words = f64::from(candidate.lexical) / self.words;
        let near = (nearness(candidate) / self.meaning - FAR).max(0.0) / (1.0 - FAR);
        match self.by {
            By::WordsAndMeaning => words + meaning * near,
            By::Words => words,
            By::Meaning => near,
        }
    }
}

fn nearness(candidate: &Candidate) -> f64 {
    candidate.near.map_or(0.0, |near| f64::from(near.nearness()))
}
