//! Structs that would have to contain themselves.

use std::collections::HashSet;

use super::super::ast::{Field, Item, Requiredness, What};
use super::{ItemId, Resolver};
use crate::{Error, Result};

impl Resolver<'_> {
    /// Refuses a struct that must contain itself: no message of it could end.
    pub(super) fn check_finite(&self, order: &[ItemId]) -> Result<()> {
        let items: std::collections::HashMap<_, _> = order.iter().map(|item| (self.defined[item], *item)).collect();
        let mut done: HashSet<ItemId> = HashSet::new();
        for &start in order {
            // Iterative, because there may be more structs than the stack is deep.
            let mut open: Vec<(ItemId, usize)> = vec![(start, 0)];
            let mut on_path: HashSet<ItemId> = HashSet::from([start]);
            while let Some((item, next)) = open.pop() {
                let Item { name, what, .. } = self.item(item);
                // An enum has no parts.
                let fields: &[Field] = if let What::Struct(_, fields) = what { fields } else { &[] };
                let Some(field) = fields.get(next).filter(|_| !done.contains(&item)) else {
                    done.insert(item);
                    on_path.remove(&item);
                    continue;
                };
                open.push((item, next + 1));
                let ty = &self.records[&self.defined[&item]][next];
                let must = field.requiredness == Some(Requiredness::Required);
                let Some(&inner) = items.get(&ty.ty).filter(|_| must) else { continue };
                if !on_path.insert(inner) {
                    let what = format!(
                        "{} must contain itself (through field {:?}), so that no message can be finite",
                        name.text, field.name.text
                    );
                    let error = Error::at(self.place(item.0, &field.name), what);
                    return Err(error.hint("make the field optional"));
                }
                open.push((inner, 0));
            }
        }
        Ok(())
    }
}
