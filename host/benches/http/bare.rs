//! The server that Stoa is compared with: axum, nothing else, a fixed body.

use std::fs;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::routing::get;
use axum::serve::ListenerExt;
use bytes::Bytes;
use http::{HeaderValue, header};

use crate::process::{Cores, Running};
use crate::wire::{Client, free_address};
use crate::{Outcome, shop};

/// The bodies that the bare server answers with: name of the file, and its route.
///
/// They are answers of Stoa, so the size is the same. `/pages` stands for `/products?page=400`,
/// because looking at the query would be more than bare.
const ROUTES: [(&str, &str); 3] =
    [("list", "/api/v1/products"), ("page", "/api/v1/pages"), ("product", "/api/v1/products/{slug}")];

/// Runs the bare server on the address that stands in the folder, for ever.
pub(crate) fn serve(folder: &Path) -> Outcome<()> {
    let mut router = Router::new();
    for (name, route) in ROUTES {
        let body = Bytes::from(fs::read(folder.join(name))?);
        let content_type = HeaderValue::from_static("application/json");
        router = router.route(route, get(async move || ([(header::CONTENT_TYPE, content_type)], body)));
    }
    let address = fs::read_to_string(folder.join("address"))?;
    // The same runtime that Stoa makes.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await?.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, router).await?;
        Ok(())
    })
}

/// A bare server in a process of its own.
pub(crate) struct Bare {
    pub(crate) process: Running,
    pub(crate) address: std::net::SocketAddr,
}

/// The bodies of one bare server, in the order of [`ROUTES`].
pub(crate) struct Bodies {
    pub(crate) list: Vec<u8>,
    pub(crate) page: Vec<u8>,
    pub(crate) product: Vec<u8>,
}

impl Bare {
    /// Starts this very program again as the bare server.
    pub(crate) fn start(folder: PathBuf, bodies: &Bodies, cores: &Cores) -> Outcome<Self> {
        fs::create_dir_all(&folder)?;
        let address = free_address()?;
        fs::write(folder.join("address"), address.to_string())?;
        for ((name, _), body) in ROUTES.iter().zip([&bodies.list, &bodies.page, &bodies.product]) {
            fs::write(folder.join(name), body)?;
        }
        let program = std::env::current_exe()?;
        let mut process = Running::start(cores.server(&program).arg("--bare").arg(folder))?;
        Client::wait_for(address, shop::LIST, || process.check())?;
        Ok(Self { process, address })
    }
}
