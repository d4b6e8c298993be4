//! What a text with comments says, and where it stops being JSON.

use anyhow::{Result, anyhow};
use jsonc_parser::ast::Value;
use jsonc_parser::errors::ParseError;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, ParseResult, parse_to_ast};
use serde_json::{Map, Value as Json};

/// Comments and trailing commas, and else nothing that JSON does not have: what a client would stumble over is to be
/// seen here.
pub(crate) fn parse(text: &str) -> Result<ParseResult<'_>> {
    parsed(text, &accepted()).map_err(|error| {
        anyhow!("line {}, column {}: {}", error.line_display(), error.column_display(), error.kind())
    })
}

/// Of a text that is otherwise fine.
pub(crate) fn has_trailing_comma(text: &str) -> bool {
    parsed(text, &ParseOptions { allow_trailing_commas: false, ..accepted() }).is_err()
}

fn parsed<'t>(text: &'t str, options: &ParseOptions) -> Result<ParseResult<'t>, ParseError> {
    let collect = CollectOptions { comments: CommentCollectionStrategy::Off, tokens: false };
    parse_to_ast(text, &collect, options)
}

fn accepted() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// A document of blanks and comments says nothing.
pub(crate) fn value(text: &str) -> Result<Option<Json>> {
    Ok(parse(text)?.value.as_ref().map(json))
}

fn json(value: &Value<'_>) -> Json {
    match value {
        Value::StringLit(text) => Json::from(text.value.as_ref()),
        // A number that no type holds is still the number that stands there.
        Value::NumberLit(number) => {
            serde_json::from_str(number.value).unwrap_or_else(|_| Json::from(number.value))
        }
        Value::BooleanLit(truth) => Json::from(truth.value),
        Value::NullKeyword(_) => Json::Null,
        Value::Array(array) => array.elements.iter().map(json).collect(),
        Value::Object(object) => {
            let member = |property: &jsonc_parser::ast::ObjectProp<'_>| {
                (property.name.as_str().to_owned(), json(&property.value))
            };
            Json::Object(object.properties.iter().map(member).collect::<Map<_, _>>())
        }
    }
}
