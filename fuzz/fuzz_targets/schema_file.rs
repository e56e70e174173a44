#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    wirewise_fuzz::language(&["wirewise"], input);
    wirewise_fuzz::schema_file(input);
});
