//! How much is measured, said the same way for everything.

use std::path::PathBuf;

#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct Amount {
    /// How many there are; may be given several times, or several with commas
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1_000, 10_000],
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(100..=10_000_000))]
    pub(super) sizes: Vec<usize>,
    /// How often each thing is done at each size
    #[arg(long, value_name = "N", default_value_t = 200,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=100_000))]
    pub(super) times: usize,
    /// Keep the database in this folder, to be used as THROUGHLINE_HOME afterwards
    #[arg(long, value_name = "FOLDER")]
    pub(super) keep: Option<PathBuf>,
}

impl Amount {
    /// From the smallest on, since each goes on with what the one before has made.
    pub(super) fn growing(&self) -> Vec<usize> {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// Does one thing as often as asked for.
    pub(super) fn repeat<T>(&self, work: impl FnMut() -> anyhow::Result<T>) -> anyhow::Result<Vec<T>> {
        std::iter::repeat_with(work).take(self.times).collect()
    }
}
