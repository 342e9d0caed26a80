//! From starting the process to its first answers.

use std::time::{Duration, Instant};

use crate::Outcome;
use crate::process::Cores;
use crate::report::{Report, Row, milliseconds};
use crate::shop::Shop;

/// Starts of each shop.
const STARTS: usize = 10;

/// Longest time to the first answer.
const LIMIT: Duration = Duration::from_millis(150);

/// Measures starts. The files are in the system's cache, as after an update of the program.
pub(crate) fn measure(shops: &[Shop], cores: &Cores, report: &mut Report) -> Outcome<()> {
    for shop in shops {
        eprintln!("starting with {} products", shop.name());
        let mut first_answers = Vec::new();
        let mut searches = Vec::new();
        for _ in 0..STARTS {
            let start = Instant::now();
            let (mut server, first_answer) = shop.serve(cores)?;
            first_answers.push(first_answer);
            server.wait_for_search()?;
            searches.push(start.elapsed());
        }
        first_answers.sort_unstable();
        searches.sort_unstable();
        let (median, worst) = (first_answers[STARTS / 2], first_answers[STARTS - 1]);
        let text = format!("median {}, worst {}", milliseconds(median), milliseconds(worst));
        report.add(Row::new("start to first answer", shop).measured(text).target("< 150 ms", worst < LIMIT));
        report.add(
            Row::new("start to first search", shop).measured(format!("median {}", milliseconds(searches[STARTS / 2]))),
        );
    }
    Ok(())
}
