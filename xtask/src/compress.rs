//! Compressed copies beside a file, made once here instead of on every request.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes `FILE.br` and `FILE.gz` at the highest level; returns the brotli size in bytes.
pub fn beside(file: &Path) -> Result<usize, Failure> {
    let content = fs::read(file).map_err(Failure::at(file))?;

    let mut small = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: content.len(),
        ..Default::default()
    };
    brotli::BrotliCompress(&mut content.as_slice(), &mut small, &parameters)
        .map_err(Failure::at(file))?;
    let brotli = with_suffix(file, "br");
    fs::write(&brotli, &small).map_err(Failure::at(&brotli))?;

    let gzip = with_suffix(file, "gz");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&content).map_err(Failure::at(&gzip))?;
    let zipped = encoder.finish().map_err(Failure::at(&gzip))?;
    fs::write(&gzip, zipped).map_err(Failure::at(&gzip))?;

    Ok(small.len())
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}
