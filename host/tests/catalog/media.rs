//! `GET /media/…`: files of the media folder, and nothing else.

use http::Method;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, TestShop, both_databases};

use crate::logs;

async fn get(client: &TestClient, path: &str) -> TestResponse {
    client.send(client.site_request(Method::GET, path, "")).await
}

async fn shop_with_pictures(backend: Backend) -> TestShop {
    let shop = TestShop::new(backend).await;
    let folder = &shop.parts.config.media.folder;
    std::fs::create_dir_all(folder.join("demo")).expect("the folder can be made");
    std::fs::write(folder.join("demo/a b.svg"), "<svg/>").expect("the picture can be written");
    std::fs::write(folder.parent().expect("a folder above").join("secret.txt"), "secret").expect("written");
    shop
}

both_databases!(a_picture_is_served_so_that_it_cannot_run_anything);
async fn a_picture_is_served_so_that_it_cannot_run_anything(backend: Backend) {
    let shop = shop_with_pictures(backend).await;
    let answer = get(&shop.client(), "/media/demo/a%20b.svg").await.expect_status(200);
    assert_eq!(answer.text(), "<svg/>");
    assert_eq!(answer.header("content-type"), Some("image/svg+xml"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert!(answer.header("content-security-policy").is_some_and(|policy| policy.contains("sandbox")));
}

both_databases!(nothing_outside_the_media_folder_is_served);
async fn nothing_outside_the_media_folder_is_served(backend: Backend) {
    let shop = shop_with_pictures(backend).await;
    for path in [
        "/media/../secret.txt",
        "/media/%2e%2e/secret.txt",
        "/media/demo/..%2f..%2fsecret.txt",
        "/media/demo",
        "/media/",
        "/media/none.svg",
        "/media/%00",
        "/media//etc/passwd",
    ] {
        get(&shop.client(), path).await.expect_error(404, "not_found");
    }
}

#[cfg(unix)]
both_databases!(links_are_followed_within_the_media_folder_and_not_out_of_it);
#[cfg(unix)]
async fn links_are_followed_within_the_media_folder_and_not_out_of_it(backend: Backend) {
    use std::os::unix::fs::symlink;

    let shop = shop_with_pictures(backend).await;
    let folder = &shop.parts.config.media.folder;
    let outside = folder.parent().expect("a folder above").canonicalize().expect("it is there");
    symlink("demo/a b.svg", folder.join("same.svg")).expect("links can be made");
    symlink("../secret.txt", folder.join("secret.txt")).expect("links can be made");
    symlink(&outside, folder.join("outside")).expect("links can be made");
    assert_eq!(get(&shop.client(), "/media/same.svg").await.expect_status(200).text(), "<svg/>");
    for path in ["/media/secret.txt", "/media/outside/secret.txt"] {
        get(&shop.client(), path).await.expect_error(404, "not_found");
    }
    // The folder itself may be reached by a link: the operator has named it.
    let linked = TestShop::new(backend).await;
    symlink(folder, &linked.parts.config.media.folder)
        .or_else(|_| {
            std::fs::create_dir_all(linked.folder().join("data"))?;
            symlink(folder, &linked.parts.config.media.folder)
        })
        .expect("links can be made");
    get(&linked.client(), "/media/demo/a%20b.svg").await.expect_status(200);
}

both_databases!(hidden_files_are_not_served);
async fn hidden_files_are_not_served(backend: Backend) {
    let shop = shop_with_pictures(backend).await;
    let folder = &shop.parts.config.media.folder;
    std::fs::create_dir_all(folder.join(".git")).expect("the folder can be made");
    for name in [".env", ".git/config", "demo/.htpasswd"] {
        std::fs::write(folder.join(name), "secret").expect("the file can be written");
    }
    for path in
        ["/media/.env", "/media/%2eenv", "/media/.git/config", "/media/demo/.htpasswd", "/media/demo%2f.htpasswd"]
    {
        get(&shop.client(), path).await.expect_error(404, "not_found");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(".env", folder.join("shown.txt")).expect("links can be made");
        get(&shop.client(), "/media/shown.txt").await.expect_error(404, "not_found");
    }
}

both_databases!(media_is_read_only);
async fn media_is_read_only(backend: Backend) {
    let shop = shop_with_pictures(backend).await;
    let client = shop.client();
    let answer = client.send(client.site_request(Method::POST, "/media/demo/a%20b.svg", "{}")).await;
    answer.expect_error(405, "method_not_allowed");
}

both_databases!(a_name_that_no_file_can_have_is_not_found_and_not_kept);
async fn a_name_that_no_file_can_have_is_not_found_and_not_kept(backend: Backend) {
    let shop = shop_with_pictures(backend).await;
    let long = "a".repeat(256);
    let deep = "a/".repeat(3000);
    for path in [format!("/media/{long}.svg"), format!("/media/{long}/b.svg"), format!("/media/{deep}b.svg")] {
        let answer = get(&shop.client(), &path).await.expect_error(404, "not_found");
        assert_eq!(answer.header("cache-control"), None);
    }
    get(&shop.client(), "/media/demo/a%20b.svg/c.svg").await.expect_error(404, "not_found");
}

both_databases!(a_range_behind_the_end_is_refused_and_not_kept);
async fn a_range_behind_the_end_is_refused_and_not_kept(backend: Backend) {
    let shop = shop_with_pictures(backend).await;
    let client = shop.client();
    let path = "/media/demo/a%20b.svg";
    let part = get(&client.with_header("range", "bytes=1-3"), path).await.expect_status(206);
    assert_eq!((part.text().as_str(), part.header("content-range")), ("svg", Some("bytes 1-3/6")));
    let refused = get(&client.with_header("range", "bytes=6-"), path).await.expect_error(416, "validation_error");
    assert_eq!((refused.header("content-range"), refused.header("cache-control")), (Some("bytes */6"), None));
    // Several ranges at once may be answered with the whole.
    assert_eq!(get(&client.with_header("range", "bytes=0-1,3-4"), path).await.expect_status(200).text(), "<svg/>");
}

both_databases!(a_picture_that_has_changed_is_not_said_to_be_gone);
async fn a_picture_that_has_changed_is_not_said_to_be_gone(backend: Backend) {
    let shop = shop_with_pictures(backend).await;
    let client = shop.client().with_header("if-unmodified-since", "Thu, 01 Jan 2015 00:00:00 GMT");
    let refused = get(&client, "/media/demo/a%20b.svg").await.expect_error(412, "invalid_state");
    assert_eq!(refused.header("cache-control"), None);
}

#[cfg(unix)]
both_databases!(a_file_that_cannot_be_read_is_a_failure_of_the_shop_logged_once);
#[cfg(unix)]
async fn a_file_that_cannot_be_read_is_a_failure_of_the_shop_logged_once(backend: Backend) {
    logs::keep();
    let shop = shop_with_pictures(backend).await;
    let folder = &shop.parts.config.media.folder;
    // A link that leads to itself: whoever follows it is stopped by the system.
    std::os::unix::fs::symlink("circle.svg", folder.join("circle.svg")).expect("links can be made");
    let id = format!("circle-{}", backend.as_str());
    let client = shop.client().with_header("x-request-id", &id);
    let answer = get(&client, "/media/circle.svg").await.expect_error(500, "server_error");
    assert_eq!(answer.header("cache-control"), None);
    let lines = logs::with(&id);
    assert!(lines.len() == 1 && lines[0].contains("ERROR"), "{lines:?}");
}
