//! The file that holds the installation's key: one line of base64, for its owner only.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::Builder;

use super::KeyError;
use crate::config::EncryptionKey;
use crate::private_files::make_folder;
use crate::random::Random;

/// Rights that nobody but the owner may have: anything for others, writing for the group.
///
/// The group may read, since that is how service managers and containers hand a secret to a
/// service's user.
const FORBIDDEN: u32 = 0o027;

/// The key in a file; none when there is no file.
pub fn read(path: &Path) -> Result<Option<EncryptionKey>, KeyError> {
    let failed = |error| KeyError::Read(path.to_path_buf(), error);
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let rights = metadata.permissions().mode() & 0o777;
    if metadata.is_file() && rights & FORBIDDEN != 0 {
        return Err(KeyError::Exposed { file: path.to_path_buf(), rights });
    }
    let bytes = fs::read(path).map_err(failed)?;
    let key = std::str::from_utf8(&bytes).ok().and_then(EncryptionKey::from_base64);
    key.map(Some).ok_or_else(|| KeyError::Malformed(path.to_path_buf()))
}

/// Makes a new key with its file. When another program made the file in the meantime, its key is taken.
pub fn create(path: &Path, random: &Random) -> Result<EncryptionKey, KeyError> {
    let key = EncryptionKey::new(random.bytes());
    match write_new(path, &key) {
        Ok(()) => Ok(key),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            read(path)?.ok_or_else(|| KeyError::Create(path.to_path_buf(), error))
        }
        Err(error) => Err(KeyError::Create(path.to_path_buf(), error)),
    }
}

/// A name that the file may have while it is written, and no other program uses. Whoever is killed meanwhile leaves it behind,
/// with the key in it.
pub fn draft_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    folder_of(path).join(format!(".stoa-{name}-{}", Random::system().uuid()))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a key to a file that does not exist, with its folder. The file appears with all its content and survives a
/// power cut from then on.
pub fn write_new(path: &Path, key: &EncryptionKey) -> io::Result<()> {
    write_new_through(path, key, &draft_of(path))
}

/// The same under a name that the caller has chosen with [`draft_of`], to remove what may be left of it.
pub fn write_new_through(path: &Path, key: &EncryptionKey, draft: &Path) -> io::Result<()> {
    let folder = folder_of(path);
    make_folder(folder)?;
    // A temporary file is made for its owner only.
    let mut draft = Builder::new().prefix(draft.file_name().unwrap_or_default()).rand_bytes(0).tempfile_in(folder)?;
    writeln!(draft, "{}", key.to_base64().expose())?;
    draft.as_file().sync_all()?;
    draft.persist_noclobber(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary folder can be made")
    }

    fn chmod(path: &Path, rights: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(rights)).expect("the owner may change rights");
    }

    #[test]
    fn a_new_key_is_for_its_owner_only_and_is_read_again() {
        let folder = folder();
        let path = folder.path().join("keys/shop.key");
        let key = create(&path, &Random::seeded(1)).expect("it is made with its folder");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(read(&path).expect("it can be read"), Some(key));
        let left = fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(left, 1, "no draft is left behind");
    }

    #[test]
    fn the_content_of_the_file_works_as_a_setting() {
        let folder = folder();
        let path = folder.path().join("shop.key");
        let key = create(&path, &Random::seeded(1)).expect("it is made");
        let text = fs::read_to_string(&path).expect("it is text");
        assert_eq!(EncryptionKey::from_base64(&text), Some(key));
    }

    #[test]
    fn an_existing_file_is_never_replaced() {
        let folder = folder();
        let path = folder.path().join("shop.key");
        let first = create(&path, &Random::seeded(1)).expect("it is made");
        assert_eq!(create(&path, &Random::seeded(2)).expect("the first stays"), first);
        assert!(write_new(&path, &EncryptionKey::new([9; 32])).is_err());
        assert_eq!(read(&path).unwrap(), Some(first));
    }

    #[test]
    fn a_missing_file_holds_no_key() {
        assert_eq!(read(&folder().path().join("shop.key")).expect("nothing is wrong with that"), None);
    }

    #[test]
    fn a_file_that_others_may_read_is_refused_with_the_command_that_mends_it() {
        let folder = folder();
        let path = folder.path().join("shop.key");
        create(&path, &Random::seeded(1)).expect("it is made");
        for rights in [0o644, 0o604, 0o602, 0o620, 0o666, 0o777] {
            chmod(&path, rights);
            let refused = read(&path).expect_err("it is open to others").to_string();
            assert!(refused.contains(&format!("chmod 600 {}", path.display())), "{refused}");
            assert!(refused.contains(&format!("rights {rights:o}")), "{refused}");
        }
        for rights in [0o600, 0o400, 0o640, 0o440] {
            chmod(&path, rights);
            assert!(read(&path).expect("it is closed").is_some());
        }
    }

    #[test]
    fn anything_but_a_key_is_refused_without_being_shown() {
        let folder = folder();
        let path = folder.path().join("shop.key");
        for content in [&b""[..], b"hunter2", &[0xff; 32], b"c2hvcnQ="] {
            fs::write(&path, content).expect("it is written");
            chmod(&path, 0o600);
            let refused = read(&path).expect_err("this is no key").to_string();
            assert!(refused.contains("32 bytes in base64") && !refused.contains("hunter2"), "{refused}");
        }
    }

    #[test]
    fn a_folder_in_its_place_is_refused() {
        let folder = folder();
        let refused = read(folder.path()).expect_err("a folder is no file").to_string();
        assert!(refused.contains(&folder.path().display().to_string()), "{refused}");
    }
}
