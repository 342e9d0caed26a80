//! The people who work here: `/console/staff`, `/console/security`, and what is asked for after the password.

mod code;
mod passkeys;
mod security;
mod staff;

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    routes
        .get("console.login.code.show", "/login/code", code::show)
        .console_door()
        .post("console.login.code", "/login/code", code::check)
        .console_door()
        .post("console.login.code.passkey", "/login/code/passkey", passkeys::show)
        .console_door()
        .post("console.login.passkey", "/login/passkey", passkeys::log_in)
        .console_door()
        .get("console.staff", "/staff", staff::show)
        .console(Some("staff.view"))
        .post("console.staff.create", "/staff", staff::create)
        .console(Some("staff.manage"))
        .post("console.staff.role", "/staff/role", staff::set_role)
        .console(Some("staff.manage"))
        .post("console.staff.disable", "/staff/disable", staff::disable)
        .console(Some("staff.manage"))
        .post("console.staff.enable", "/staff/enable", staff::enable)
        .console(Some("staff.manage"))
        .post("console.staff.reset", "/staff/reset", staff::reset)
        .console(Some("staff.manage"))
        .post("console.staff.link", "/staff/link", staff::link)
        .console(Some("staff.manage"))
        .get("console.security", "/security", security::show)
        .console(None)
        .post("console.security.password", "/security/password", security::set_password)
        .console(None)
        .post("console.security.factor", "/security/factor", security::set_up_factor)
        .console(None)
        .post("console.security.factor.remove", "/security/factor/remove", security::take_factor_away)
        .console(None)
        .post("console.security.passkey", "/security/passkey", passkeys::add)
        .console(None)
        .post("console.security.passkey.remove", "/security/passkey/remove", passkeys::remove)
        .console(None)
        .post("console.security.go-on", "/security/go-on", security::go_on)
        .console(None)
        .post("console.security.session", "/security/session", security::end_session)
        .console(None)
}
