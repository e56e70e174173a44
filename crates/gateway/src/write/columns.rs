//! The columns of a table that takes rows.

use wirewise_core::Record;

use crate::{Error, Result};

/// Fields that a message may come without, because the table fills them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fills {
    /// Those that it gives a number to: what has no way to leave them out says 0.
    pub(super) keys: Vec<String>,
    /// Those, and all that may be null or have a default.
    pub(super) all: Vec<String>,
}

/// A column.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    /// Whether the table numbers its rows in it.
    pub(super) is_key: bool,
    /// Whether a row may come without it.
    pub(super) is_optional: bool,
    /// Its type, as the database writes it.
    pub(super) ty: String,
}

/// The fields of records that go into a table with these columns.
///
/// # Errors
/// When a field has no column, or a column that must have a value no field.
pub(super) fn fit(table: &str, columns: &[Column], record: Option<&Record>) -> Result<Fills> {
    if columns.is_empty() {
        return Err(Error::new(format!("there is no table {table}")));
    }
    let Some(record) = record else {
        return Err(Error::new("the resource has no records, so that its columns are not known")
            .hint("give it a schema file, or one row"));
    };
    if let Some(field) = record.fields.iter().find(|field| columns.iter().all(|column| column.name != field.name)) {
        return Err(Error::new(format!("the table {table} has no column {:?}", field.name))
            .hint("insert into a table or a view that has all columns of the query"));
    }
    let needed = |column: &&Column| !column.is_optional && record.position(&column.name).is_none();
    if let Some(column) = columns.iter().find(needed) {
        let what =
            format!("the column {:?} of {table} must have a value, and the query does not select it", column.name);
        return Err(Error::new(what).hint("select it, or give it a default"));
    }
    let named = |wanted: &dyn Fn(&Column) -> bool| {
        let found = columns.iter().filter(|column| wanted(column) && record.position(&column.name).is_some());
        found.map(|column| column.name.clone()).collect()
    };
    Ok(Fills { keys: named(&|column| column.is_key), all: named(&|column| column.is_optional) })
}

/// A name as SQL has it, whatever is in it: `"odd ""name"""`.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The name of a table, with that of a schema before it where there is one.
///
/// # Errors
/// When it is none.
pub(super) fn table(name: &str) -> Result<String> {
    let parts: Vec<&str> = name.split('.').collect();
    if parts.len() > 2 || parts.iter().any(|part| part.is_empty() || part.contains('\0')) {
        return Err(Error::new(format!("{name:?} is no name of a table")).hint("write it like people or public.people"));
    }
    Ok(parts.into_iter().map(quoted).collect::<Vec<_>>().join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_names() {
        assert_eq!(table("people").unwrap(), r#""people""#);
        assert_eq!(table(r#"public.a"; drop table b; --"#).unwrap(), r#""public"."a""; drop table b; --""#);
        assert!(table("a.b.c").is_err() && table("").is_err() && table("a.").is_err());
    }
}
