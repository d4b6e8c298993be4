//! What capturing costs: a cold `log append`, hooks on a large store, appends in one process, and taking secrets out. In
//! CPU time, which other work on the machine changes little. `cargo bench -p throughline --bench capture`

mod cold;
mod corpus;
mod hook;
mod measure;
mod redaction;
mod warm;

use measure::print;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut verdicts = vec![cold::append(&folder)];
    verdicts.extend(hook::calls(&folder));
    verdicts.extend([warm::append(&folder), redaction::speed()]);
    print(&[String::new()]);
    print(&verdicts);
}
