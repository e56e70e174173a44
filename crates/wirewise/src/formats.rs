//! `wirewise formats`.

use std::path::Path;

use wirewise_formats::FORMATS;

use crate::cli::{self, Output};
use crate::failure::Failure;
use crate::files;

pub(crate) fn run(options: cli::Formats, output: Output) -> Result<(), Failure> {
    let chosen = options.name.as_deref().map(wirewise_formats::find).transpose();
    let chosen = chosen.map_err(|error| Failure::from_error(&error))?.map(|(format, _)| format.info());
    let text = match (output, chosen) {
        (Output::Text, Some(info)) => format!("{}\n\nSpecification: {}\n", info.help.trim_end(), info.specification),
        (Output::Text, None) => {
            let mut out = String::new();
            for info in FORMATS.iter().map(|format| format.info()) {
                out.push_str(&format!("{}\n", info.title));
                for variant in info.variants {
                    out.push_str(&format!("  {:<26} {}\n", variant.id, variant.about));
                }
            }
            out
        }
        (Output::Json, chosen) => {
            let formats: Vec<_> = FORMATS
                .iter()
                .map(|format| format.info())
                .filter(|info| chosen.is_none_or(|chosen| chosen.name == info.name))
                .map(|info| {
                    let variants: Vec<_> = info
                        .variants
                        .iter()
                        .map(|variant| {
                            serde_json::json!({
                                "id": variant.id, "about": variant.about, "text": variant.text,
                                "schemaless": variant.schemaless,
                                "framing": variant.framing.name(), "media_type": variant.media_type,
                            })
                        })
                        .collect();
                    serde_json::json!({
                        "name": info.name, "title": info.title, "specification": info.specification,
                        "media_types": info.media_types, "extensions": info.extensions,
                        "variants": variants,
                    })
                })
                .collect();
            format!("{:#}\n", serde_json::json!({ "wirewise": "formats/1", "formats": formats }))
        }
    };
    files::write(Path::new("-"), text.as_bytes())
}
