//! The server on stdin and stdout, for as long as the client wants: it ends when stdin closes or on a signal, and takes
//! nothing with it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use anyhow::{Context as _, Result};
use rmcp::service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::stdio_pipes;
use rmcp::{RoleServer, ServiceExt as _};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::Server;
use crate::stop::told_to_stop;

/// Answers that are nearly there are still sent after stdin closed; nobody waits longer.
const LAST_ANSWERS: Duration = Duration::from_millis(250);
/// Folding the log helps the next process, and must not keep this one.
const LAST_FOLD: Duration = Duration::from_millis(150);
/// The calls, the jobs at the side, stdin, stdout and the last fold.
const THREADS: usize = 16;

pub(crate) fn serve(server: Server) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()
        .context("cannot start the server's runtime")?;
    let served = runtime.block_on(run(server));
    // Calls that still run end with the process: what they had not committed did not happen.
    runtime.shutdown_background();
    served
}

async fn run(server: Server) -> Result<()> {
    let told_to_stop = told_to_stop()?;
    let closed = Arc::new(Notify::new());
    let (stdin, stdout) = stdio_pipes();
    let stdin = UntilClosed { inner: stdin, closed: closed.clone() };
    let transport = Lenient { inner: AsyncRwTransport::new_server(stdin, stdout), begun: false };
    let door = server.places.door().clone();
    let served = tokio::select! {
        served = converse(server, transport) => served,
        () = last_answers(&closed) => Ok(()),
        () = told_to_stop => Ok(()),
    };
    let folded = tokio::task::spawn_blocking(move || door.close());
    if timeout(LAST_FOLD, folded).await.is_err() {
        tracing::debug!("the write-ahead log was left to the next process");
    }
    served
}

async fn converse(server: Server, transport: impl Transport<RoleServer> + 'static) -> Result<()> {
    match server.serve(transport).await {
        Ok(running) => running.waiting().await.map(|_| ()).context("the server broke off"),
        // A client that leaves before it asked anything has what it wanted.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => {
            Err(error).context("the client does not speak MCP; `throughline install` sets up those that do")
        }
    }
}

async fn last_answers(closed: &Notify) {
    closed.notified().await;
    tokio::time::sleep(LAST_ANSWERS).await;
}

/// Overhears what comes before the first request that begins a conversation: a client that only probed may still take
/// its probe back, and the library would hang up on it.
struct Lenient<T> {
    inner: T,
    begun: bool,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Lenient<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            match &message {
                RxJsonRpcMessage::<RoleServer>::Request(request) => {
                    let probes = ["server/discover", "ping"].contains(&request.request.method());
                    self.begun |= !probes;
                    return Some(message);
                }
                _ if self.begun => return Some(message),
                _ => tracing::debug!("a message before any request was ignored"),
            }
        }
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.inner.close().await
    }
}

/// Tells when its end was read: the library would wait for running calls for seconds.
struct UntilClosed<R> {
    inner: R,
    closed: Arc<Notify>,
}

impl<R: AsyncRead + Unpin> AsyncRead for UntilClosed<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        let ended = match &read {
            Poll::Ready(Ok(())) => buffer.filled().len() == before,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if ended {
            self.closed.notify_one();
        }
        read
    }
}
