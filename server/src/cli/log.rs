//! The log: on standard error, so that answers stay alone on standard output.

use domain::view::visible::visible;
use std::io::{self, IsTerminal as _, Write};
use tracing_subscriber::EnvFilter;

/// Starts it. `TIEOUT_LOG` sets what is logged, as `warn` or `info,server=debug`;
/// `TIEOUT_LOG_FORMAT=json` gives one object a line.
pub fn start(server: bool) {
    let default = if server { "info" } else { "warn" };
    let filter = EnvFilter::try_from_env("TIEOUT_LOG").unwrap_or_else(|_| EnvFilter::new(default));
    let colours = io::stderr().is_terminal();
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(move || Shown {
            out: io::stderr(),
            colours,
        })
        .with_ansi(colours);
    if std::env::var("TIEOUT_LOG_FORMAT").is_ok_and(|format| format == "json") {
        log.json().init();
    } else {
        log.with_target(false).init();
    }
}

/// Writes so that every character can be seen. The formatter writes a line at a time.
struct Shown<W> {
    out: W,
    /// Whether the formatter colours its lines, with escape characters of its own; those in values it
    /// escapes itself.
    colours: bool,
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        if self.colours {
            let parts: Vec<_> = text.split('\u{1b}').map(visible).collect();
            self.out.write_all(parts.join("\u{1b}").as_bytes())?;
        } else {
            self.out.write_all(visible(&text).as_bytes())?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logged_name_cannot_turn_the_line_round_nor_colour_it() {
        let logged = |colours| {
            let mut shown = Shown {
                out: Vec::new(),
                colours,
            };
            shown
                .write_all("\u{1b}[2mfile=a\u{202e}b\n".as_bytes())
                .unwrap();
            String::from_utf8(shown.out).unwrap()
        };
        assert_eq!(
            logged(false),
            "\u{27e8}U+001B\u{27e9}[2mfile=a\u{27e8}U+202E\u{27e9}b\n"
        );
        assert_eq!(logged(true), "\u{1b}[2mfile=a\u{27e8}U+202E\u{27e9}b\n");
    }
}
