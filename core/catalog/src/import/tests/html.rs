//! HTML turned into text.

use super::super::html::{LineFeeds, plain_text};

fn text(html: &str) -> String {
    plain_text(html, LineFeeds::Blank)
}

#[test]
fn paragraphs_lists_and_breaks_become_lines() {
    for (html, expected) in [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<p>One<br>Two<br/><br/><br/>Three</p>", "One\nTwo\n\nThree"),
        ("Intro:\n<ul>\n<li>Oak</li>\n<li> <b>Beech</b> wood</li>\n</ul>\nEnd", "Intro:\n\n- Oak\n- Beech wood\n\nEnd"),
        (
            "<h2>Size</h2><table><tr><td>Width</td><td>40</td></tr><tr><td>Height</td><td>80</td></tr></table>",
            "Size\n\nWidth 40\nHeight 80",
        ),
        ("<div>a</div><div>b</div>c", "a\nb\nc"),
        ("  plain \n text ", "plain text"),
        ("<p></p><p> </p>x<p></p>", "x"),
    ] {
        assert_eq!(text(html), expected, "{html}");
    }
}

#[test]
fn entities_are_decoded() {
    assert_eq!(
        text("Salt &amp; Pepper&nbsp;&eacute; &#8364;5 &lt; 6 &quot;q&quot; &amp;amp;"),
        "Salt & Pepper é €5 < 6 \"q\" &amp;"
    );
    assert_eq!(text("AT&T, a & b, 1 < 2 > 0"), "AT&T, a & b, 1 < 2 > 0");
}

#[test]
fn line_feeds_of_the_source_count_where_they_are_meant_to() {
    let source = "One\nTwo\n\n\nThree\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>";
    assert_eq!(plain_text(source, LineFeeds::Break), "One\nTwo\n\nThree\n\n- a\n- b");
    assert_eq!(plain_text("One\r\nTwo", LineFeeds::Break), "One\nTwo");
    assert_eq!(text(source), "One Two Three\n\n- a\n- b");
}

#[test]
fn scripts_styles_and_handlers_are_gone() {
    let hostile = r#"<p onclick="alert(1)">Nice <b>pot</b></p><script>alert(2)</script><STYLE>p{}</STYLE><img src=x onerror=alert(3)>
        <a href="javascript:alert(4)">link</a><iframe src="https://x.example">inner</iframe><svg><script>alert(5)</script></svg><textarea>alert(6)</textarea>
        <!-- comment --><noscript>alert(7)</noscript><title>alert(8)</title>"#;
    let kept = text(hostile);
    assert!(kept.starts_with("Nice pot\n\nlink"), "{kept}");
    for word in ["alert", "<", "onclick", "onerror", "javascript", "inner", "comment", "p{}"] {
        assert!(!kept.contains(word), "{word}: {kept}");
    }
}

#[test]
fn markup_cannot_be_hidden_within_markup() {
    for html in [
        "<scr<script>ipt>x</scr</script>ipt>",
        "<<b>script>x<</b>/script>",
        "<p/onclick=x <b>y",
        "<math><mi><style><img src=x onerror=y>",
    ] {
        let kept = text(html);
        assert!(!kept.contains("<s") && !kept.contains("<i") && !kept.contains("<p"), "{html}: {kept}");
    }
}

#[test]
fn escaped_markup_stays_text_even_for_who_takes_it_for_html() {
    assert_eq!(text("use &lt;b&gt;bold&lt;/b&gt;"), "use ‹b›bold‹/b›");
    assert_eq!(text("&lt;img src=x onerror=alert(1)&gt;"), "‹img src=x onerror=alert(1)›");
    assert_eq!(text("&lt;<b>script</b>&gt;"), "‹script›");
    assert_eq!(text("&lt;&lt;script&gt;&gt;"), "<‹script›>");
    assert_eq!(text("&lt;!-- &lt;? &lt;3"), "‹!-- ‹? <3");
}

#[test]
fn control_characters_are_dropped() {
    assert_eq!(text("a\u{7}b<i>\u{0}c</i>\u{1b}[0m"), "ab\u{fffd}c[0m".replace('\u{fffd}', ""));
}

#[test]
fn hostile_html_takes_no_long_time() {
    let html = format!("{}deep{}", "<div>".repeat(100_000), "</div>".repeat(100_000));
    assert_eq!(text(&html), "deep");
    let html = format!("{}deep", "<b><i><table>".repeat(50_000));
    assert_eq!(text(&html), "deep");
}
