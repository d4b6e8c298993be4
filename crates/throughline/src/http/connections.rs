//! Connections: taken in until the server is told to stop, a bounded number at a time, and none that keeps us waiting.

use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::util::MapRequest;

use super::pace::Taken;

/// From where a request comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// Whoever comes when so many are inside waits at the door.
const AT_ONCE: usize = 1024;
/// A client that needs longer to say what it wants is let go.
const SLOWEST_HEAD: Duration = Duration::from_secs(10);
/// When the system has no room for another connection just now.
const PAUSE: Duration = Duration::from_millis(50);

/// Clones share the places.
#[derive(Clone)]
pub(super) struct Connections {
    free: Arc<Semaphore>,
    slowest_client: Duration,
}

impl Connections {
    pub(super) fn new(slowest_client: Duration) -> Connections {
        Connections { free: Arc::new(Semaphore::new(AT_ONCE)), slowest_client }
    }

    pub(super) fn open(&self) -> usize {
        // One place is taken for whoever comes next.
        (AT_ONCE - self.free.available_permits()).saturating_sub(1)
    }

    /// Returns when `until` is ready and those inside have left.
    pub(super) async fn serve(&self, socket: TcpListener, routes: Router, until: impl Future<Output = ()>) {
        let inside = GracefulShutdown::new();
        let mut http = Builder::new(TokioExecutor::new()).http1_only();
        http.http1().timer(TokioTimer::new()).header_read_timeout(SLOWEST_HEAD);
        let mut until = std::pin::pin!(until);
        loop {
            let accepted = async {
                let place = self.free.clone().acquire_owned().await;
                (place, socket.accept().await)
            };
            let (place, accepted) = tokio::select! {
                accepted = accepted => accepted,
                () = &mut until => break,
            };
            match accepted {
                Ok((stream, peer)) => {
                    let peer = Peer(peer.ip());
                    let service = MapRequest::new(routes.clone(), move |mut request: Request<Incoming>| {
                        request.extensions_mut().insert(peer);
                        request
                    });
                    // Small answers are on their way at once. That it cannot be had is no reason to refuse a connection.
                    let _ = stream.set_nodelay(true);
                    let stream = Taken::new(stream, self.slowest_client);
                    let served = http
                        .serve_connection_with_upgrades(
                            TokioIo::new(stream),
                            TowerToHyperService::new(service),
                        )
                        .into_owned();
                    let served = inside.watch(served);
                    tokio::spawn(async move {
                        let _place = place;
                        if let Err(error) = served.await {
                            tracing::debug!(%error, "a connection ended early");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "could not take in a connection");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        drop(socket);
        inside.shutdown().await;
    }
}
