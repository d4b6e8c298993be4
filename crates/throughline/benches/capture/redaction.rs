//! Taking secrets out.

use throughline_engine::capture::redact;

use crate::corpus::corpus;
use crate::measure::{Cost, Target, median, print, row, verdict};

const PASSES: usize = 3;

pub(crate) fn speed() -> String {
    let (source, corpus) = corpus();
    let megabytes = corpus.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    let mut found = 0;
    let passes = (0..PASSES).map(|_| {
        let cost = Cost::of(|| found = corpus.iter().map(|text| redact::text(text).count).sum::<u32>());
        megabytes / cost.cpu_s
    });
    let speed = median(passes.collect());
    print(&[String::new(), format!("redaction, median of {PASSES} passes")]);
    print(&[row(
        source,
        &format!("{speed:.0}"),
        &format!("MB per CPU second; {megabytes:.0} MB in {} files, {found} redactions", corpus.len()),
    )]);
    verdict("redaction, MB per CPU second", speed, Target::AtLeast(100.0))
}
