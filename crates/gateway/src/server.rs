//! Listening, from the start to the end.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::net::TcpListener;

use crate::config::Config;
use crate::edge::{Acceptor, Certificates, Door};
use crate::telemetry::Status;
use crate::{Error, Gateway, Result, Surroundings};

/// Where a gateway listens.
#[derive(Debug, Clone, Copy)]
pub struct Addresses {
    /// Where clients are answered.
    pub clients: SocketAddr,
    /// Whether they are to use TLS.
    pub is_tls: bool,
    /// Where metrics and health are.
    pub telemetry: Option<SocketAddr>,
}

/// Serves until `stop` is done. Then readiness is turned off, no connection is accepted any more, and requests in progress end.
/// `started` is told the addresses once it listens.
///
/// # Errors
/// When the configuration cannot be used, or an address not be listened on.
pub async fn serve(
    config: &Config,
    surroundings: &dyn Surroundings,
    started: impl FnOnce(Addresses, &Gateway),
    stop: impl Future<Output = ()>,
) -> Result<()> {
    let door = Arc::new(Door::new(config, surroundings)?);
    let certificates = config.tls.as_ref().map(Certificates::new).transpose()?;
    let tls = certificates.as_ref().map(Certificates::acceptor).transpose()?;
    let (listener, clients) = bind(config.listen, &["listen"]).await?;
    let status = Arc::new(Status { door: door.clone(), is_ending: AtomicBool::new(false) });
    let mut telemetry = None;
    if let Some(address) = config.telemetry.listen {
        let (listener, address) = bind(address, &["telemetry", "listen"]).await?;
        tokio::spawn(status.clone().listen(listener));
        telemetry = Some(address);
    }
    if let Some(tracing) = &door.tracing {
        tracing.install();
    }
    if let Some(certificates) = certificates {
        tokio::spawn(certificates.keep_fresh());
    }
    if let Some(guard) = &door.guard {
        tokio::spawn(guard.clone().keep_fresh());
    }
    door.gateway.start();
    started(Addresses { clients, is_tls: tls.is_some(), telemetry }, &door.gateway);

    let ending = async {
        stop.await;
        status.is_ending.store(true, Ordering::Relaxed);
        // Whoever balances the load is to see it before connections are refused.
        tokio::time::sleep(config.limits.drain_delay.0).await;
    };
    let mut ending = pin!(ending);
    // Who connects now waits: for the data, and not for longer than this.
    let has_data = tokio::time::timeout(config.limits.start_time.0, door.gateway.ready());
    let is_over = tokio::select! {
        _ = has_data => false,
        () = &mut ending => true,
    };
    if !is_over {
        let acceptor = Arc::new(Acceptor::new(door.clone(), &config.limits, tls));
        let connections = acceptor.accept(listener, ending).await;
        let drain = config.limits.drain_time.0;
        if tokio::time::timeout(drain, connections.close()).await.is_err() {
            tracing::warn!("requests still in progress after {drain:?} are cut off");
        }
    }
    if let Some(tracing) = &door.tracing {
        tracing.clone().close().await;
    }
    Ok(())
}

async fn bind(address: SocketAddr, key: &[&str]) -> Result<(TcpListener, SocketAddr)> {
    let wrong = |error: std::io::Error| {
        let mut wrong = Error::new(format!("cannot listen on {address}: {error}"))
            .hint(format!("choose another address with `{}`", key.join(".")));
        wrong.key = key.iter().map(|&part| part.to_owned()).collect();
        wrong
    };
    let listener = TcpListener::bind(address).await.map_err(wrong)?;
    let address = listener.local_addr().map_err(wrong)?;
    Ok((listener, address))
}
