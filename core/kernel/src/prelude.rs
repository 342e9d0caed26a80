//! What a module's files start with: `use stoa_core::prelude::*;`.

pub use axum::extract::State;
pub use schemars::JsonSchema;
pub use serde::{Deserialize, Serialize};

pub use crate::audit::Subject;
pub use crate::clock::Clock;
pub use crate::commands::{Bench, CommandContext, Failure, ModuleCommand, ModuleTool, Output, shown_time};
pub use crate::console::{
    Cell, ConsoleAnswer, ConsolePanel, FormFile, FormStart, FormValues, List, ListQuery, MOST_COUNTED, Menu, On,
    Refused, RowAct, RowCount, Told, UploadedFile, file_form, form, page,
};
pub use crate::db::{Db, DbError, ListDb, MigrationSet, Reader, Sql, Tx};
pub use crate::doctor::{Examine, Finding, WhileOff};
pub use crate::events::{
    AfterCommit, CommittedEvent, Event, InTransaction, ListenerError, Preflight, PreflightEvent, TransactionEvent, Veto,
};
pub use crate::from_shop::FromShop;
pub use crate::gateways::{
    AttemptReport, AttemptRequest, AttemptStatus, Callback, CallbackError, Gateway, GatewayError, Notice,
    NoticeSubject, Notification, RefundReport, RefundRequest, RefundStatus, StartedAttempt,
};
pub use crate::http::answer::{Created, Data, Done};
pub use crate::http::error::{ApiError, ApiResult};
pub use crate::http::extract::{Body, Customer, Id, Input, Name, Uses};
pub use crate::http::page::{PageRequest, Paged, example_page};
pub use crate::http::rules::{Rules, field};
pub use crate::http::table::{Routes, routes};
pub use crate::i18n::{Language, Message, Texts, Violation};
pub use crate::invariant::Invariant;
pub use crate::jobs::Job;
pub use crate::metrics::{Measure, Sample};
pub use crate::module::{
    AddLines, AddedLine, CartToPrice, FacetValue, Module, ModuleConfig, ModuleContext, ProductFacet, ProductSettings,
    RegisterError, SettingField, SettingKind, ShownProduct, TellDetails, UnitPrice, UnitToPrice, WithdrawalRight,
};
pub use crate::money::{Currency, Money};
pub use crate::order_link::{BoughtBy, Buyer};
pub use crate::pages::{ListPages, Panel, PanelOn, SitemapPage};
pub use crate::personal_data::PersonalData;
pub use crate::{from_shop, migrations, sql, text, texts};
