//! Bounds on what an input may make us do.

/// Limits that every decoder obeys. The defaults suit messages between services; a field may be set to any value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How deep values may nest (a scalar at the root has depth 0). Default 128.
    pub depth: usize,
    /// Longest message in bytes, before decoding. Default 1 GiB; never more than 4 GiB minus one.
    pub message_bytes: usize,
    /// Most memory one decoded message may take in an [`Arena`](crate::Arena), in bytes. Default 4 GiB.
    pub memory_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: 128, message_bytes: 1 << 30, memory_bytes: 1 << 32 }
    }
}
