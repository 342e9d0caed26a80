//! A mail server that takes everything over at once.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;

/// Starts one, and returns its port.
pub(crate) fn mail_server() -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || converse(stream));
        }
    });
    Ok(port)
}

/// As much of SMTP as a message needs (RFC 5321).
fn converse(mut stream: TcpStream) -> io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?);
    stream.write_all(b"220 bench\r\n")?;
    let (mut line, mut is_data) = (String::new(), false);
    loop {
        line.clear();
        if lines.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let answer: &[u8] = match line.trim_end() {
            "." if is_data => {
                is_data = false;
                b"250 taken\r\n"
            }
            _ if is_data => continue,
            "DATA" => {
                is_data = true;
                b"354 go on\r\n"
            }
            "QUIT" => b"221 bye\r\n",
            _ => b"250 ok\r\n",
        };
        stream.write_all(answer)?;
    }
}
