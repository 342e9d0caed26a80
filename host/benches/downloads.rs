//! Downloads of a large file from the release binary, beside a plain tower-http file server, with their memory.
//!
//! `cargo bench -p stoa-commerce --bench downloads -- --help` lists what can be asked for.

#[path = "http/process.rs"]
#[expect(dead_code, reason = "the HTTP benchmark uses more of it")]
mod process;
#[path = "http/wire.rs"]
#[expect(dead_code, reason = "the HTTP benchmark uses more of it")]
mod wire;

use std::error::Error;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use axum::Router;
use clap::Parser;
use serde_json::{Value, json};
use tower_http::services::ServeFile;

use crate::process::{Cores, Running};
use crate::wire::{Client, Head, free_address, get, get_with, post_with};

/// What any step of the benchmark may fail with; it ends the run.
type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The least share of the plain server's speed, and the most MiB that a transfer may take.
const LEAST_SHARE: f64 = 0.8;
const MOST_MEBIBYTES: f64 = 32.0;

/// The limits are off; everything else is as it is out of the box.
const CONFIGURATION: &str = r"[limits]
checkout = { requests = 0, per_seconds = 60 }
protected = { requests = 0, per_seconds = 60 }
catalog = { requests = 0, per_seconds = 60 }

[modules.downloads]
enabled = true
";

/// Measure downloads.
#[derive(Debug, Parser)]
#[command(name = "downloads")]
struct Options {
    /// Size of the file in MiB.
    #[arg(long, default_value_t = 1024)]
    mebibytes: u32,
    /// Rounds; each server is asked once in each of them.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// The binary to measure. Default: the one that cargo has just built.
    #[arg(long, default_value = env!("CARGO_BIN_EXE_stoa"))]
    binary: PathBuf,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
    /// Be the plain server of this file, on the address in the second argument.
    #[arg(long, hide = true, num_args = 2)]
    plain: Vec<String>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let outcome = match options.plain.as_slice() {
        [file, address] => serve_plain(file, address),
        _ if !options.bench => {
            println!("left out: `cargo bench -p stoa-commerce --bench downloads` runs it");
            Ok(())
        }
        _ => measure(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("downloads bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Serves one file for ever, as a program would that does nothing else.
fn serve_plain(file: &str, address: &str) -> Outcome<()> {
    let router = Router::new().route_service("/file", ServeFile::new(file));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        axum::serve(tokio::net::TcpListener::bind(address).await?, router).await?;
        Ok(())
    })
}

fn measure(options: &Options) -> Outcome<()> {
    let cores = Cores::pin_this_process();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("downloads-bench");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let file = folder.join("large.bin");
    write_file(&file, options.mebibytes)?;
    let shop = Shop { binary: options.binary.clone(), folder: folder.clone() };
    let (stoa, request) = shop.open(&cores)?;
    let plain = Server::plain(&file, &cores)?;
    let plain_request = get("/file");
    // Once each without being measured, so that the file is in the system's cache for both.
    fetch(stoa.address, &request)?;
    fetch(plain.address, &plain_request)?;
    let idle = stoa.process.memory();
    let (mut own, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        own.push(fetch(stoa.address, &request)?);
        theirs.push(fetch(plain.address, &plain_request)?);
    }
    report(options, &cores, &stoa, idle, (&mut own, &mut theirs));
    fs::remove_dir_all(folder)?;
    Ok(())
}

fn report(
    options: &Options,
    cores: &Cores,
    stoa: &Server,
    idle: Option<(f64, f64)>,
    (own, theirs): (&mut [f64], &mut [f64]),
) {
    let (own, theirs) = (median(own), median(theirs));
    let share = own / theirs;
    println!("{} MiB, {} rounds, {}", options.mebibytes, options.rounds, cores.description());
    println!("stoa downloads: {own:.0} MB/s");
    println!("tower-http ServeFile: {theirs:.0} MB/s");
    println!("share: {:.1} % (target: at least {:.0} %)", share * 100.0, LEAST_SHARE * 100.0);
    if let (Some((before, _)), Some((after, highest))) = (idle, stoa.process.memory()) {
        let taken = highest - before;
        println!("memory: {before:.0} MiB before, {after:.0} MiB after, {highest:.0} MiB at most");
        println!("a transfer takes {taken:.1} MiB at most (target: under {MOST_MEBIBYTES:.0} MiB)");
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// A file whose content does not repeat within a piece.
fn write_file(path: &Path, mebibytes: u32) -> Outcome<()> {
    let mut file = File::create(path)?;
    let mut block = vec![0_u8; 1024 * 1024];
    let mut state = 1_u32;
    for _ in 0..mebibytes {
        for byte in &mut block {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = state.to_be_bytes()[0];
        }
        file.write_all(&block)?;
    }
    Ok(file.sync_all()?)
}

/// Fetches the file and throws it away; gives millions of bytes in a second.
fn fetch(address: SocketAddr, request: &[u8]) -> Outcome<f64> {
    let mut stream = TcpStream::connect(address)?;
    let mut buffer = vec![0_u8; 1024 * 1024];
    let start = Instant::now();
    stream.write_all(request)?;
    let mut filled = 0;
    let head = loop {
        match stream.read(&mut buffer[filled..])? {
            0 => return Err("the server has closed the connection".into()),
            read => filled += read,
        }
        if let Some(head) = Head::parse(&buffer[..filled])? {
            break head;
        }
    };
    if head.status != 200 {
        return Err(format!("the file was answered with {}", head.status).into());
    }
    let mut left = head.body - (filled - head.length);
    while left > 0 {
        match stream.read(&mut buffer)? {
            0 => return Err("the file was cut".into()),
            read => left -= read.min(left),
        }
    }
    let bytes = u32::try_from(head.body / 1000)?;
    Ok(f64::from(bytes) / 1000.0 / start.elapsed().as_secs_f64())
}

/// A process that serves the file.
struct Server {
    process: Running,
    address: SocketAddr,
}

impl Server {
    fn plain(file: &Path, cores: &Cores) -> Outcome<Self> {
        let address = free_address()?;
        let mut command = cores.server(&std::env::current_exe()?);
        command.arg("--plain").arg(file).arg(address.to_string());
        let mut process = Running::start(&mut command)?;
        while TcpStream::connect(address).is_err() {
            process.check()?;
            std::thread::yield_now();
        }
        Ok(Self { process, address })
    }
}

/// A shop in a folder, with one product that costs nothing and has the file.
struct Shop {
    binary: PathBuf,
    folder: PathBuf,
}

impl Shop {
    /// Runs a command and gives what it prints, as JSON if it is some.
    fn run(&self, arguments: &[&str]) -> Outcome<Value> {
        let mut command = std::process::Command::new(&self.binary);
        command.env_clear().current_dir(&self.folder).args(arguments);
        let output = command.output()?;
        if !output.status.success() {
            return Err(format!("stoa {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(serde_json::from_slice(&output.stdout).unwrap_or_default())
    }

    /// Serves it to a customer who has bought the file; gives the request for it.
    fn open(&self, cores: &Cores) -> Outcome<(Server, Box<[u8]>)> {
        fs::write(self.folder.join("config.toml"), CONFIGURATION)?;
        let product = json!({"type": "product", "slug": "large", "name": "Large", "price_amount": 0,
                             "capabilities": ["digital"]});
        fs::write(self.folder.join("catalog.jsonl"), product.to_string())?;
        self.run(&["import", "catalog.jsonl"])?;
        let person = ["customer", "create", "--email", "a@example.com", "--name", "A", "--password", "a long password"];
        self.run(&[&person[..], &["--verified", "--json"]].concat())?;
        let token = ["token", "create", "--customer", "a@example.com", "--name", "t", "--ability", "*", "--json"];
        let token = self.run(&token)?["token"].as_str().ok_or("there is no token")?.to_owned();
        self.run(&["downloads", "attach", "large", "large.bin"])?;
        let address = free_address()?;
        let log = File::create(self.folder.join("serve.log"))?;
        let mut command = cores.server(&self.binary);
        command.env_clear().env("STOA_SERVER__LISTEN", address.to_string()).current_dir(&self.folder);
        command.arg("serve").stdout(log.try_clone()?).stderr(log);
        let mut process = Running::start(&mut command)?;
        let mut client = Client::wait_for(address, "/api/v1/products", || process.check())?;
        let bearer = format!("Bearer {token}");
        let own = [("authorization", bearer.as_str())];
        let products: Value = serde_json::from_slice(client.body("/api/v1/products")?)?;
        let line = json!({"product_id": products["data"][0]["id"]}).to_string();
        client.send(&post_with("/api/v1/cart", &line, &own))?;
        let billing = json!({"name": "A", "line1": "B 1", "city": "C", "postal_code": "1000 AA", "country": "NL"});
        client.send(&post_with("/api/v1/checkout", &json!({"billing": billing}).to_string(), &own))?;
        let path = self.granted(&mut client, &own)?;
        Ok((Server { process, address }, get_with(&path, &own)))
    }

    /// The path of the file, once the worker has granted it.
    fn granted(&self, client: &mut Client, own: &[(&str, &str)]) -> Outcome<String> {
        let deadline = Instant::now() + std::time::Duration::from_secs(30);
        while Instant::now() < deadline {
            let (_, body) = client.send(&get_with("/api/v1/downloads", own))?;
            let listed: Value = serde_json::from_slice(body)?;
            if let Some(token) = listed["data"][0]["token"].as_str() {
                return Ok(format!("/api/v1/downloads/{token}"));
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        Err(format!("the file was not granted; see {}", self.folder.join("serve.log").display()).into())
    }
}
