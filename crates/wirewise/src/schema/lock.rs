//! Numbers that a lock file keeps.

use std::path::{Path, PathBuf};

use wirewise_idl::{Lock, Module};

use crate::cli::{LockOptions, Output};
use crate::failure::{Failure, tell};
use crate::{files, schemas};

/// A lock that is to be written when all else is done.
pub(super) struct Change {
    path: PathBuf,
    text: String,
    /// How many numbers differ from the file that there is; `None`: there is none.
    count: Option<usize>,
}

/// Gives a module the numbers of the lock that the options name, or else of `beside`, if that exists.
pub(super) fn apply(
    options: &LockOptions,
    beside: Option<&Path>,
    module: Module,
) -> Result<(Module, Option<Change>), Failure> {
    let path = match (&options.lock, beside) {
        (Some(path), _) => path.as_path(),
        (None, Some(beside)) => beside,
        (None, None) => return no_lock(options, module),
    };
    let old = schemas::read_lock(path)?;
    if old.is_none() && (options.lock.is_none() || options.locked) {
        return no_lock(options, module);
    }
    let locked = old.clone().unwrap_or_default().apply(&module);
    let locked = locked.map_err(|error| Failure::from_idl(&error, path))?;
    if locked.changes.is_empty() && old.is_some() {
        return Ok((locked.module, None));
    }
    if options.locked {
        return Err(refusal(path, locked.changes));
    }
    let count = old.map(|_: Lock| locked.changes.len());
    Ok((locked.module, Some(Change { path: path.to_owned(), text: locked.lock.to_text(), count })))
}

fn no_lock(options: &LockOptions, module: Module) -> Result<(Module, Option<Change>), Failure> {
    if options.locked {
        return Err(Failure::negative("there is no number lock").hint("--lock FILE, without --locked, makes one"));
    }
    Ok((module, None))
}

fn refusal(path: &Path, changes: Vec<String>) -> Failure {
    let failure = Failure::negative("the number lock would change, which --locked forbids").in_file(path);
    failure.hint("run the same without --locked, and commit the file").changes(changes)
}

impl Change {
    /// Writes the file.
    pub(super) fn write(&self, output: Output) -> Result<(), Failure> {
        files::write(&self.path, self.text.as_bytes())?;
        if let (Some(count), Output::Text) = (self.count, output) {
            let changes = if count == 1 { "1 change".to_owned() } else { format!("{count} changes") };
            tell(&format!("note: {}: {changes}", self.path.display()));
        }
        Ok(())
    }
}
