//! Threads that serve connections: each has an event loop of its own, and a connection stays where it began. Nothing of a request
//! moves between processors, and no thread wakes another for it, which is most of what a small answer costs otherwise.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle};
use tokio::sync::watch;

/// The threads. They end, without waiting for anybody, when this goes.
pub(crate) struct Workers {
    all: Vec<Worker>,
    _alive: watch::Sender<()>,
}

struct Worker {
    handle: Handle,
    /// How many connections it has.
    open: Arc<AtomicUsize>,
}

/// Counts a connection as long as it lives.
struct Open(Arc<AtomicUsize>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Workers {
    /// As many as there are processors.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub(crate) fn start() -> io::Result<Workers> {
        let alive = watch::Sender::new(());
        let count = thread::available_parallelism().map_or(1, usize::from);
        let all = (0..count).map(|number| Worker::start(number, alive.subscribe())).collect::<io::Result<_>>()?;
        Ok(Workers { all, _alive: alive })
    }

    /// Serves a connection on the thread that has the fewest.
    ///
    /// # Errors
    /// When the stream cannot be moved there.
    pub(crate) fn spawn<F>(
        &self,
        stream: TcpStream,
        serve: impl FnOnce(TcpStream) -> F + Send + 'static,
    ) -> io::Result<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let Some(worker) = self.all.iter().min_by_key(|worker| worker.open.load(Ordering::Relaxed)) else {
            return Err(io::ErrorKind::NotConnected.into());
        };
        let stream = stream.into_std()?;
        worker.open.fetch_add(1, Ordering::Relaxed);
        let open = Open(worker.open.clone());
        worker.handle.spawn(async move {
            let _open = open;
            match TcpStream::from_std(stream) {
                Ok(stream) => serve(stream).await,
                Err(error) => tracing::warn!("a connection could not be served: {error}"),
            }
        });
        Ok(())
    }
}

impl Worker {
    fn start(number: usize, mut alive: watch::Receiver<()>) -> io::Result<Worker> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        thread::Builder::new().name(format!("worker-{number}")).spawn(move || {
            // An error says that the other side has gone; nothing else is ever said.
            runtime.block_on(async { while alive.changed().await.is_ok() {} });
            runtime.shutdown_background();
        })?;
        Ok(Worker { handle, open: Arc::default() })
    }
}
