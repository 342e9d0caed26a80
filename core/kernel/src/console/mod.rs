//! The operator's console as far as the kernel knows it: who may do what there, who is logged in, and what its pages take.
//!
//! The guard of its routes is `http/console_guard.rs`. Who the people are, how they log in and out: the storey `staff`. The pages:
//! the host.

mod abilities;
mod camera;
mod cell;
mod cookie;
mod export;
mod extract;
mod fields;
mod form;
mod list;
mod moment;
mod page;
mod panel;
mod placed_form;
mod queries;
mod query;
mod refused;
mod row_act;
mod session;
mod shown_list;
mod since;
mod sort;
mod sorting;
mod told;
mod upload;
mod view;
mod waiting;
mod way_back;

pub use abilities::{ConsoleAbilities, ConsoleAbility, OwnedConsoleAbility};
pub use cell::Cell;
pub use cookie::{
    door_cookie, forget_staff_cookie, presented_door_secret, presented_staff_session, staff_cookie, staff_cookie_name,
};
pub use extract::{Doorstep, Staff, StaffForm};
pub use fields::{FieldKind, FormField};
pub use form::{ConsoleForm, FormFile, FormStart, FormValues, file_form, form};
pub use list::{
    BulkForm, Column, FEW_OF_A_KIND, Filter, FilterKind, List, ListButton, ListPage, ListedRow, MOST_COUNTED,
    MOST_FOUND, PER_PAGE, RowCount,
};
pub use moment::{MOMENT_HINT, moment};
pub use page::{ConsolePage, Menu, MenuEntry, page};
pub use panel::{ConsolePanel, FilledPanel, On, OwnedConsolePanel, Panels};
pub use placed_form::{CodePhoto, FormPage, OncePage};
pub use query::{ListQuery, PageAddress, PageAsked};
pub use refused::{Refused, sentence};
pub use row_act::RowAct;
pub use session::{StaffSession, end_staff_session, find_staff_session, start_staff_session};
pub use since::{IdsBetween, ids_between};
pub use sort::{Direction, MOST_SORTED, RowsWanted, Sort, SortBy, SortPart, SortValue};
pub use told::{ShownOnce, Told, Tone};
pub use upload::{StaffUpload, UploadedFile};
pub use view::{ConsoleAnswer, ConsolePages, ShowConsole};
pub use waiting::{OwnedWaiting, Waits};
pub use way_back::WayBack;

pub(crate) use session::{touch_staff_session, whose_staff_session};
pub(crate) use told::carry;
pub(crate) use upload::{UploadContent, texts_of_upload};
pub(crate) use way_back::{forget_way_back, keep_way_back};
