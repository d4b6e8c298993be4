//! Words and meaning of chunks, and of the files they are in, become one order.
//!
//! A commit message and a question of two words differ too much in what a match could score; so each part is taken as a
//! share of the best one, and the whole keeps the absolute relevance of its best, by which nothing is told to be relevant
//! where nothing is.

use std::collections::HashMap;

use super::super::fuse::Candidate;
use super::Signals;

/// How much meaning counts beside words, in chunks and in files. Measured with `eval commits`, like the rest.
const MEANING_OF_CHUNK: f64 = 0.3;
const MEANING_OF_FILE: f64 = 0.3;
/// What is so near as a share of the nearest is not near at all: most of a project means something alike.
const FAR: f64 = 0.5;
/// How much the file counts beside the chunk.
const FILE: f64 = 0.5;
/// What the next best chunks of the file add, and how many of them.
const BESIDE: f64 = 0.15;
const NEXT_BEST: usize = 3;

/// The best words and the nearest meaning among candidates.
#[derive(Debug, Clone, Copy)]
struct Best {
    words: f64,
    meaning: f64,
}

/// Gives every chunk its place: by itself, by its file, and by what else of the file matches.
pub(super) fn mix<'a>(
    candidates: &mut [Candidate],
    of_file: impl Fn(&Candidate) -> Option<(i64, Option<&'a Candidate>)>,
) {
    let files: HashMap<i64, &Candidate> =
        candidates.iter().filter_map(&of_file).filter_map(|(number, file)| Some((number, file?))).collect();
    let best_chunk = Best::of(candidates.iter());
    let best_file = Best::of(files.values().copied());
    let mut absolute: f64 = 0.0;
    let mut shares: Vec<(f64, f64)> = vec![];
    let mut by_file: HashMap<i64, Vec<f64>> = HashMap::new();
    for candidate in candidates.iter() {
        let file = of_file(candidate);
        let chunk = best_chunk.share(candidate, MEANING_OF_CHUNK);
        let of_its_file =
            file.and_then(|(_, file)| file).map_or(0.0, |file| best_file.share(file, MEANING_OF_FILE));
        let whole = file.and_then(|(_, file)| file).map_or(0.0, |file| file.relevance);
        absolute = absolute.max((1.0 - FILE) * candidate.relevance + FILE * whole);
        shares.push((chunk, of_its_file));
        if let Some((number, _)) = file {
            by_file.entry(number).or_default().push(chunk);
        }
    }
    for of_one in by_file.values_mut() {
        of_one.sort_by(|a, b| b.total_cmp(a));
    }
    let beside = |candidate: &Candidate| {
        let all = of_file(candidate).and_then(|(number, _)| by_file.get(&number));
        all.map_or(0.0, |all| all.iter().skip(1).take(NEXT_BEST).sum::<f64>() / NEXT_BEST as f64)
    };
    let mut best: f64 = f64::MIN_POSITIVE;
    for (candidate, (chunk, file)) in candidates.iter_mut().zip(&shares) {
        let mixed = (1.0 - FILE) * chunk + FILE * file + BESIDE * beside(candidate);
        candidate.code = Some(Signals { chunk: *chunk, file: *file, ..Signals::default() });
        candidate.relevance = mixed;
        best = best.max(mixed);
    }
    for candidate in candidates.iter_mut() {
        candidate.relevance *= absolute / best;
    }
}

impl Best {
    fn of<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> Best {
        let mut best = Best { words: f64::MIN_POSITIVE, meaning: f64::MIN_POSITIVE };
        for candidate in candidates {
            best.words = best.words.max(f64::from(candidate.lexical));
            best.meaning = best.meaning.max(nearness(candidate));
        }
        best
    }

    fn share(self, candidate: &Candidate, meaning: f64) -> f64 {
        let words = f64::from(candidate.lexical) / self.words;
        let near = (nearness(candidate) / self.meaning - FAR).max(0.0) / (1.0 - FAR);
        (1.0 - meaning) * words + meaning * near
    }
}

fn nearness(candidate: &Candidate) -> f64 {
    candidate.near.map_or(0.0, |near| f64::from(near.nearness()))
}
