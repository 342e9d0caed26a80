//! Clients that keep the server waiting.

use super::*;

#[tokio::test]
async fn silent_connection_is_closed() {
    let server = Running::start(ServerLimits { header_read: SHORT, ..patient() }).await;
    assert_eq!(server.connect().await.closed().await, "");
}

#[tokio::test]
async fn half_sent_header_is_closed() {
    let server = Running::start(ServerLimits { header_read: SHORT, ..patient() }).await;
    let mut client = server.connect().await;
    client.send("GET / HTTP/1.1\r\nHost: x\r\n").await;
    assert_eq!(client.closed().await, "");
}

#[tokio::test]
async fn half_sent_http2_preface_is_closed() {
    let server = Running::start(ServerLimits { header_read: SHORT, ..patient() }).await;
    let mut client = server.connect().await;
    client.send("PRI * HT").await;
    assert_eq!(client.closed().await, "");
}

#[tokio::test]
async fn http2_preface_without_a_request_is_closed() {
    let server = Running::start(ServerLimits { header_read: SHORT, ..patient() }).await;
    let mut client = server.connect().await;
    client.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await;
    client.closed().await;
}

#[tokio::test]
async fn header_sent_byte_by_byte_does_not_stretch_the_time() {
    let server = Running::start(ServerLimits { header_read: SHORT, ..patient() }).await;
    let client = server.connect().await;
    let (mut reader, mut writer) = client.tcp.into_split();
    let trickle = async {
        let mut ticks = tokio::time::interval(SHORT / 10);
        loop {
            ticks.tick().await;
            if writer.write_all(b"X").await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    };
    let mut answer = Vec::new();
    within(async {
        tokio::select! {
            () = trickle => {}
            _ = reader.read_to_end(&mut answer) => {}
        }
    })
    .await;
    assert!(answer.is_empty());
}

#[tokio::test]
async fn half_sent_second_header_is_closed() {
    let server = Running::start(ServerLimits { header_read: SHORT, ..patient() }).await;
    let mut client = server.connect().await;
    assert_eq!(client.get("/").await, "HTTP/1.1 200 OK");
    client.send("GET / HT").await;
    assert_eq!(client.closed().await, "");
}

#[tokio::test]
async fn idle_connection_is_closed_after_its_answer() {
    let server = Running::start(ServerLimits { idle: SHORT, ..patient() }).await;
    let mut client = server.connect().await;
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(client.closed().await.starts_with("HTTP/1.1 200 OK"));
}

#[tokio::test]
async fn handler_may_take_longer_than_every_time_out() {
    let limits = ServerLimits { header_read: SHORT, idle: SHORT, write_stall: SHORT, linger: SHORT, ..patient() };
    let server = Running::start(limits).await;
    let mut client = server.connect_gated().await;
    // A connection that came later outlives its time-out, so the first one's would be over too.
    assert_eq!(server.connect().await.closed().await, "");
    server.gate.open.add_permits(1);
    assert_eq!(client.response().await.0, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn stalled_body_is_given_up() {
    let server = Running::start(ServerLimits { body_stall: SHORT, linger: SHORT, ..patient() }).await;
    let mut client = server.connect().await;
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf").await;
    let answer = client.closed().await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.ends_with("the client stopped sending the request body"), "{answer}");
}

#[tokio::test]
async fn body_in_small_pieces_is_given_up_after_its_total_time() {
    let server = Running::start(ServerLimits { body_total: SHORT, linger: SHORT, ..patient() }).await;
    let mut client = server.connect().await;
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n").await;
    let (mut reader, mut writer) = client.tcp.into_split();
    let trickle = async {
        let mut ticks = tokio::time::interval(SHORT / 10);
        while writer.write_all(b"1\r\nx\r\n").await.is_ok() {
            ticks.tick().await;
        }
        std::future::pending::<()>().await;
    };
    let mut answer = vec![0; 12];
    within(async {
        tokio::select! {
            () = trickle => {}
            read = reader.read_exact(&mut answer) => assert_eq!(read.unwrap(), 12),
        }
    })
    .await;
    assert_eq!(answer, b"HTTP/1.1 408");
}

#[tokio::test]
async fn whole_body_arrives_with_pauses() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 8\r\n\r\n").await;
    assert_eq!(client.response().await.0, "HTTP/1.1 100 Continue");
    client.send("half").await;
    client.send("half").await;
    assert!(client.response().await.1.ends_with("\r\n\r\nhalfhalf"));
}

#[tokio::test]
async fn client_that_takes_no_more_of_a_response_is_cut() {
    let server = Running::start(ServerLimits { write_stall: SHORT, ..patient() }).await;
    let mut clients = Vec::new();
    for path in ["/large", "/endless"] {
        let mut client = server.connect().await;
        client.send(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")).await;
        within(client.tcp.readable()).await.unwrap();
        clients.push(client);
    }
    // The stop waits for the responses under way, unless the stall has ended them.
    server.stop.cancel();
    assert_eq!(within(server.outcome).await.unwrap(), 0);
}

#[tokio::test]
async fn slow_reader_gets_the_whole_response() {
    let server = Running::start(ServerLimits { write_stall: SHORT * 3, idle: SHORT * 3, ..patient() }).await;
    let mut client = server.connect().await;
    client.send("GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
    let mut ticks = tokio::time::interval(Duration::from_millis(10));
    let mut piece = vec![0; LARGE / 64];
    let mut total = 0;
    loop {
        let count = within(client.tcp.read(&mut piece)).await.unwrap();
        if count == 0 {
            break;
        }
        total += count;
        ticks.tick().await;
    }
    assert!(total > LARGE, "{total}");
}

#[tokio::test]
async fn handler_may_take_long_after_a_response_that_its_client_took_slowly() {
    let server = Running::start(ServerLimits { write_stall: SHORT, header_read: SHORT * 2, ..patient() }).await;
    let mut client = server.connect().await;
    client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\nGET /gated HTTP/1.1\r\nHost: x\r\n\r\n").await;
    let mut piece = vec![0; 64 * 1024];
    let arrived = server.gate.arrived.notified();
    let take_all = async { while client.tcp.read(&mut piece).await.unwrap() > 0 {} };
    within(async {
        tokio::select! {
            () = arrived => {}
            () = take_all => panic!("the large response was cut"),
        }
    })
    .await;
    // A connection that came later outlives its time-out, so the first one's would be over too.
    assert_eq!(server.connect().await.closed().await, "");
    server.stop.cancel();
    server.gate.open.add_permits(1);
    assert!(client.closed().await.ends_with("late"));
}
