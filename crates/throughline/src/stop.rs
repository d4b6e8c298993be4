//! When somebody tells a long-lived process to end.

use std::future::Future;

use anyhow::{Context as _, Result};

/// Is ready at the first SIGINT or SIGTERM after this call, also when nobody waits for it yet.
#[cfg(unix)]
pub(crate) fn told_to_stop() -> Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for SIGINT")?;
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
pub(crate) fn told_to_stop() -> Result<impl Future<Output = ()> + Send + 'static> {
    let mut interrupt = tokio::signal::windows::ctrl_c().context("cannot listen for Ctrl-C")?;
    Ok(async move {
        interrupt.recv().await;
    })
}
