//! Values of closed sets on the command line.

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Lists the values of a closed set in the help and in the error for an unknown one.
pub(super) fn one_of<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = String> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).map(|text| text.parse::<T>().expect("one of the possible values"))
}
