//! The page at `/`: the dashboard, or where it was not built a notice; what a browser may keep, and what it may load.

use super::http::Served;
use crate::fixture::Home;

#[test]
fn every_path_but_those_of_files_is_a_page_of_the_dashboard() {
    let served = Served::fixtures(&Home::sqlite());
    let host = served.host();
    let start = served.get("/", &[&host]);
    assert_eq!(start.status, 200);
    assert!(start.body.contains("<title>Throughline</title>"), "{}", start.body);
    for inside in ["/p/shop", "/p/shop/backlog/TASK-0001", "/p/team%2Fa..b/sessions", "/anything"] {
        let page = served.get(inside, &[&host]);
        assert_eq!((page.status, page.body), (200, start.body.clone()), "{inside}");
    }
    for outside in
        ["/assets/nothing.js", "/../secret", "//etc/passwd", "/%2e%2e/secret", "/api/nothing", "/mcp/nothing"]
    {
        assert_eq!(served.get(outside, &[&host]).status, 404, "{outside}");
    }
    assert_eq!(served.request("POST /", &[&host], "").status, 405);
}

#[test]
fn the_page_may_load_nothing_from_elsewhere_and_nothing_inline() {
    let served = Served::fixtures(&Home::sqlite());
    let start = served.get("/", &[&served.host()]);
    let policy = start.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'self';"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(start.header("x-content-type-options"), Some("nosniff"));
    assert!(!start.body.contains("<script>") && !start.body.contains("<style"), "{}", start.body);
    assert!(!start.body.contains("//"), "an address of another server: {}", start.body);
}

#[test]
fn what_is_named_by_its_content_is_kept_and_the_rest_is_asked_for_again() {
    let served = Served::fixtures(&Home::sqlite());
    let host = served.host();
    let start = served.get("/", &[&host]);
    assert_eq!(start.header("cache-control"), Some("no-cache"));
    let known = format!("If-None-Match: {}", start.header("etag").unwrap());
    let again = served.get("/", &[&host, &known]);
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    // Where the dashboard was not built there is no other file.
    for name in start.body.split('"').filter(|name| name.starts_with("/assets/")) {
        let file = served.get(name, &[&host]);
        assert_eq!(file.status, 200, "{name}");
        assert_eq!(file.header("cache-control"), Some("public, max-age=31536000, immutable"), "{name}");
        assert!(file.header("content-type").unwrap().starts_with("text/"), "{name}");
    }
}
