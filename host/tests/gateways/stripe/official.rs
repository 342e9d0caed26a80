//! Signatures, checked against the package that Stripe itself publishes for Python.

use std::path::Path;
use std::process::Command;

use http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use stoa_core::gateways::Notice;
use stoa_core::testing::leave_out;
use stoa_fakes::stripe::Outcome;
use tempfile::TempDir;

use super::with_stripe;

/// Reads `{"secret", "body", "header"}` per line; says whether Stripe takes the header, and gives one of its own.
const SCRIPT: &str = r#"
import hashlib, hmac, json, sys, time
import stripe
from stripe import WebhookSignature
for line in sys.stdin:
    case = json.loads(line)
    try:
        taken = WebhookSignature.verify_header(case["body"], case["header"], case["secret"], None)
    except stripe.SignatureVerificationError as error:
        taken = False
    signature = WebhookSignature._compute_signature("%d.%s" % (case["time"], case["body"]), case["secret"])
    print(json.dumps({"taken": bool(taken), "header": "t=%d,v1=%s" % (case["time"], signature)}), flush=True)
"#;

/// Installs the package into a folder; says why not, where it cannot be had.
fn install(folder: &Path) -> Result<(), String> {
    let output = Command::new("python3")
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--retries",
            "1",
            "--timeout",
            "10",
            "--target",
        ])
        .arg(folder)
        .arg("stripe")
        .output()
        .map_err(|error| format!("there is no Python: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    output.status.success().then_some(()).ok_or(said)
}

fn ask(folder: &Path, case: &Value) -> Value {
    use std::io::Write;
    let mut child = Command::new("python3")
        .args(["-c", SCRIPT])
        .env("PYTHONPATH", folder)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("Python starts");
    let mut input = child.stdin.take().expect("its input");
    writeln!(input, "{case}").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "the script failed");
    serde_json::from_slice(&output.stdout).expect("it answers in JSON")
}

#[test]
fn stripes_own_package_and_the_shop_agree_on_signatures() {
    let folder = TempDir::new().expect("a folder");
    if let Err(reason) = install(folder.path()) {
        leave_out("tests with Stripe's own package", &format!("it cannot be installed: {reason}"));
        return;
    }
    with_stripe(async |setting| {
        let (_, id) = setting.start(1).await;
        let event = setting.stripe.happens(&id, Outcome::Pay);
        let callback = setting.stripe.callback(&event);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        let case = json!({
            "secret": setting.stripe.settings().webhook_secret,
            "body": text(&callback.body),
            "header": text(callback.headers["stripe-signature"].as_bytes()),
            "time": setting.shop.now().timestamp(),
        });
        let answer = ask(folder.path(), &case);
        assert_eq!(answer["taken"], true, "what the shop takes, Stripe takes");

        let mut headers = HeaderMap::new();
        let header = answer["header"].as_str().expect("a header");
        headers.insert("stripe-signature", HeaderValue::from_str(header).expect("a header"));
        let told = setting.gateway.verify(&headers, &callback.body).await.expect("what Stripe signs, the shop takes");
        assert!(matches!(told.notice, Notice::Attempt(_)), "{told:?}");

        let mut wrong = case.clone();
        wrong["secret"] = json!("whsec_another0123456789");
        let answer = ask(folder.path(), &wrong);
        assert_eq!(answer["taken"], false, "Stripe tells a wrong secret");
        headers
            .insert("stripe-signature", HeaderValue::from_str(answer["header"].as_str().expect("one")).expect("one"));
        setting.gateway.verify(&headers, &callback.body).await.expect_err("so does the shop");
    });
}
