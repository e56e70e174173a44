use wirewise_idl::*;
struct Disk(Vec<String>);
impl Files for Disk {
    fn find(&self, path: &str, importer: &Source) -> Result<Option<Source>> {
        let folder = importer.name.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        for root in [&folder].into_iter().chain(&self.0) {
            let name = format!("{root}/{path}");
            if let Ok(bytes) = std::fs::read(&name) {
                return Ok(Some(Source::new(&name, bytes)));
            }
        }
        Ok(None)
    }
    fn places(&self) -> String {
        "looked".into()
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let verbose = args[1] == "-v";
    for name in &args[2..] {
        let source = Source::new(name, std::fs::read(name).unwrap());
        let start = std::time::Instant::now();
        let lang = if name.ends_with(".proto") { "proto" } else { "descriptor-set" };
        let read = find(lang)
            .unwrap()
            .read(&source, &Disk(vec!["/usr/include".into(), std::env::var("ROOT").unwrap_or_default()]));
        match read {
            Err(error) => println!("{:?} {error}", start.elapsed()),
            Ok(module) => {
                println!("{name} ok {:?} {} types", start.elapsed(), module.schema.types().len());
                if verbose {
                    println!("{}", module.schema.to_text());
                    for l in ["proto", "descriptor-set"] {
                        match find(l).unwrap().write(&module) {
                            Ok(w) => println!("{} {:?}", String::from_utf8_lossy(&w.bytes), w.lost),
                            Err(e) => println!("{e}"),
                        }
                    }
                }
            }
        }
    }
}
