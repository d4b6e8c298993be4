//! Background work of a server: jobs that are due, one after the other, and a look every now and then.

use std::time::Duration;

use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;

use crate::places::Places;

const LOOK_EVERY: Duration = Duration::from_secs(1);
/// After trouble with the database it is left alone for a while.
const AFTER_TROUBLE: Duration = Duration::from_secs(10);

/// Never returns. Works only while nobody asks for anything, and on a thread where it may block.
pub(crate) async fn work(places: Places) {
    let run: String = Ids::system().next(Clock::system().now());
    let worker = format!("serve:{run}");
    loop {
        match places.work_one(&worker).await {
            Ok(true) if places.are_all_free() => tokio::task::yield_now().await,
            Ok(_) => tokio::time::sleep(LOOK_EVERY).await,
            Err(error) => {
                tracing::warn!(%error, "background jobs cannot be run");
                tokio::time::sleep(AFTER_TROUBLE).await;
            }
        }
    }
}
