//! Members and elements go in in the file's own style, and out without a trace.

use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn member(name: &str) -> Step {
    Step::Member(name.to_owned())
}

#[test]
fn a_member_goes_in_in_the_style_of_the_file() {
    let value = json!({"command": "x", "args": ["mcp"]});
    let with = |text| insert(text, &["servers", "ours"], &value).unwrap();
    assert_snapshot!(with("{\n\t// first\n\t\"a\": 1 // one\n}\n"), @r#"
    {
    	// first
    	"a": 1, // one
    	"servers": {
    		"ours": {
    			"command": "x",
    			"args": ["mcp"]
    		}
    	}
    }
    "#);
    assert_snapshot!(with("{\"a\":1}"), @r#"{"a":1, "servers": {"ours":{"command":"x","args":["mcp"]}}}"#);
    assert_snapshot!(with("{\n    \"servers\": {\n        \"other\": {},\n    },\n}"), @r#"
    {
        "servers": {
            "other": {},
            "ours": {
                "command": "x",
                "args": ["mcp"]
            },
        },
    }
    "#);
    assert_eq!(with("{}\r\n").matches("\r\n").count(), with("{}\n").matches('\n').count());
}

#[test]
fn an_element_goes_to_the_end_of_its_list() {
    let with = |text| append(text, &["hooks", "Stop"], &json!({"a": 1})).unwrap();
    assert_snapshot!(with("{\"hooks\": {\"Stop\": [ 1, 2 ]}}"), @r#"{"hooks": {"Stop": [ 1, 2, {"a":1} ]}}"#);
    assert_snapshot!(with("{\n  \"hooks\": {\n    \"Stop\": [\n      1 // one\n      // two\n    ]\n  }\n}"), @r#"
    {
      "hooks": {
        "Stop": [
          1, // one
          // two
          {
            "a": 1
          }
        ]
      }
    }
    "#);
    assert_snapshot!(with("{\n  \"hooks\": {\"Stop\": []}\n}"), @r#"
    {
      "hooks": {"Stop": [
        {
          "a": 1
        }
      ]}
    }
    "#);
}

#[test]
fn a_text_without_a_document_gets_one() {
    let with = |text| insert(text, &["a"], &json!(1)).unwrap();
    assert_eq!(with(""), "{\n  \"a\": 1\n}\n");
    assert_eq!(with("// mine"), "// mine\n{\n  \"a\": 1\n}");
    assert_eq!(with("/* mine */\r\n"), "/* mine */\r\n{\r\n  \"a\": 1\r\n}\r\n");
}

#[test]
fn of_a_name_that_stands_twice_the_last_counts() {
    let text = insert("{\"m\": {\"x\": 1}, \"m\": {\"y\": 1}}", &["m", "a"], &json!(1)).unwrap();
    assert_eq!(text, "{\"m\": {\"x\": 1}, \"m\": {\"y\": 1, \"a\": 1}}");
}

#[test]
fn what_is_not_what_it_should_be_is_refused_with_its_place() {
    let refused = |text| insert(text, &["servers", "ours"], &json!(1)).unwrap_err().to_string();
    assert_eq!(
        refused("{\n  \"servers\": []\n}"),
        "line 2, column 14: servers is not an object; make it one"
    );
    assert_eq!(refused("[]"), "line 1, column 1: the document is not an object; make it one");
    assert_eq!(
        refused("{\"a\" 1}"),
        "line 1, column 6: Expected colon after the string or word in object property"
    );
    assert_eq!(refused("{\n \"a\": 'x'}").split(':').next(), Some("line 2, column 7"));
    let list = append("{\"hooks\": {\"Stop\": {}}}", &["hooks", "Stop"], &json!(1)).unwrap_err().to_string();
    assert_eq!(list, "line 1, column 20: hooks.Stop is not a list; make it one");
    assert!(value(&"[".repeat(100_000)).is_err(), "and no stack is deep enough for everything");
}

#[test]
fn comments_of_others_stay_when_a_value_goes() {
    let text = "{\n  // about a\n  \"a\": 1, // a\n  /* about b */ \"b\": 2 /* b */, // b!\n  \"c\": 3\n}";
    let without = |name| remove(text, &[member(name)]).unwrap();
    assert_snapshot!(without("b"), @r#"
    {
      // about a
      "a": 1, // a
      /* about b */ /* b */ // b!
      "c": 3
    }
    "#);
    assert_snapshot!(without("c"), @r#"
    {
      // about a
      "a": 1, // a
      /* about b */ "b": 2 /* b */ // b!
    }
    "#);
}

/// Blanks and comments, as people leave them.
fn gap() -> impl Strategy<Value = String> {
    let comment = prop_oneof![
        Just("// line, with \"{[ ]}\" in it\n".to_owned()),
        Just("/* block, , \n } */".to_owned()),
        Just("/**/".to_owned()),
        Just("// ünï\u{a0}\r\n".to_owned()),
    ];
    let blank = "[ \t]{0,3}|\r?\n[ \t]{0,4}";
    let part = prop_oneof![4 => blank.prop_map(String::from), 1 => comment];
    prop::collection::vec(part, 0..3).prop_map(|parts| parts.concat())
}

fn scalar() -> impl Strategy<Value = String> {
    let text = "[a-zA-Zäß,:{}\\[\\]/ ]{0,8}";
    prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?(0|[1-9][0-9]{0,4})(\\.[0-9]{1,3})?".prop_map(String::from),
        text.prop_map(|text| json!(text).to_string()),
        Just(r#""a \"b\" \\ \u00e9 //""#.to_owned()),
    ]
}

/// Items between brackets, each with blanks and comments around, with or without a last comma.
fn listed(open: &str, items: Vec<(String, String, String)>, last: bool, empty: &str, close: &str) -> String {
    let mut text = open.to_owned();
    for (index, (before, item, after)) in items.iter().enumerate() {
        let comma = if index + 1 < items.len() || last { "," } else { "" };
        text.push_str(&format!("{before}{item}{after}{comma}"));
    }
    if items.is_empty() {
        text.push_str(empty);
    }
    text.push_str(close);
    text
}

fn any_value() -> impl Strategy<Value = String> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        let item = (gap(), inner.clone(), gap());
        let list = (prop::collection::vec(item, 0..4), any::<bool>(), gap());
        let list = list.prop_map(|(items, last, empty)| listed("[", items, last, &empty, "]"));
        prop_oneof![list, object_of(inner.boxed(), 0)]
    })
}

fn object_of(inner: BoxedStrategy<String>, at_least: usize) -> impl Strategy<Value = String> {
    let item = (gap(), "[a-z]{1,3}", gap(), gap(), inner, gap());
    let items = prop::collection::vec(item, at_least..5);
    (items, any::<bool>(), gap()).prop_map(|(items, last, empty)| {
        let item = |(before, name, a, b, value, after): (String, String, String, String, String, String)| {
            (before, format!("\"{name}\"{a}:{b}{value}"), after)
        };
        listed("{", items.into_iter().map(item).collect(), last, &empty, "}")
    })
}

proptest! {
    /// In a document that has something in it, what we put in and take out leaves the same bytes.
    #[test]
    fn in_and_out_leaves_every_byte(
        before in gap(), object in object_of(any_value().boxed(), 1), after in gap(),
    ) {
        let text = format!("{before}{object}{after}");
        let ours = json!({"command": "/x", "args": ["mcp"], "deep": {"list": [{"a": 1}]}});
        let with = insert(&text, &["servers", "ours"], &ours).unwrap();
        let said = value(&with).unwrap().unwrap();
        prop_assert_eq!(&said["servers"]["ours"], &ours);
        let mut expected = value(&text).unwrap().unwrap();
        expected["servers"] = json!({"ours": ours});
        prop_assert_eq!(said, expected, "and nothing else changed");
        prop_assert_eq!(remove(&with, &[member("servers")]).unwrap(), text);
    }

    #[test]
    fn an_element_in_and_out_leaves_every_byte(
        items in prop::collection::vec((gap(), any_value(), gap()), 1..5),
        last in any::<bool>(),
        around in gap(),
    ) {
        let list = listed("[", items.clone(), last, "", "]");
        let text = format!("{{\"hooks\":{around}{{\"Stop\": {list}}}}}");
        let with = append(&text, &["hooks", "Stop"], &json!({"command": "/x"})).unwrap();
        let said = value(&with).unwrap().unwrap();
        prop_assert_eq!(&said["hooks"]["Stop"][items.len()], &json!({"command": "/x"}));
        let path = [member("hooks"), member("Stop"), Step::Element(items.len())];
        prop_assert_eq!(remove(&with, &path).unwrap(), text);
    }

    /// Whatever goes, the rest says what it said.
    #[test]
    fn any_member_can_go(object in object_of(any_value().boxed(), 1), which in any::<prop::sample::Index>()) {
        let said = value(&object).unwrap().unwrap();
        let names: Vec<String> = said.as_object().unwrap().keys().cloned().collect();
        let name = which.get(&names);
        let parsed = parse(&object).unwrap();
        let times = parsed.value.as_ref().unwrap().as_object().unwrap().properties.iter();
        prop_assume!(times.filter(|property| property.name.as_str() == name).count() == 1);
        let without = remove(&object, &[member(name)]).unwrap();
        let mut expected = said;
        expected.as_object_mut().unwrap().shift_remove(name);
        prop_assert_eq!(value(&without).unwrap().unwrap(), expected, "{}", without);
    }
}
