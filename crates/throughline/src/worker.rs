//! Background work of a server: jobs that are due, one after the other, and a look every now and then.

use std::sync::Arc;
use std::time::Duration;

use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::store;

use crate::door::Door;
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

/// Returns when the database turns out to be damaged: a server does not go on writing to such a one. Looks once, beside
/// what is asked meanwhile.
pub(crate) async fn damage(door: Option<Arc<Door>>) -> anyhow::Error {
    let Some(door) = door else { return std::future::pending().await };
    let look = tokio::task::spawn_blocking(move || {
        let Some(engine) = door.existing_engine()? else { return Ok(None) };
        Ok::<_, anyhow::Error>(engine.store().first_damage()?)
    });
    match look.await {
        Ok(Ok(Some(damage))) => store::Error::Corrupt(damage).into(),
        Ok(Err(error)) if crate::wire::error::kind(&error) == "corrupt" => error,
        Ok(Ok(None) | Err(_)) | Err(_) => std::future::pending().await,
    }
}
