//! What a record says that nothing in this shop knows. It can be stored, but does not do what was meant.

use std::path::Path;

use stoa_kernel::config::Config;
use stoa_kernel::module::ProductModules;
use stoa_kernel::suggestion::{closest, did_you_mean};

use super::record::{CategoryRecord, Member, ProductRecord, Record};
use super::render::is_elsewhere;

/// Something in a record that this shop knows nothing of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doubt {
    /// The member that it is in, such as `tax_class` or `images[1]`.
    pub member: String,
    /// What kind of thing is not known.
    pub kind: DoubtKind,
    /// What is wrong, and what follows from it.
    pub reason: String,
}

/// What kind of thing is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DoubtKind {
    /// A tax class without rates.
    TaxClass,
    /// A capability that nothing in the program provides.
    Capability,
    /// A capability that a module provides which is off.
    CapabilityOff,
    /// An image that is not in the media folder.
    Image,
}

/// What the shop knows nothing of among all that a record says.
pub fn doubts(record: &Record, config: &Config, modules: &impl AsRef<ProductModules>) -> Vec<Doubt> {
    match record {
        Record::Category(record) => of_category(record, config),
        Record::Product(record) => of_product(record, config, modules.as_ref()),
    }
}

/// Whether an image is a file of the media folder that is not there. Those with a scheme are on other servers.
pub fn is_missing_image(folder: &Path, image: &str) -> bool {
    !is_elsewhere(image) && !folder.join(image.trim_start_matches('/')).is_file()
}

fn of_category(record: &CategoryRecord, config: &Config) -> Vec<Doubt> {
    record.image.value().and_then(|image| missing_image(String::from("image"), image, config)).into_iter().collect()
}

fn of_product(record: &ProductRecord, config: &Config, modules: &ProductModules) -> Vec<Doubt> {
    let tax_class = record.tax_class.value().and_then(|class| tax_class(class, config));
    let capabilities = numbered(&record.capabilities)
        .filter_map(|(index, key)| capability(format!("capabilities[{index}]"), key, modules));
    let images =
        numbered(&record.images).filter_map(|(index, image)| missing_image(format!("images[{index}]"), image, config));
    tax_class.into_iter().chain(capabilities).chain(images).collect()
}

fn numbered(member: &Member<Vec<String>>) -> impl Iterator<Item = (usize, &String)> {
    member.value().into_iter().flatten().enumerate()
}

fn tax_class(class: &str, config: &Config) -> Option<Doubt> {
    let known = &config.tax.classes;
    if known.contains_key(class) {
        return None;
    }
    let meant = did_you_mean(closest(class, known.keys().map(String::as_str)));
    let reason = format!("there is no `tax.classes.{class}` in the configuration, so the standard rates hold{meant}");
    Some(Doubt { member: String::from("tax_class"), kind: DoubtKind::TaxClass, reason })
}

fn capability(member: String, key: &str, modules: &ProductModules) -> Option<Doubt> {
    if modules.capabilities().contains(&key) {
        return None;
    }
    let provider = modules.all().iter().find(|module| module.capabilities.contains(&key));
    let (kind, reason) = if let Some(module) = provider {
        let needed = format!("`{key}` needs `modules.{}.enabled = true`", module.name);
        (DoubtKind::CapabilityOff, format!("{needed}: until then the product cannot be bought"))
    } else {
        let all = modules.all().iter().flat_map(|module| module.capabilities).copied();
        let meant = did_you_mean(closest(key, all.chain(modules.capabilities().iter().copied())));
        let why = format!("nothing in this program provides `{key}`");
        (DoubtKind::Capability, format!("{why}, so the product cannot be bought{meant}"))
    };
    Some(Doubt { member, kind, reason })
}

/// A bucket is not asked for each image of a file that may have thousands; `stoa doctor` looks at all of them.
fn missing_image(member: String, image: &str, config: &Config) -> Option<Doubt> {
    if config.media.url.is_some() {
        return None;
    }
    let folder = &config.media.folder;
    is_missing_image(folder, image).then(|| Doubt {
        member,
        kind: DoubtKind::Image,
        reason: format!("there is no file `{image}` in the media folder {}", folder.display()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_media_folder_can_be_missing() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        std::fs::create_dir(folder.path().join("lamps")).expect("it is ours");
        std::fs::write(folder.path().join("lamps/a.svg"), "").expect("it is ours");
        assert!(!is_missing_image(folder.path(), "lamps/a.svg"));
        assert!(!is_missing_image(folder.path(), "/lamps/a.svg"));
        assert!(!is_missing_image(folder.path(), "https://cdn.example/a.svg"));
        assert!(!is_missing_image(folder.path(), "HTTP://cdn.example/a.svg"));
        assert!(is_missing_image(folder.path(), "lamps/b.svg"));
        assert!(is_missing_image(folder.path(), "lamps"));
    }
}
