//! The disk below the database file.

use std::path::{Path, PathBuf};

use super::finding::Finding;

/// Where Linux lists what is mounted.
const MOUNTS: &str = "/proc/self/mountinfo";

/// File systems that other machines share: their locks are too weak for SQLite.
const SHARED: &[&str] = &[
    "9p",
    "afs",
    "ceph",
    "cifs",
    "davfs",
    "fuse.cephfs",
    "fuse.davfs2",
    "fuse.glusterfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "glusterfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "smb3",
    "smbfs",
    "virtiofs",
];

/// File systems whose content does not outlive the machine or the container.
const PASSING: &[&str] = &["overlay", "ramfs", "tmpfs"];

const MEBIBYTE: u64 = 1024 * 1024;

/// Below this, orders are about to fail.
const TOO_LITTLE: u64 = 100 * MEBIBYTE;

/// Below this, or below the database's own size, a backup or an import may not fit.
const LITTLE: u64 = 1024 * MEBIBYTE;

/// Whether SQLite can rely on the file system.
pub(super) fn local_disk(file: &Path) -> Finding {
    const CHECK: &str = "disk.local";
    let mounts = std::fs::read_to_string(MOUNTS).unwrap_or_default();
    let path = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let fix = "let `database.url` name a file on a disk of this machine, or use PostgreSQL";
    match file_system(&mounts, &path) {
        None => Finding::ok(CHECK, "the file system is not known here"),
        Some(kind) if SHARED.contains(&kind.as_str()) => {
            let message =
                format!("{} is on {kind}, which other machines share: SQLite may lose data there", file.display());
            Finding::failure(CHECK, message, fix)
        }
        Some(kind) if PASSING.contains(&kind.as_str()) => {
            let message = format!("{} is on {kind}, which does not outlive this machine or container", file.display());
            Finding::warning(CHECK, message, "keep the database on a disk, or on a volume of the container")
        }
        Some(kind) => Finding::ok(CHECK, format!("{} is on {kind}", file.display())),
    }
}

/// The kind of the file system that `path` is on, as `mountinfo` tells it.
fn file_system(mounts: &str, path: &Path) -> Option<String> {
    let mounted = mounts.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let point = PathBuf::from(unescape(before.split(' ').nth(4)?));
        let kind = after.split(' ').next()?;
        path.starts_with(&point).then(|| (point.components().count(), kind.to_owned()))
    });
    // Of several that are mounted over one another, the last one is seen.
    mounted.max_by_key(|(depth, _)| *depth).map(|(_, kind)| kind)
}

/// `\040` stands for a space.
fn unescape(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(code) = part.get(..3).and_then(|code| u8::from_str_radix(code, 8).ok()) {
            plain.push(char::from(code));
            plain.push_str(&part[3..]);
        } else {
            plain.push('\\');
            plain.push_str(part);
        }
    }
    plain
}

/// Whether there is room for what comes.
pub(super) fn free_space(file: &Path) -> Finding {
    const CHECK: &str = "disk.space";
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match rustix::fs::statvfs(folder) {
        Err(error) => {
            let message = format!("the free space below {} is not known: {error}", folder.display());
            Finding::warning(CHECK, message, "check that the folder of `database.url` exists")
        }
        Ok(found) => {
            let size = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
            judge_space(folder, found.f_bavail.saturating_mul(found.f_frsize), size)
        }
    }
}

fn judge_space(folder: &Path, free: u64, size: u64) -> Finding {
    const CHECK: &str = "disk.space";
    let message = format!("{} MiB are free in {}", free / MEBIBYTE, folder.display());
    if free < TOO_LITTLE {
        return Finding::failure(CHECK, message, "make room, or move the database to a larger disk");
    }
    if free < LITTLE.max(size) {
        let message = format!("{message}, too little for a backup of {} MiB and an import beside it", size / MEBIBYTE);
        return Finding::warning(CHECK, message, "make room, or move the database to a larger disk");
    }
    Finding::ok(CHECK, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::State;

    const MOUNTED: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:25 / /tmp rw - tmpfs tmpfs rw
31 22 0:40 / /srv/my\\040shop rw,relatime shared:5 - nfs4 server:/export rw
32 22 0:41 / /srv rw - xfs /dev/sdb1 rw
";

    #[test]
    fn the_deepest_mount_is_the_file_system_of_a_path() {
        let kind = |path| file_system(MOUNTED, Path::new(path));
        assert_eq!(kind("/var/lib/stoa/shop.db").as_deref(), Some("ext4"));
        assert_eq!(kind("/srv/shop.db").as_deref(), Some("xfs"));
        assert_eq!(kind("/srv/my shop/shop.db").as_deref(), Some("nfs4"));
        assert_eq!(kind("/srvother/shop.db").as_deref(), Some("ext4"));
        assert_eq!(file_system("", Path::new("/srv")), None);
    }

    #[test]
    fn a_mount_over_another_hides_it() {
        let mounts = format!("{MOUNTED}33 22 0:42 / /srv rw - fuse.sshfs host: rw\n");
        assert_eq!(file_system(&mounts, Path::new("/srv/shop.db")).as_deref(), Some("fuse.sshfs"));
    }

    #[test]
    fn space_must_suffice_for_a_copy_of_the_database() {
        let state = |free, size| judge_space(Path::new("/srv"), free * MEBIBYTE, size * MEBIBYTE).state;
        assert_eq!(state(50, 1), State::Failure);
        assert_eq!(state(500, 1), State::Warning);
        assert_eq!(state(5_000, 10), State::Ok);
        assert_eq!(state(5_000, 6_000), State::Warning);
    }
}
