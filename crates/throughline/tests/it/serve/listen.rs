//! Where it listens, and what it says when it cannot.

use std::net::TcpListener;

use super::http::Served;
use crate::fixture::{Home, shows};

#[test]
fn help() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["serve", "--help"]), @r"
    The interface, its live stream and MCP over HTTP, and background work

    Usage: throughline serve [OPTIONS]

    Options:
          --listen <ADDR>  Where to listen: ADDRESS:PORT, with port 0 for any free one [default:
                           server.listen in the settings]
          --tools <SETS>   The sets of tools to offer, with commas [default: core,backlog,sessions]
                           [possible values: core, backlog, sessions, set, code, admin]
      -h, --help           Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
}

#[test]
fn it_does_not_listen_beyond_this_machine() {
    let home = Home::sqlite();
    for address in ["0.0.0.0:0", "192.0.2.1:80", "[::]:0"] {
        let refused = home.call(&["serve", "--listen", address]).run().refuses();
        assert!(refused.contains("access tokens") && refused.contains(address), "{refused}");
    }
    home.ok(&["config", "set", "server.listen", "0.0.0.0:7420"]);
    shows!(home, home.call(&["serve"]).run().refuses(), @"error: will not listen on 0.0.0.0:7420: whoever reaches that address could read and write every project, because there are no access tokens yet. Make one with `throughline token create NAME`, or use 127.0.0.1:7420 and reach it through a tunnel");
}

#[test]
fn a_port_in_use_is_explained() {
    let home = Home::sqlite();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let said = home.fails(&["serve", "--listen", &address]).replace(&address, "[TAKEN]");
    shows!(home, said, @"error: [TAKEN] is in use by another program, perhaps another `throughline serve`; stop that one, or choose another port with --listen 127.0.0.1:PORT (port 0 takes a free one)");
}

#[test]
fn an_address_that_is_none_is_explained() {
    let home = Home::sqlite();
    for wrong in ["7420", "example.org:80", "127.0.0.1", "localhost:x"] {
        let refused = home.call(&["serve", "--listen", wrong]).run().refuses();
        assert!(refused.contains("write for instance 127.0.0.1:7420"), "{refused}");
    }
    home.write("data/config.toml", "[server]\nlisten = \"everywhere\"\n");
    assert!(home.fails(&["serve"]).contains("server.listen: \"everywhere\" is no address"));
}

#[test]
fn a_project_cannot_say_where_it_listens() {
    let home = Home::sqlite();
    std::fs::write(home.work("shop").join(".throughline.toml"), "[server]\nlisten = \"0.0.0.0:1\"\n")
        .unwrap();
    let served = Served::start(&home, &["--conformance"]);
    assert!(served.address.ip().is_loopback());
    served.signal("TERM");
    assert!(served.ended().1.contains("server is ignored here"));
}

#[test]
fn people_read_the_address_too() {
    let home = Home::sqlite();
    let mut child = home.call(&["serve", "--conformance", "--listen", "localhost:0"]).spawn();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line)
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(
        line.starts_with("listening on http://127.0.0.1:") && line.contains("/mcp); stop with Ctrl-C"),
        "{line}"
    );
}
