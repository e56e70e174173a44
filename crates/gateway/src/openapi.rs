//! The whole gateway as an OpenAPI description (3.1).

use serde_json::{Map, Value, json};
use wirewise_idl::Module;

use crate::resource::Resource;
use crate::version::Version;

/// Describes what can be asked for now. A resource without data yet is not described: its schema is not known.
pub(crate) fn describe<'r>(resources: impl Iterator<Item = &'r Resource>, has_auth: bool) -> Value {
    let mut all: Vec<_> = resources.filter_map(|resource| Some((resource, resource.current()?))).collect();
    all.sort_by(|(one, _), (other, _)| one.parts().path.cmp(&other.parts().path));
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    for (resource, version) in &all {
        let parts = resource.parts();
        schemas.insert(parts.name.clone(), schema(&parts.path, version));
        let security = match &parts.scopes {
            Some(scopes) => json!([{ "token": scopes.read }]),
            None => json!([]),
        };
        let mut methods = Map::new();
        methods.insert("get".to_owned(), get(&parts.name, version, &security));
        if parts.writer.is_some() {
            let security = parts.scopes.as_ref().map_or(json!([]), |scopes| json!([{ "token": scopes.write }]));
            methods.insert("post".to_owned(), post(&parts.name, version, &security));
        }
        paths.insert(parts.path.clone(), Value::Object(methods));
        paths.insert(format!("{}/schema", parts.path), schema_path(&parts.name, &security));
    }
    let mut components = json!({
        "schemas": schemas,
        "responses": { "Problem": {
            "description": "What is wrong, as RFC 9457 says.",
            "content": { "application/problem+json": { "schema": { "type": "object", "properties": {
                "type": { "type": "string" }, "title": { "type": "string" },
                "status": { "type": "integer" }, "detail": { "type": "string" },
            } } } },
        } },
    });
    if has_auth {
        components["securitySchemes"] =
            json!({ "token": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" } });
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Wirewise",
            "description": "Every resource in every format: `Accept` chooses it, `Accept-Encoding` its compression.",
            "version": all.iter().map(|(_, version)| version.schemas.id.as_str()).collect::<Vec<_>>().join("."),
        },
        "paths": paths,
        "components": components,
    })
}

/// The JSON Schema of a resource. It has an id of its own, so that what it refers to is in it.
fn schema(path: &str, version: &Version) -> Value {
    let written = wirewise_idl::find("json-schema")
        .and_then(|language| language.write(&Module::of((*version.schemas.base).clone())));
    let written = written.ok().and_then(|written| serde_json::from_slice(&written.bytes).ok());
    let mut schema = written.unwrap_or_else(|| json!({ "description": "JSON Schema cannot say what this is." }));
    if let Some(object) = schema.as_object_mut() {
        object.insert("$id".to_owned(), format!("{path}/schema?language=json-schema").into());
    }
    schema
}

/// JSON has a schema here; what others look like is in `/schema` of the resource.
fn content<'a>(name: &str, media_types: impl Iterator<Item = &'a str>) -> Map<String, Value> {
    let of = |media: &str| match media {
        "application/json" => json!({ "schema": { "$ref": format!("#/components/schemas/{}", escaped(name)) } }),
        _ => json!({}),
    };
    media_types.map(|media| (media.to_owned(), of(media))).collect()
}

/// RFC 6901.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn names(version: &Version) -> impl Iterator<Item = &str> {
    let own = version.representations.iter().filter_map(|representation| representation.names.first());
    own.filter_map(|(name, _)| name.to_str().ok())
}

fn get(name: &str, version: &Version, security: &Value) -> Value {
    let problem = json!({ "$ref": "#/components/responses/Problem" });
    json!({
        "operationId": format!("get-{name}"),
        "security": security,
        "responses": {
            "200": {
                "description": "The data.",
                "headers": {
                    "ETag": { "schema": { "type": "string" } },
                    "Link": { "description": "Where the schema is.", "schema": { "type": "string" } },
                },
                "content": content(name, names(version)),
            },
            "304": { "description": "The client has it already." },
            "406": problem, "503": problem,
        },
    })
}

fn post(name: &str, version: &Version, security: &Value) -> Value {
    let plain = version.representations.iter().filter(|representation| !representation.is_shaped);
    let plain = plain.map(|representation| representation.variant.media_type);
    let problem = json!({ "$ref": "#/components/responses/Problem" });
    json!({
        "operationId": format!("post-{name}"),
        "security": security,
        "parameters": [{
            "name": "Idempotency-Key",
            "in": "header",
            "description": "A name for this write, so that it can be repeated without being done twice.",
            "schema": { "type": "string" },
        }],
        "requestBody": { "required": true, "content": content(name, plain) },
        "responses": {
            "2XX": { "description": "It was written." },
            "400": problem, "409": problem, "413": problem, "415": problem, "422": problem,
        },
    })
}

fn schema_path(name: &str, security: &Value) -> Value {
    let languages: Vec<_> = wirewise_idl::LANGUAGES
        .iter()
        .map(|language| language.info())
        .filter(|info| info.writes)
        .map(|info| info.name)
        .chain(["client"])
        .collect();
    json!({ "get": {
        "operationId": format!("get-{name}-schema"),
        "security": security,
        "parameters": [{ "name": "language", "in": "query", "schema": { "type": "string", "enum": languages } }],
        "responses": {
            "200": { "description": "The schema in that language." },
            "400": { "$ref": "#/components/responses/Problem" },
        },
    } })
}
