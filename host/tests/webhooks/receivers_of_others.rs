//! The verifiers that the documentation shows, run where their language is installed.

use std::path::Path;
use std::process::Command;

use stoa_core::testing::leave_out;

const PAGE: &str = include_str!("../../../docs/webhooks.md");

/// The one block of the documentation in this language that defines `verify`.
fn shown(language: &str) -> &'static str {
    let blocks = PAGE.split("\n```").filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'));
    let mut verifiers = blocks.filter(|block| block.contains("verify("));
    let found = verifiers.next().unwrap_or_else(|| panic!("the documentation shows no verifier in {language}"));
    assert!(verifiers.next().is_none() && found.lines().count() <= 22, "{found}");
    found
}

/// Judges all vectors with a program that ends with 0 when all verdicts are right.
fn run(interpreter: &str, file: &str, program: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join(file);
    std::fs::write(&path, program).expect("it can be written to");
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/webhook-receiver/vectors.json");
    let output = match Command::new(interpreter).arg(&path).arg(vectors).output() {
        Ok(output) => output,
        Err(error) => {
            leave_out(&format!("tests of the verifier for {interpreter}"), &format!("it cannot be started ({error})"));
            return;
        }
    };
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.trim_end().ends_with("right"), "{interpreter}: {said}");
}

#[test]
fn the_verifier_in_python_judges_all_vectors_right() {
    let harness = r#"
import json, sys
vectors = json.load(open(sys.argv[1], encoding="utf-8"))
wrong = [v["name"] for v in vectors
         if verify(v["secret"], v["timestamp"], v["signature"], v["body"].encode(), v["now"]) != v["valid"]]
if wrong: sys.exit("wrong: " + "; ".join(wrong))
print(len(vectors), "right")
"#;
    run("python3", "verify.py", &format!("{}\n{harness}", shown("python")));
}

#[test]
fn the_verifier_in_javascript_judges_all_vectors_right() {
    let harness = r#"
import { readFileSync } from "node:fs";
const vectors = JSON.parse(readFileSync(process.argv[2], "utf8"));
const wrong = vectors.filter(
  (v) => verify(v.secret, v.timestamp, v.signature, Buffer.from(v.body), v.now) !== v.valid,
);
if (wrong.length) { console.error("wrong: " + wrong.map((v) => v.name).join("; ")); process.exit(1); }
console.log(vectors.length, "right");
"#;
    run("node", "verify.mjs", &format!("{}\n{harness}", shown("javascript")));
}

#[test]
fn the_verifier_in_php_judges_all_vectors_right() {
    let harness = r"
$vectors = json_decode(file_get_contents($argv[1]), true);
foreach ($vectors as $v) {
    if (verify($v['secret'], $v['timestamp'], $v['signature'], $v['body'], $v['now']) !== $v['valid']) {
        fwrite(STDERR, 'wrong: ' . $v['name']);
        exit(1);
    }
}
echo count($vectors), ' right';
";
    run("php", "verify.php", &format!("<?php\n{}\n{harness}", shown("php")));
}
