//! Benchmarks run, measure what they say, and leave no trace.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, on_both};

on_both!(every_thing_is_measured_at_every_size,);

fn bench(home: &Home, args: &[&str]) -> Json {
    // A database that is only in the environment is the user's own, and not for this.
    let named = "exec \"$@\" ${THROUGHLINE_DATABASE_URL:+--database \"$THROUGHLINE_DATABASE_URL\"}";
    let args = [&["bench"], args, &["--json"]].concat();
    let ran = home.call(&args).wrapped(&["sh", "-c", named, "sh"]).run();
    assert_eq!(ran.code, 0, "{ran:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

fn every_thing_is_measured_at_every_size(home: &Home) {
    let report = bench(home, &["all", "--sizes", "200,100", "--times", "2"]);
    let rows = report["rows"].as_array().unwrap();
    for what in
        ["append one", "hook: prompt", "search", "context", "orient", "index one changed file", "flash save"]
    {
        let of: Vec<&Json> = rows.iter().filter(|row| row["what"] == what).collect();
        let sizes: Vec<&Json> = of.iter().map(|row| &row["among"]).collect();
        assert_eq!(sizes, [&json!(100), &json!(200)], "{what}");
        for row in of {
            let (p50, p99) = (row["cpu_ms"]["p50"].as_f64().unwrap(), row["cpu_ms"]["p99"].as_f64().unwrap());
            assert!(0.0 < p50 && p50 <= p99, "{row:#}");
            assert!(row["clock_ms"]["p50"].as_f64().unwrap() > 0.0, "{row:#}");
            assert!(row["resident_mb"].as_f64().unwrap() > 1.0, "{row:#}");
        }
    }
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0, "nothing is left in the user's own folder");
}

fn profile(name: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/compare/profiles/{name}.toml"));
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_memory_server_is_compared_by_what_it_costs_and_finds() {
    let home = Home::sqlite();
    let (plain, keys) = (profile("throughline"), profile("throughline-keys"));
    let args = ["compare", "--memories", "60", "--questions", "60", &plain, &keys];
    let report = bench(&home, &args);
    assert_eq!((&report["memories"], &report["replaced"]), (&json!(60), &json!(6)));
    for server in report["servers"].as_array().unwrap() {
        assert_eq!((&server["processes"], &server["refused"]), (&json!(1), &json!(0)), "{server:#}");
        assert!(server["recall_10"]["keywords"].as_f64().unwrap() > 90.0, "{server:#}");
        assert!(server["recall_10"]["same_words"].as_f64().unwrap() > 80.0, "{server:#}");
        assert!(server["tools_tokens"].as_u64().unwrap() > 500, "{server:#}");
        assert!(server["disk_mb"].as_f64().unwrap() > 0.0, "{server:#}");
    }
    assert_eq!(report["servers"][1]["outdated"], 0.0, "{report:#}");
}

#[test]
fn a_server_that_cannot_be_measured_is_named_and_the_others_are_not_lost() {
    let home = Home::sqlite();
    let broken = "name = \"broken\"\ncommand = [\"false\"]\n[store]\ntool = \"a\"\n[search]\ntool = \"b\"\narguments = {}\n";
    let broken = home.write("broken.toml", broken);
    let args = ["bench", "compare", "--memories", "20", "--questions", "5", broken.to_str().unwrap()];
    let good = profile("throughline");
    let ran = home.call(&[&args[..], &[&good, "--json"]].concat()).run();
    assert_eq!(ran.code, 1, "{ran:?}");
    let report: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert!(report["failed"][0].as_str().unwrap().starts_with("broken: "), "{report:#}");
    assert_eq!(report["servers"].as_array().unwrap().len(), 1);
}
