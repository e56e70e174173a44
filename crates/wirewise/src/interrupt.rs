//! Files that are being written are removed when the user interrupts us.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

static PARTIAL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn partial() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PARTIAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is not complete yet: it goes away with this guard, and with the process when that is interrupted.
#[derive(Debug)]
pub(crate) struct Partial {
    path: PathBuf,
}

impl Partial {
    pub(crate) fn create(path: PathBuf) -> io::Result<(File, Partial)> {
        watch();
        let mut partial = partial();
        let file = File::create(&path)?;
        partial.insert(path.clone());
        Ok((file, Partial { path }))
    }

    /// The file is complete: it gets its name.
    pub(crate) fn rename(&self, to: &Path) -> io::Result<()> {
        let mut partial = partial();
        fs::rename(&self.path, to)?;
        partial.remove(&self.path);
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        let mut partial = partial();
        if partial.remove(&self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

static ONCE: Once = Once::new();

/// Somebody else takes care of interrupts.
pub(crate) fn leave() {
    ONCE.call_once(|| {});
}

/// From now on, an interrupt cleans up before it ends the process, with the status that shells give to that signal.
#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    ONCE.call_once(|| {
        // Without it the file stays, and nothing else is lost.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        let wait = move || {
            if let Some(signal) = signals.forever().next() {
                let files = partial();
                for path in files.iter() {
                    let _ = fs::remove_file(path);
                }
                // The lock is still held, so that no file is made or gets its name after this.
                std::process::exit(128 + signal);
            }
        };
        let _ = std::thread::Builder::new().name("interrupts".to_owned()).spawn(wait);
    });
}

#[cfg(not(unix))]
fn watch() {}
