//! Inputs whose start can be looked at.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

use wirewise_core::ErrorKind;
use wirewise_formats::avro::container::Header;

use crate::failure::Failure;
use crate::files;

/// Bytes of standard input that a schema is inferred from; a file is read whole for that.
pub(super) const LOOKAHEAD: u64 = 16 << 20;

/// An input whose start can be looked at before it is read.
pub(crate) struct Input {
    start: Cursor<Vec<u8>>,
    rest: Box<dyn Read>,
}

impl Input {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        Ok(Input::of(files::open(path)?))
    }

    pub(crate) fn of(rest: Box<dyn Read>) -> Self {
        Input { start: Cursor::new(Vec::new()), rest }
    }

    /// The first bytes: `size` of them if there are so many.
    pub(crate) fn peek(&mut self, size: usize, path: &Path) -> Result<&[u8], Failure> {
        let want = size.saturating_sub(self.start.get_ref().len()) as u64;
        let read = (&mut self.rest).take(want).read_to_end(self.start.get_mut());
        read.map_err(|error| Failure::io("read", path, &error))?;
        let start = self.start.get_ref();
        Ok(&start[..start.len().min(size)])
    }

    /// The header of an Avro container.
    pub(super) fn container_header(&mut self, path: &Path) -> Result<Header, Failure> {
        let mut size = 64 << 10;
        loop {
            let start = self.peek(size, path)?;
            match Header::parse(start) {
                Ok((header, _)) => return Ok(header),
                // The header may be longer; its parser knows a limit.
                Err(error) if error.kind() == ErrorKind::End && start.len() == size => size *= 2,
                Err(error) => return Err(Failure::in_bytes(&error, path)),
            }
        }
    }

    /// Lets `work` read the input before it is converted: a file from its start to its end, standard input as far as it
    /// can be kept. `work` is told whether that is the whole.
    pub(super) fn for_inference<T>(
        &mut self,
        path: &Path,
        work: impl FnOnce(&mut dyn Read, bool) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        // A pipe that has a name cannot be read twice either.
        if !files::is_standard(path) && path.is_file() {
            let mut file = File::open(path).map_err(|error| Failure::io("open", path, &error))?;
            return work(&mut file, true);
        }
        let kept = self.peek(LOOKAHEAD as usize, path)?;
        let whole = kept.len() < LOOKAHEAD as usize;
        work(&mut &kept[..], whole)
    }
}

impl Read for Input {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        match self.start.read(out)? {
            0 => self.rest.read(out),
            read => Ok(read),
        }
    }
}
