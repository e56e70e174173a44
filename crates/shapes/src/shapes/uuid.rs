//! UUIDs in 16 bytes instead of 36 characters.

use wirewise_core::text::uuid;
use wirewise_core::{Kind, Logical, Result, Type};

use super::{data, rewrite, shown};
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;

pub(super) struct Uuid;

static INFO: Info = Info {
    name: "uuid",
    about: "UUIDs in 16 bytes instead of 36 characters",
    takes: "strings that are UUIDs in lower case",
    params: &[],
    moves: false,
    lossy: false,
};

impl Shape for Uuid {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, _: &Params, types: &mut Types<'_>) -> Result<Planned> {
        if *site.kind() != Kind::String {
            return Err(site.refuse(&INFO));
        }
        let logical = Some(Logical::Uuid);
        let ty = types.add(Type { logical, ..Kind::Fixed(16).into() });
        let rewrite = rewrite(
            |walk, cell| {
                let text = walk.from.bytes(cell);
                let bytes =
                    uuid::parse(text).ok_or_else(|| data(format!("{} is no UUID in lower case", shown(text))))?;
                walk.to.text(&bytes)
            },
            |walk, cell| {
                let bytes = walk.from.bytes(cell).first_chunk::<16>().expect("decoders check the length");
                walk.to.text_with(|out| {
                    uuid::write(bytes, out);
                    Ok(())
                })
            },
        );
        Ok(Planned { ty, rewrite })
    }

    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        let is = *site.kind() == Kind::String;
        (is && values.all(|(document, cell)| uuid::parse(document.bytes(cell)).is_some())).then(Params::default)
    }
}
