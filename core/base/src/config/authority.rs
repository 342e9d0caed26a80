//! Files with certificate authorities that are believed besides the system's.

use std::fs;
use std::path::Path;

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// Why nobody could be believed for what is in this file, as a clause; none if it holds certificates and nothing broken.
pub(super) fn refusal(file: &Path) -> Option<String> {
    let shown = file.display();
    if !file.is_file() {
        return Some(format!("there is no file {shown}"));
    }
    let text = match fs::read(file) {
        Ok(text) => text,
        Err(error) => return Some(format!("the file {shown} cannot be read: {error}")),
    };
    let mut authorities = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&text) {
        let added = certificate.map_err(|error| error.to_string());
        let added = added.and_then(|found| authorities.add(found).map_err(|error| error.to_string()));
        if let Err(error) = added {
            return Some(format!("the file {shown} holds a certificate that cannot be used: {error}"));
        }
    }
    authorities
        .is_empty()
        .then(|| format!("the file {shown} holds no certificate; one in PEM begins with `-----BEGIN CERTIFICATE-----`"))
}
