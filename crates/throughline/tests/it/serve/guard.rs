//! Who is let in: programs of this machine, and no page of another site.

use super::http::Served;
use crate::fixture::Home;

#[test]
fn the_host_must_be_this_machine() {
    let served = Served::fixtures(&Home::sqlite());
    let status = |host: &str| served.get("/api/health", &[&format!("Host: {host}")]).status;
    let port = served.address.port();
    for here in
        [&format!("127.0.0.1:{port}"), &format!("localhost:{port}"), "LOCALHOST", "[::1]:1", "127.0.0.2"]
    {
        assert_eq!(status(here), 200, "{here}");
    }
    for elsewhere in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1.evil.example",
        "10.0.0.1",
        "localhost.evil",
        "",
    ] {
        assert_eq!(status(elsewhere), 403, "{elsewhere}");
    }
    assert_eq!(served.get("/api/health", &[]).status, 403);
}

#[test]
fn the_origin_must_be_this_server() {
    let served = Served::fixtures(&Home::sqlite());
    let host = served.host();
    let status = |origin: &str| served.get("/api/health", &[&host, &format!("Origin: {origin}")]).status;
    assert_eq!(status(&format!("http://{}", served.address)), 200);
    for elsewhere in ["http://evil.example", "http://127.0.0.1:1", "https://127.0.0.1", "null", "", "x"] {
        assert_eq!(status(elsewhere), 403, "{elsewhere}");
    }
    let twice = ["Origin: http://evil.example", &format!("Origin: http://{}", served.address)];
    assert_eq!(served.get("/api/health", &[&[host.as_str()][..], &twice].concat()).status, 403);
}

#[test]
fn what_another_site_embeds_is_not_answered() {
    let served = Served::fixtures(&Home::sqlite());
    let host = served.host();
    let status = |site: &str, mode: &str| {
        let (site, mode) = (format!("Sec-Fetch-Site: {site}"), format!("Sec-Fetch-Mode: {mode}"));
        served.get("/api/health", &[&host, &site, &mode]).status
    };
    assert_eq!(status("cross-site", "no-cors"), 403);
    assert_eq!(
        (status("cross-site", "navigate"), status("same-origin", "cors"), status("none", "navigate")),
        (200, 200, 200)
    );
}

#[test]
fn every_path_is_guarded_and_says_why_in_json() {
    let served = Served::fixtures(&Home::sqlite());
    for path in ["/mcp", "/api/health", "/nothing"] {
        let refused = served.get(path, &["Host: evil.example"]);
        assert_eq!(refused.status, 403, "{path}");
        assert_eq!(refused.header("content-type"), Some("application/problem+json"));
        assert_eq!(refused.message()["type"], "urn:throughline:problem:forbidden");
        assert!(refused.message()["detail"].as_str().unwrap().contains("Host header"));
    }
}

#[test]
fn health_and_unknown_paths() {
    let served = Served::fixtures(&Home::sqlite());
    let health = served.get("/api/health", &[&served.host()]);
    assert_eq!((health.status, &health.message()["status"]), (200, &"ok".into()));
    let unknown = served.get("/api/nothing", &[&served.host()]);
    assert_eq!(
        (unknown.status, &unknown.message()["type"]),
        (404, &"urn:throughline:problem:not_found".into())
    );
}

#[test]
fn a_request_that_is_too_large_is_refused() {
    let home = Home::sqlite();
    home.ok(&["config", "set", "server.max_request_bytes", "1000"]);
    let served = Served::fixtures(&home);
    let status = |bytes: usize| {
        let host = served.host();
        let headers = [host.as_str(), super::http::ACCEPT, "Content-Type: application/json"];
        served.request("POST /mcp", &headers, &" ".repeat(bytes)).status
    };
    assert_eq!(status(1001), 413);
    assert_eq!(status(1000), 400, "this is small enough, and no JSON");
}
