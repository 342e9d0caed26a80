//! What is behind the demo's digital products: files to be downloaded, and keys to be delivered.
//!
//! They are handed to the modules as an operator would do it, by their commands; so nothing here knows how a module keeps
//! its goods, and what is not linked or switched off gets none.

use std::fmt::Write;
use std::future::ready;
use std::path::Path;

use rust_embed::Embed;
use stoa_core::commands::{Bench, CommandContext, Output};
use stoa_core::random::Random;
use stoa_kernel::from_shop::ShopParts;

use super::recording::recording;
use crate::failure::Failure;
use crate::installation::Installation;

/// Files of products, each in a folder that is called like its product.
#[derive(Embed)]
#[folder = "demo/goods"]
struct Files;

/// A file that is made rather than kept, with its product.
const RECORDING: (&str, &str) = ("dawn-recordings", "dawn-on-four-mountains.wav");

/// The product whose pool is filled, and how many keys it gets.
const KEYS: (&str, usize) = ("agora-sans", 60);

/// Gives the demo's products their files and keys. Again, it adds no file twice.
pub(super) async fn supply(installation: &Installation, parts: &ShopParts, random: &Random) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let goods = Goods { installation, parts, folder: folder.path() };
    for name in Files::iter() {
        let (Some(file), Some((product, filename))) = (Files::get(&name), name.split_once('/')) else { continue };
        goods.attach(product, filename, &file.data).await?;
    }
    let (product, filename) = RECORDING;
    goods.attach(product, filename, &recording()).await?;
    let (product, count) = KEYS;
    goods.run(&["digital-secrets", "add", product, "keys.txt"], "keys.txt", keys(count, random).as_bytes()).await
}

fn keys(count: usize, random: &Random) -> String {
    (0..count).fold(String::new(), |mut keys, _| {
        let (first, second) = (random.alphanumeric(5).to_uppercase(), random.alphanumeric(5).to_uppercase());
        let _ = writeln!(keys, "AGORA-{first}-{second}");
        keys
    })
}

struct Goods<'a> {
    installation: &'a Installation,
    parts: &'a ShopParts,
    folder: &'a Path,
}

impl Goods<'_> {
    async fn attach(&self, product: &str, filename: &str, content: &[u8]) -> Result<(), Failure> {
        self.run(&["downloads", "attach", product, filename], filename, content).await
    }

    /// Runs a module's command on a file, if there is such a command.
    async fn run(&self, arguments: &[&str], file: &str, content: &[u8]) -> Result<(), Failure> {
        let name = arguments.first().copied().unwrap_or_default();
        let commands = &self.installation.program.registry.commands;
        let Some(command) = commands.find(name).filter(|command| command.enabled) else { return Ok(()) };
        std::fs::write(self.folder.join(file), content)?;
        let matches = command.describe().try_get_matches_from(arguments)?;
        let bench = Bench { folder: self.folder.to_owned(), output: Output::kept() };
        let open = |Bench { folder, output }| ready(Ok(CommandContext { parts: self.parts.clone(), folder, output }));
        command.run(&matches, bench, open).await
    }
}
