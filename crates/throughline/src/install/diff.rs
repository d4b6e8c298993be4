//! What a change does to a text, as a unified diff.

const CONTEXT: usize = 3;
/// Past this many comparisons the changed part is shown whole.
const COMPARED_AT_MOST: usize = 4_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Both,
    Old,
    New,
}

/// Empty where both say the same.
pub(super) fn unified(path: &str, old: Option<&str>, new: Option<&str>) -> String {
    let name = |text: Option<&str>, prefix: &str| match text {
        Some(_) => format!("{prefix}/{}", path.trim_start_matches('/')),
        None => "/dev/null".to_owned(),
    };
    let lines = |text: Option<&'_ str>| -> Vec<String> {
        text.unwrap_or_default().split_inclusive('\n').map(str::to_owned).collect()
    };
    let (before, after) = (lines(old), lines(new));
    let script = compared(&before, &after);
    let mut out = String::new();
    for (start, end) in hunks(&script) {
        out.push_str(&hunk(&script, start, end));
    }
    match out.is_empty() {
        true => out,
        false => format!("--- {}\n+++ {}\n{out}", name(old, "a"), name(new, "b")),
    }
}

/// Every line of both, in order.
fn compared<'t>(old: &'t [String], new: &'t [String]) -> Vec<(Side, &'t str)> {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_middle, new_middle) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut script: Vec<(Side, &str)> = old[..head].iter().map(|line| (Side::Both, line.as_str())).collect();
    script.extend(middle(old_middle, new_middle));
    script.extend(old[old.len() - tail..].iter().map(|line| (Side::Both, line.as_str())));
    script
}

/// By the longest common subsequence.
fn middle<'t>(old: &'t [String], new: &'t [String]) -> Vec<(Side, &'t str)> {
    let width = new.len() + 1;
    if (old.len() + 1).saturating_mul(width) > COMPARED_AT_MOST {
        let gone = old.iter().map(|line| (Side::Old, line.as_str()));
        return gone.chain(new.iter().map(|line| (Side::New, line.as_str()))).collect();
    }
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for (i, line) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            common[i * width + j] = match line == other {
                true => common[(i + 1) * width + j + 1] + 1,
                false => common[(i + 1) * width + j].max(common[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut script = Vec::new();
    while i < old.len() || j < new.len() {
        let take_old =
            i < old.len() && (j == new.len() || common[(i + 1) * width + j] >= common[i * width + j + 1]);
        if i < old.len() && j < new.len() && old[i] == new[j] {
            script.push((Side::Both, old[i].as_str()));
            (i, j) = (i + 1, j + 1);
        } else if take_old {
            script.push((Side::Old, old[i].as_str()));
            i += 1;
        } else {
            script.push((Side::New, new[j].as_str()));
            j += 1;
        }
    }
    script
}

/// The parts to show: changes with a few lines around them.
fn hunks(script: &[(Side, &str)]) -> Vec<(usize, usize)> {
    let mut hunks: Vec<(usize, usize)> = Vec::new();
    for (at, _) in script.iter().enumerate().filter(|(_, (side, _))| *side != Side::Both) {
        let (start, end) = (at.saturating_sub(CONTEXT), (at + CONTEXT + 1).min(script.len()));
        match hunks.last_mut() {
            Some((_, last)) if start <= *last => *last = end,
            _ => hunks.push((start, end)),
        }
    }
    hunks
}

fn hunk(script: &[(Side, &str)], start: usize, end: usize) -> String {
    let count = |part: &[(Side, &str)], without: Side| part.iter().filter(|(s, _)| *s != without).count();
    let place = |without: Side| {
        let (before, inside) = (count(&script[..start], without), count(&script[start..end], without));
        format!("{},{inside}", if inside == 0 { before } else { before + 1 })
    };
    let mut out = format!("@@ -{} +{} @@\n", place(Side::New), place(Side::Old));
    for (side, line) in &script[start..end] {
        let sign = match side {
            Side::Both => ' ',
            Side::Old => '-',
            Side::New => '+',
        };
        out.push_str(&format!("{sign}{}\n", line.trim_end_matches(['\r', '\n'])));
        if !line.ends_with('\n') {
            out.push_str("\\ No newline at end of file\n");
        }
    }
    out
}

#[cfg(test)]
mod tests;
