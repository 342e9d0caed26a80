//! The catalog through its interface: what is imported, listed, searched, cached and exported.

mod availability;
mod bucket_media;
mod caching;
mod categories;
mod details;
mod document;
mod exchange;
mod facts;
mod listing;
#[path = "../kernel/logs.rs"]
mod logs;
mod media;
mod pages;
mod scaled_media;
mod search;
mod shared_caches;
mod shelf;
mod visibility;
