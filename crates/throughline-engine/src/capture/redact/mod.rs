//! stub
pub struct Redacted<'a> {
    pub text: std::borrow::Cow<'a, str>,
    pub count: u32,
}
pub fn text(input: &str) -> Redacted<'_> {
    Redacted { text: input.into(), count: 0 }
}
pub fn json(_: &mut serde_json::Value) -> u32 {
    0
}
