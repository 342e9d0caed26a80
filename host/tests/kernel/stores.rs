//! The places where limits are counted, and tests that run on both.

/// Where limits are counted.
#[derive(Clone, Copy)]
pub(crate) enum Store {
    Memory,
    Redis,
}

/// Makes the tests `name::memory` and `name::redis` of one `fn name(store: Store)`.
macro_rules! both_stores {
    ($name:ident) => {
        mod $name {
            #[test]
            fn memory() {
                super::$name(crate::stores::Store::Memory);
            }

            #[test]
            fn redis() {
                super::$name(crate::stores::Store::Redis);
            }
        }
    };
}

pub(crate) use both_stores;
