//! The people who work in the console: their roles, passwords, second factors, passkeys, sessions and login links.
//!
//! Who may do what is decided in the kernel (`stoa_kernel::console`), whose guard reads a person's role with each request: what is
//! taken from somebody is gone at once.

mod credentials;
mod factor;
mod links;
mod members;
mod passkeys;
mod password;
mod queries;
mod sessions;

pub use credentials::{Arriving, LoggedIn, StaffCredentials};
pub use factor::{NewFactor, begin_factor, confirm_factor, remove_factor};
pub use links::{LINK_MINUTES, LoginLink, make_login_link};
pub use members::{
    NewStaff, StaffError, StaffMember, create_staff, disable_staff, enable_staff, find_staff, list_staff, reset_staff,
    set_staff_role,
};
pub use passkeys::{
    AddedPasskey, PasskeyError, PasskeyShop, PresentedPasskey, StaffPasskey, add_passkey, list_passkeys,
    passkey_to_add, passkey_to_show, remove_passkey,
};
pub use password::{STAFF_PASSWORD_LENGTH, check_staff_password, set_staff_password};
pub use sessions::{StaffBrowser, end_session_of, end_sessions_of, list_staff_sessions};

use stoa_kernel::module::ModuleContext;
use stoa_kernel::retention::Expired;

/// Rows that nobody needs once they are over.
const EXPIRED: [Expired; 3] = [
    Expired { what: "sessions of staff", delete: queries::DELETE_EXPIRED_SESSIONS, before: |_, now| now },
    Expired { what: "login links of staff", delete: queries::DELETE_EXPIRED_LINKS, before: |_, now| now },
    Expired { what: "challenges of passkeys", delete: passkeys::DELETE_USED_CHALLENGES, before: |_, now| now },
];

/// What this storey brings.
pub fn register(cx: &mut ModuleContext<'_>) {
    cx.expires(&EXPIRED);
    for (name, opens) in [
        ("staff.view", "see the people who work here"),
        ("staff.manage", "add people, change their roles, log them out and take their access away"),
        ("audit.view", "see who has changed what"),
    ] {
        cx.console_ability(name, opens);
    }
}
