//! The files that a schema consists of, and what its references lead to.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::json::{self, Locator, Node, Value};
use crate::{Error, Files, Place, Result, Source};

/// Keywords whose members are schemas by name.
const BY_NAME: [&str; 6] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

/// Files that a schema may consist of.
const MOST_FILES: usize = 1000;

/// A file.
#[derive(Debug, Clone)]
pub(super) struct Document {
    pub(super) source: Source,
    /// Its content.
    pub(super) text: String,
    node: Node,
}

/// A place in a file: what it is, and what tells two places apart.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    /// The number of the file.
    pub file: usize,
    /// What stands there.
    pub node: &'a Node,
}

/// What tells two places apart: file and offset.
pub type Key = (usize, usize);

impl<'a> At<'a> {
    /// What tells it from other places.
    pub fn key(self) -> Key {
        (self.file, self.node.at)
    }

    /// Another value of the same file.
    pub fn to(self, node: &'a Node) -> At<'a> {
        At { file: self.file, node }
    }

    /// The value of this member, of an object.
    pub fn get(self, name: &str) -> Option<At<'a>> {
        self.node.get(name).map(|node| self.to(node))
    }

    /// The schemas of a keyword that has a list of them.
    pub(super) fn list(self, name: &str) -> Vec<At<'a>> {
        let items = self.node.get(name).and_then(Node::as_array).unwrap_or_default();
        items.iter().map(|node| self.to(node)).collect()
    }
}

/// All files, loaded. The first is the one that was asked for.
#[derive(Debug, Clone)]
pub struct Documents {
    files: Vec<Document>,
    /// The URI of every `$ref` outside of its file's own base, by place.
    bases: HashMap<Key, Arc<str>>,
    /// Schemas by `$id`, as file and offset.
    ids: HashMap<Arc<str>, Key>,
    /// Schemas by URI and `$anchor`.
    anchors: HashMap<(Arc<str>, String), Key>,
    /// Which file a reference to another one leads to, by the referring file and the text.
    found: HashMap<(usize, String), usize>,
    looked: String,
}

impl Documents {
    /// Loads a file and all that it refers to.
    ///
    /// # Errors
    /// When one of them is no JSON, or cannot be read.
    pub fn load(source: &Source, files: &dyn Files) -> Result<Documents> {
        let mut all = Documents {
            files: Vec::new(),
            bases: HashMap::new(),
            ids: HashMap::new(),
            anchors: HashMap::new(),
            found: HashMap::new(),
            looked: files.places(),
        };
        let mut names: HashMap<String, usize> = HashMap::new();
        names.insert(source.name.to_string(), 0);
        let mut waiting = vec![source.clone()];
        while let Some(source) = waiting.pop() {
            let file = names[&*source.name];
            let node = json::parse(&source)?;
            let mut references = Vec::new();
            all.index(file, &node, &mut references);
            let text = source.text()?.to_owned();
            all.files.push(Document { source: source.clone(), text, node });
            let mut seen = HashSet::new();
            for reference in references {
                if !seen.insert(reference.clone()) {
                    continue;
                }
                for path in paths(&reference) {
                    let Some(found) = files.find(&path, &source)? else { continue };
                    let next = names.len();
                    let target = *names.entry(found.name.to_string()).or_insert(next);
                    if target == next {
                        if next >= MOST_FILES {
                            let what = format!("the schema consists of more than {MOST_FILES} files");
                            return Err(Error::at(Place::file(&source.name), what));
                        }
                        waiting.push(found);
                    }
                    all.found.insert((file, reference.clone()), target);
                    break;
                }
            }
            // The next one to be loaded must get the number that it was promised.
            waiting.sort_by_key(|source| std::cmp::Reverse(names[&*source.name]));
        }
        Ok(all)
    }

    /// The schema that was asked for.
    pub fn root(&self) -> At<'_> {
        At { file: 0, node: &self.files[0].node }
    }

    /// How many files there are.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    pub(super) fn file(&self, file: usize) -> &Document {
        &self.files[file]
    }

    /// The schema that is this file.
    pub fn whole(&self, file: usize) -> At<'_> {
        At { file, node: &self.files[file].node }
    }

    /// Notes the `$id`, anchors and references of a file.
    fn index(&mut self, file: usize, root: &Node, references: &mut Vec<String>) {
        // `true` where the members of an object are schemas by name, and no keywords.
        let mut todo: Vec<(&Node, Arc<str>, bool)> = vec![(root, Arc::from(""), false)];
        while let Some((node, mut base, by_name)) = todo.pop() {
            match &node.value {
                Value::Array(items) => todo.extend(items.iter().map(|item| (item, base.clone(), false))),
                Value::Object(object) if by_name => {
                    todo.extend(object.members().iter().map(|member| (&member.value, base.clone(), false)));
                }
                Value::Object(object) => {
                    let text = |name: &str| object.get(name).and_then(Node::as_str);
                    if let Some(id) = text("$id") {
                        match id.strip_prefix('#') {
                            // How draft-07 writes an anchor.
                            Some(anchor) => {
                                self.anchors.insert((base.clone(), anchor.to_owned()), (file, node.at));
                            }
                            None => {
                                base = join(&base, id.trim_end_matches('#')).into();
                                self.ids.insert(base.clone(), (file, node.at));
                            }
                        }
                    }
                    for name in ["$anchor", "$dynamicAnchor"] {
                        if let Some(anchor) = text(name) {
                            self.anchors.insert((base.clone(), anchor.to_owned()), (file, node.at));
                        }
                    }
                    for name in ["$ref", "$dynamicRef"] {
                        if let Some(reference) = text(name) {
                            let (uri, _) = reference.split_once('#').unwrap_or((reference, ""));
                            if !uri.is_empty() {
                                references.push(uri.to_owned());
                            }
                            self.bases.insert((file, node.at), base.clone());
                        }
                    }
                    // What is data has no schemas in it.
                    let data = ["enum", "const", "default", "examples", "example"];
                    for member in object.members().iter().filter(|member| !data.contains(&member.name.as_str())) {
                        todo.push((&member.value, base.clone(), BY_NAME.contains(&member.name.as_str())));
                    }
                }
                _ => {}
            }
        }
    }

    /// What the reference at `from` leads to; `from` itself, where it is none.
    ///
    /// # Errors
    /// When it leads nowhere.
    pub fn target<'a>(&'a self, from: At<'a>, locators: &Locators<'a>) -> Result<At<'a>> {
        let reference = from.get("$ref").or_else(|| from.get("$dynamicRef"));
        let Some((at, text)) = reference.and_then(|at| Some((at, at.node.as_str()?))) else { return Ok(from) };
        let (uri, fragment) = text.split_once('#').unwrap_or((text, ""));
        let base = self.bases.get(&from.key()).map_or("", |base| base);
        let full = join(base, uri);
        let nothing = |what: String| Error::at(locators.place(at), what);
        let resource = if let Some(&key) = self.ids.get(full.as_str()) {
            self.at(key)
        } else if let Some(&file) = self.found.get(&(from.file, uri.to_owned())).filter(|_| !uri.is_empty()) {
            self.whole(file)
        } else if uri.is_empty() {
            self.whole(from.file)
        } else {
            let what = format!("there is no schema {uri:?}");
            let hint =
                format!("{}; nothing is fetched from the network: save the file and name its folder", self.looked);
            return Err(nothing(what).hint(hint));
        };
        let fragment = percent_decoded(fragment);
        if fragment.is_empty() {
            return Ok(resource);
        }
        if let Some(pointer) = fragment.strip_prefix('/') {
            let mut place = resource;
            for part in pointer.split('/') {
                let name = part.replace("~1", "/").replace("~0", "~");
                let next = match &place.node.value {
                    Value::Array(items) => name.parse().ok().and_then(|i: usize| items.get(i)),
                    _ => place.node.get(&name),
                };
                place = place.to(next.ok_or_else(|| nothing(format!("{text:?} leads nowhere: there is no {name:?}")))?);
            }
            return Ok(place);
        }
        let resource_base = if resource.node.get("$id").is_some() || !uri.is_empty() { full.as_str() } else { base };
        let keys = [resource_base, ""].map(|base| (Arc::from(base), fragment.clone()));
        // An anchor of another file that has no $id stands under no base at all.
        let found = keys.iter().filter_map(|key| self.anchors.get(key)).find(|key| key.0 == resource.file);
        found.map(|&key| self.at(key)).ok_or_else(|| nothing(format!("there is no anchor {fragment:?}")))
    }

    /// The JSON pointer of a place in its file, without percent signs.
    pub fn pointer(&self, at: At<'_>) -> String {
        let mut node = &self.files[at.file].node;
        let mut pointer = String::new();
        while node.at != at.node.at {
            let step = match &node.value {
                Value::Array(items) => {
                    let end = items.partition_point(|item| item.at <= at.node.at);
                    end.checked_sub(1).map(|last| (last.to_string(), &items[last]))
                }
                Value::Object(object) => {
                    let members = object.members();
                    let end = members.partition_point(|member| member.value.at <= at.node.at);
                    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
                    members[..end].last().map(|member| (escaped(&member.name), &member.value))
                }
                _ => None,
            };
            let Some((name, next)) = step else { break };
            pointer.push('/');
            pointer.push_str(&name);
            node = next;
        }
        pointer
    }

    fn at(&self, (file, offset): Key) -> At<'_> {
        let mut node = &self.files[file].node;
        // Down to the value that begins there.
        while node.at != offset {
            let next = match &node.value {
                Value::Array(items) => items[..items.partition_point(|item| item.at <= offset)].last(),
                Value::Object(object) => {
                    let members = object.members();
                    let end = members.partition_point(|member| member.value.at <= offset);
                    members[..end].last().map(|member| &member.value)
                }
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        At { file, node }
    }
}

/// Turns places into lines and columns.
#[derive(Debug)]
pub struct Locators<'a> {
    documents: &'a Documents,
    made: RefCell<HashMap<usize, Locator<'a>>>,
}

impl<'a> Locators<'a> {
    /// For these files.
    pub fn new(documents: &'a Documents) -> Locators<'a> {
        Locators { documents, made: RefCell::default() }
    }

    /// Where something stands.
    pub fn place(&self, at: At<'_>) -> Place {
        self.offset(at.file, at.node.at)
    }

    /// Where a byte of a file stands.
    pub fn offset(&self, file: usize, offset: usize) -> Place {
        let source = &self.documents.file(file).source;
        let mut made = self.made.borrow_mut();
        let locator = made.entry(file).or_insert_with(|| Locator::new(&source.name, source.text().unwrap_or_default()));
        locator.place(offset)
    }
}

/// The names by which a file may be found that a reference gives as a URI.
fn paths(uri: &str) -> Vec<String> {
    match uri.split_once("://") {
        // As a path from a root, and beside the file that refers to it.
        Some((_, path)) => {
            let last = path.rsplit('/').next().unwrap_or(path);
            vec![format!("/{path}"), percent_decoded(last)]
        }
        None => vec![percent_decoded(uri)],
    }
}

/// A URI relative to another.
fn join(base: &str, uri: &str) -> String {
    if uri.is_empty() {
        return base.to_owned();
    }
    if uri.contains("://") || uri.starts_with("urn:") || base.is_empty() {
        return uri.to_owned();
    }
    let authority = base.find("://").map_or(0, |at| base[at + 3..].find('/').map_or(base.len(), |end| at + 3 + end));
    let (host, path) = base.split_at(authority);
    let folder = path.rfind('/').map_or("", |end| &path[..end]);
    let path = if uri.starts_with('/') { uri.to_owned() } else { format!("{folder}/{uri}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if host.is_empty() && !path.starts_with('/') { parts.join("/") } else { format!("{host}/{}", parts.join("/")) }
}

fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_joined() {
        for (base, uri, joined) in [
            ("", "a.json", "a.json"),
            ("https://x.org/s/a.json", "b.json", "https://x.org/s/b.json"),
            ("https://x.org/s/a.json", "../b.json", "https://x.org/b.json"),
            ("https://x.org/s/a.json", "/b.json", "https://x.org/b.json"),
            ("https://x.org", "b.json", "https://x.org/b.json"),
            ("https://x.org/s/a.json", "https://y.org/b", "https://y.org/b"),
            ("s/a.json", "b.json", "s/b.json"),
            ("a.json", "", "a.json"),
        ] {
            assert_eq!(join(base, uri), joined, "{base} {uri}");
        }
        assert_eq!(percent_decoded("a%20b%zz%C3%A9%"), "a b%zzé%");
    }
}
