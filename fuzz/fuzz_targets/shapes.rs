#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| wirewise_fuzz::shapes(input));
