//! What a handler's signature says about its route.
//!
//! Every extractor implements [`Takes`] and every answer [`DescribesAnswer`]; [`Shape`] reads both off the
//! handler's type, so that path variables, request body and answer are described by the same types
//! that do the work.

use std::future::Future;

use super::table::Operation;

/// An extractor that can say what it takes from the request.
pub trait Takes {
    /// Adds to the description what this extractor takes; nothing by default.
    fn takes(operation: &mut Operation) {
        let _ = operation;
    }
}

/// An answer that can say what it looks like.
pub trait DescribesAnswer {
    /// Sets the answer in the description.
    fn answers(operation: &mut Operation);
}

/// A handler whose signature describes its route.
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
