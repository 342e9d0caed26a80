//! What a handler's signature says about its route.
//!
//! Every extractor implements [`Takes`] and every answer [`DescribesAnswer`]; [`Shape`] reads both off the
//! handler's type, so that path variables, request body and answer are described by the same types
//! that do the work.

use std::future::Future;

use super::table::Operation;

/// An extractor that can say what it takes from the request.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no argument of a handler",
    note = "arguments are `Customer`, `Buyer`, `Id`, `Name`, `PageRequest`, `State<S>`, `Db`, `ListDb`, `Clock`, `Uses<…>`, and last `Body<T>`"
)]
pub trait Takes {
    /// Adds to the description what this extractor takes; nothing by default.
    fn takes(operation: &mut Operation) {
        let _ = operation;
    }
}

/// An answer that can say what it looks like.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no answer of a handler",
    note = "it answers `ApiResult<…>` of `Data<T>`, `Paged<T>`, `Created<T>` or `Done`"
)]
pub trait DescribesAnswer {
    /// Sets the answer in the description.
    fn answers(operation: &mut Operation);
}

/// A handler whose signature describes its route.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no handler of a route",
    note = "a handler is an `async fn` of at most eight arguments",
    note = "arguments are `Customer`, `Buyer`, `Id`, `Name`, `PageRequest`, `State<S>`, `Db`, `ListDb`, `Clock`, `Uses<…>`, and last `Body<T>`",
    note = "it answers `ApiResult<…>` of `Data<T>`, `Paged<T>`, `Created<T>` or `Done`"
)]
pub trait Shape<T> {
    /// Describes the route.
    fn describe(operation: &mut Operation);
}

impl<F, Fut, R> Shape<((),)> for F
where
    F: FnOnce() -> Fut,
    Fut: Future<Output = R>,
    R: DescribesAnswer,
{
    fn describe(operation: &mut Operation) {
        R::answers(operation);
    }
}

macro_rules! shape {
    ($($taken:ident),+) => {
        impl<F, Fut, R, M, $($taken),+> Shape<(M, $($taken,)+)> for F
        where
            F: FnOnce($($taken),+) -> Fut,
            Fut: Future<Output = R>,
            R: DescribesAnswer,
            $($taken: Takes,)+
        {
            fn describe(operation: &mut Operation) {
                $($taken::takes(operation);)+
                R::answers(operation);
            }
        }
    };
}

shape!(A);
shape!(A, B);
shape!(A, B, C);
shape!(A, B, C, D);
shape!(A, B, C, D, E);
shape!(A, B, C, D, E, G);
shape!(A, B, C, D, E, G, H);
shape!(A, B, C, D, E, G, H, I);
