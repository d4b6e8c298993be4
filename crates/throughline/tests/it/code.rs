//! Code from outside: what is found, that it is what the files say now, and that nothing in a folder stops the index.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::fixture::{Call, Home, git, on_both, repository};
use crate::mcp::Client;

on_both!(
    code_is_found_by_meaning_words_symbol_path_and_language,
    only_what_changed_is_taken_in,
    what_is_gone_or_other_is_not_shown,
    odd_files_do_not_stop_the_index,
    a_killed_run_is_gone_on_with,
    before_the_first_index_paths_and_heads_answer_and_say_so,
    whoever_writes_asks_for_the_index_to_follow,
    agents_search_code_and_get_an_index_for_the_next_time,
    a_context_names_the_code_that_a_task_is_about,
    a_file_tells_who_touched_it,
    a_symbol_that_moved_within_its_file_is_read_again,
    results_and_bytes_are_capped,
    what_may_not_be_read_is_told_and_not_shown,
    commits_of_a_branch_that_was_merged_later_are_known,
);

const CART: &str = "//! The shopping cart.\n\n/// Adds up the prices of all articles, with the discount of the customer taken off.\npub fn total_price(articles: &[Article], discount: f64) -> f64 {\n    let sum: f64 = articles.iter().map(|article| article.price).sum();\n    let sum = sum * (1.0 - discount);\n    if sum < 0.0 { 0.0 } else { sum }\n}\n\n/// Empties the cart after the order was placed.\npub fn clear_cart(cart: &mut Vec<Article>) {\n    cart.clear();\n    cart.shrink_to_fit();\n    notify_observers(cart);\n    write_back(cart);\n}\n";
const MAIL: &str = "\"\"\"Sends letters to customers.\"\"\"\n\nimport smtplib\n\n\ndef send_receipt(address, order):\n    \"\"\"Mails the customer a receipt for an order.\"\"\"\n    server = smtplib.SMTP('localhost')\n    server.sendmail('shop@example.org', address, order.receipt())\n    server.quit()\n";

fn shop(home: &Home) -> std::path::PathBuf {
    home.write("work/shop/src/cart.rs", CART);
    home.write("work/shop/mail/receipt.py", MAIL);
    home.write(
        "work/shop/README.md",
        "# Shop\n\nSells articles.\n\n## Deploying\n\nPush to the main branch.\n",
    );
    home.work("shop")
}

fn run(home: &Home) -> Json {
    home.json(&["index", "run"])["run"].clone()
}

fn found(home: &Home, args: &[&str]) -> Json {
    home.json(&[&["index", "search"], args].concat())
}

fn paths(answer: &Json) -> Vec<&str> {
    answer["hits"].as_array().unwrap().iter().map(|hit| hit["path"].as_str().unwrap()).collect()
}

fn code_is_found_by_meaning_words_symbol_path_and_language(home: &Home) {
    shop(home);
    assert_eq!(run(home)["taken_in"], 3);
    let answer = found(home, &["how is the sum of the order reduced for regular buyers", "--full"]);
    assert_eq!(paths(&answer)[0], "src/cart.rs");
    let hit = &found(home, &["total_price", "--full"])["hits"][0];
    assert_eq!((&hit["path"], &hit["first_line"]), (&json!("src/cart.rs"), &json!(1)));
    assert!(hit["text"].as_str().unwrap().contains("pub fn total_price"), "{hit}");
    assert!(hit["why"].as_str().unwrap().contains("words"), "{hit}");
    assert_eq!(paths(&found(home, &["mail/receipt.py"]))[0], "mail/receipt.py");
    assert_eq!(paths(&found(home, &["customer", "--language", "python"])), ["mail/receipt.py"]);
    assert_eq!(paths(&found(home, &["customer", "--path", "src"])), ["src/cart.rs"]);
    let symbol = found(home, &["anything", "--symbol", "clear_cart"]);
    assert_eq!(paths(&symbol), ["src/cart.rs"]);
    assert_eq!(paths(&found(home, &["zebra quantum xylophone"])).len(), 0);
    let hits = home.json(&["search", "--kind", "code", "receipt for an order"]);
    assert_eq!(
        (&hits["hits"][0]["kind"], &hits["hits"][0]["path"]),
        (&json!("code"), &json!("mail/receipt.py"))
    );
}

fn only_what_changed_is_taken_in(home: &Home) {
    let root = shop(home);
    run(home);
    let told = run(home);
    assert_eq!((&told["files"], &told["moved"], &told["removed"]), (&json!(3), &json!(0), &json!(0)));
    fs::rename(root.join("mail/receipt.py"), root.join("mail/letter.py")).unwrap();
    fs::remove_file(root.join("README.md")).unwrap();
    fs::write(root.join("src/cart.rs"), format!("{CART}\npub fn gift_wrapping() {{}}\n")).unwrap();
    let told = run(home);
    assert_eq!((&told["taken_in"], &told["moved"], &told["removed"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!(paths(&found(home, &["gift wrapping"]))[0], "src/cart.rs");
    assert_eq!(paths(&found(home, &["mails the customer a receipt"]))[0], "mail/letter.py");
    assert!(!paths(&found(home, &["deploying main branch"])).contains(&"README.md"));
    home.check();
}

fn what_is_gone_or_other_is_not_shown(home: &Home) {
    let root = shop(home);
    type Happens = fn(&Path);
    let cases: [(&str, Happens); 5] = [
        ("gone", |file| fs::remove_file(file).unwrap()),
        ("a folder", |file| {
            fs::remove_file(file).unwrap();
            fs::create_dir(file).unwrap();
        }),
        ("outside", |file| {
            let outside = file.ancestors().nth(3).unwrap().join("outside.py");
            fs::write(&outside, MAIL).unwrap();
            fs::remove_file(file).unwrap();
            std::os::unix::fs::symlink(outside, file).unwrap();
        }),
        ("no text", |file| fs::write(file, [0_u8; 400]).unwrap()),
        ("another text", |file| fs::write(file, "print('nothing of the sort')\n").unwrap()),
    ];
    for (what, change) in cases {
        let file = root.join("mail/receipt.py");
        let _ = fs::remove_dir(&file).or_else(|_| fs::remove_file(&file));
        fs::write(&file, MAIL).unwrap();
        run(home);
        assert_eq!(paths(&found(home, &["mails the customer a receipt"]))[0], "mail/receipt.py", "{what}");
        change(&file);
        let answer = found(home, &["mails the customer a receipt"]);
        assert!(!paths(&answer).contains(&"mail/receipt.py"), "{what}: {answer}");
        assert!(answer["note"].as_str().unwrap().contains("left out"), "{what}: {answer}");
    }
    let status = home.json(&["index", "status"])["code"].clone();
    assert!(status["stale_results"].as_f64().unwrap() > 0.0, "{status}");
}

fn odd_files_do_not_stop_the_index(home: &Home) {
    let root = shop(home);
    fs::write(
        root.join("latin.py"),
        b"# caf\xe9 au lait machine controller\ndef brew_espresso():\n    return 1\n",
    )
    .unwrap();
    let large = fs::File::create(root.join("large.txt")).unwrap();
    large.set_len(2 * 1024 * 1024 * 1024).unwrap();
    std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
    std::os::unix::fs::symlink("..", root.join("src/up")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", root.join("passwd.txt")).unwrap();
    fs::write(root.join("empty.rs"), "").unwrap();
    fs::write(root.join("generated.go"), "// Code generated by x. DO NOT EDIT.\npackage x\n").unwrap();
    fs::write(root.join("data.rs"), [0_u8, 159, 146, 150]).unwrap();
    fs::write(root.join(".env"), "API_KEY=ghp_16C7e42F292c6912E7710c838347Ae178B4a\n").unwrap();
    fs::write(root.join("key.py"), "TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'\n").unwrap();
    for n in 0..300 {
        fs::write(root.join(format!("src/many_{n}.rs")), format!("fn number_{n}() {{}}\n")).unwrap();
    }
    let told = run(home);
    assert_eq!((&told["large"], &told["refused"]), (&json!(1), &json!(2)), "{told}");
    assert_eq!(paths(&found(home, &["brew espresso"]))[0], "latin.py");
    assert_eq!(paths(&found(home, &["number_217"]))[0], "src/many_217.rs");
    let key = found(home, &["TOKEN", "--path", "key.py", "--full"]);
    assert!(!key.to_string().contains("ghp_16C7e42F"), "{key}");
    assert_eq!(home.files_with("16C7e42F292c6912E7710c838347Ae178B4a"), Vec::<std::path::PathBuf>::new());
    home.check();
}

fn a_killed_run_is_gone_on_with(home: &Home) {
    let root = shop(home);
    for n in 0..600 {
        let body: String = (0..20).map(|line| format!("    step_{line}(piece_{n});\n")).collect();
        fs::write(root.join(format!("src/part_{n}.rs")), format!("fn part_{n}() {{\n{body}}}\n")).unwrap();
    }
    for _ in 0..3 {
        let mut running = home.call(&["index", "run"]).spawn();
        while home.json(&["index", "status"])["code"]["files"].as_i64().unwrap_or(0) == 0
            && running.try_wait().unwrap().is_none()
        {}
        running.kill().unwrap();
        running.wait().unwrap();
        home.check();
    }
    run(home);
    let status = home.json(&["index", "status"])["code"].clone();
    assert_eq!((&status["files"], &status["waiting"]), (&json!(603), &json!(0)));
    assert_eq!(paths(&found(home, &["part_599"]))[0], "src/part_599.rs");
    assert_eq!(run(home)["removed"], 0);
}

fn before_the_first_index_paths_and_heads_answer_and_say_so(home: &Home) {
    shop(home);
    let answer = found(home, &["receipt"]);
    assert_eq!(paths(&answer)[0], "mail/receipt.py");
    assert!(answer["note"].as_str().unwrap().contains("no index yet"), "{answer}");
    assert_eq!(paths(&found(home, &["shopping cart"]))[0], "src/cart.rs");
    run(home);
    assert_eq!(found(home, &["receipt"]).get("note"), None);
    let status = home.json(&["index", "status"])["code"].clone();
    assert_eq!((&status["searches"], &status["fallback_rate"]), (&json!(1), &json!(0.0)), "{status}");
}

fn whoever_writes_asks_for_the_index_to_follow(home: &Home) {
    shop(home);
    let write = ["log", "append", "--kind", "write", "--session", "s", "--target", "src/cart.rs"];
    let waits = |home: &Home| {
        let jobs = home.json(&["jobs", "list"]);
        jobs["jobs"].as_array().unwrap().iter().filter(|job| job["kind"] == "index_code").count()
    };
    home.ok(&write);
    assert_eq!(waits(home), 0, "nobody asked for an index yet");
    run(home);
    home.ok(&write);
    home.ok(&write);
    assert_eq!(waits(home), 1);
}

fn agents_search_code_and_get_an_index_for_the_next_time(home: &Home) {
    repository(&shop(home));
    let mut client =
        Client::started(home.call(&["mcp", "--tools", "code"]), crate::mcp::Era::Stateless { client: None });
    let answer = client.tool("code_search", &json!({"query": "receipt"}));
    assert!(answer["note"].as_str().unwrap().contains("no index yet"), "{answer}");
    home.ok(&["jobs", "run"]);
    let mut ask = || client.tool("code_search", &json!({"query": "mail the customer", "limit": 1}));
    // The server may have taken the job before `jobs run` could.
    let answer = (0..500)
        .map(|_| ask())
        .find(|answer| answer.get("note").is_none() && answer["hits"] != json!([]))
        .unwrap_or_else(&mut ask);
    assert_eq!(
        (answer.get("note"), &answer["hits"][0]["path"]),
        (None, &json!("mail/receipt.py")),
        "{answer}"
    );
    assert!(answer["hits"][0]["text"].as_str().unwrap().contains("sendmail"));
}

fn a_context_names_the_code_that_a_task_is_about(home: &Home) {
    shop(home);
    home.ok(&["task", "create", "Take the discount of the customer off the total price of the cart"]);
    let context = home.json(&["context", "TASK-0001"]);
    assert_eq!(context.get("code"), None, "an index that is not there is not waited for");
    run(home);
    let context = home.json(&["context", "TASK-0001"]);
    assert_eq!(context["code"][0]["path"], "src/cart.rs", "{context}");
    assert!(context["metadata"]["stages_executed"].as_array().unwrap().contains(&json!("code_retrieval")));
    fs::remove_file(home.work("shop").join("src/cart.rs")).unwrap();
    home.ok(&["log", "append", "--kind", "write", "--session", "s", "--target", "src/cart.rs"]);
    let context = home.json(&["context", "TASK-0001"]);
    assert!(!context["code"].to_string().contains("src/cart.rs"), "{context}");
}

fn a_file_tells_who_touched_it(home: &Home) {
    let root = shop(home);
    repository(&root);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-qm", "Receipts are mailed"]);
    fs::write(root.join("mail/receipt.py"), format!("{MAIL}\n# more\n")).unwrap();
    fs::write(root.join("src/cart.rs"), format!("{CART}\n// more\n")).unwrap();
    git(&root, &["commit", "-qam", "Receipts name the cart"]);
    run(home);
    home.ok(&["log", "append", "--kind", "write", "--session", "s", "--target", "src/cart.rs"]);
    home.ok(&[
        "decide",
        "Rounding",
        "Prices in src/cart.rs are rounded down",
        "--rationale",
        "the law says so",
    ]);
    let history = home.json(&["index", "file", "src/cart.rs"]);
    let commits = history["commits"].as_array().unwrap();
    assert_eq!(commits[0]["subject"], "Receipts name the cart", "{history}");
    assert_eq!(commits.len(), 2, "{history}");
    assert_eq!(history["sessions"][0]["writes"], 1, "{history}");
    assert_eq!(history["changes_with"][0]["path"], "mail/receipt.py", "{history}");
    assert_eq!(history["decisions"].as_array().unwrap().len(), 1, "{history}");
}

fn a_symbol_that_moved_within_its_file_is_read_again(home: &Home) {
    let root = shop(home);
    run(home);
    fs::write(root.join("mail/receipt.py"), format!("# one\n# two\n# three\n{MAIL}")).unwrap();
    let answer = found(home, &["mails the customer a receipt", "--full"]);
    let hit = &answer["hits"][0];
    assert_eq!(hit["path"], "mail/receipt.py");
    assert!(hit["last_line"].as_i64().unwrap() >= 13, "{hit}");
    assert!(answer["note"].as_str().unwrap().contains("read again"), "{answer}");
}

fn results_and_bytes_are_capped(home: &Home) {
    let root = shop(home);
    for n in 0..20 {
        let body: String = (0..40).map(|line| format!("    polish_teapot({line});\n")).collect();
        fs::write(root.join(format!("src/teapot_{n}.rs")), format!("fn teapot_{n}() {{\n{body}}}\n"))
            .unwrap();
    }
    home.write("work/shop/.throughline.toml", "[code]\nmax_bytes = 3000\n");
    run(home);
    let answer = found(home, &["polish teapot", "-n", "7", "--full"]);
    let texts: usize =
        answer["hits"].as_array().unwrap().iter().filter_map(|hit| hit["text"].as_str()).map(str::len).sum();
    assert_eq!(answer["hits"].as_array().unwrap().len(), 7);
    assert!((1..=3000).contains(&texts), "{texts}");
}

/// Root may read what nobody may, unless it gives that up.
fn like_anybody(home: &Home, call: Call) -> Call {
    use std::os::unix::fs::MetadataExt as _;
    match fs::metadata(home.path()).unwrap().uid() {
        0 => call.wrapped(&["setpriv", "--bounding-set=-dac_override,-dac_read_search"]),
        _ => call,
    }
}

fn what_may_not_be_read_is_told_and_not_shown(home: &Home) {
    use std::os::unix::fs::PermissionsExt as _;
    let root = shop(home);
    let may = |path: &str, mode: u32| {
        fs::set_permissions(root.join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    let run = || like_anybody(home, home.call(&["index", "run"])).json()["run"].clone();
    let asked = |query: &str| like_anybody(home, home.call(&["index", "search", query])).json();
    run();
    may("mail/receipt.py", 0o000);
    may("src", 0o000);
    for query in ["mails the customer a receipt", "total_price"] {
        let answer = asked(query);
        assert_eq!(paths(&answer), Vec::<&str>::new(), "{query}: {answer}");
        assert!(answer["note"].as_str().unwrap().contains("left out"), "{query}: {answer}");
    }
    assert_eq!(run()["unreadable"], 2);
    assert_eq!(home.json(&["index", "status"])["code"]["unreadable"], 2);
    assert_eq!(asked("mails the customer a receipt").get("note"), None, "it is not in the index any more");
    may("src", 0o755);
    may("mail/receipt.py", 0o644);
    assert_eq!(run()["unreadable"], 0);
    assert_eq!(paths(&asked("total_price"))[0], "src/cart.rs");
    assert_eq!(paths(&asked("mails the customer a receipt"))[0], "mail/receipt.py");
}

fn commits_of_a_branch_that_was_merged_later_are_known(home: &Home) {
    let root = shop(home);
    repository(&root);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-qm", "Begin"]);
    git(&root, &["checkout", "-qb", "side"]);
    fs::write(root.join("src/cart.rs"), format!("{CART}\n// side\n")).unwrap();
    git(&root, &["commit", "-qam", "The cart has a side"]);
    git(&root, &["checkout", "-q", "-"]);
    fs::write(root.join("mail/receipt.py"), format!("{MAIL}\n# main\n")).unwrap();
    git(&root, &["commit", "-qam", "Receipts go on"]);
    run(home);
    git(&root, &["merge", "-q", "--no-ff", "-m", "Merge the side", "side"]);
    run(home);
    let history = home.json(&["index", "file", "src/cart.rs"]);
    assert_eq!(history["commits"][0]["subject"], "The cart has a side", "{history}");
}
