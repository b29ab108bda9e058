//! Any text as an amount, in a file that settles its decimal mark from its values.
#![no_main]

use domain::{account::ProviderKind, formats::Row, money::Money};

libfuzzer_sys::fuzz_target!(|input: (&str, bool)| {
    let (text, comma) = input;
    // The other amounts of the file settle the mark.
    let zero = if comma { "0,00" } else { "0.00" };
    let amount = text.replace('"', "\"\"");
    let file = format!(
        "balance_transaction_id,created,currency,gross,fee,net,reporting_category\n\
         t1,2026-03-01,EUR,\"{amount}\",\"{zero}\",\"{amount}\",charge\n"
    );
    for row in domain_fuzz::read(file.as_bytes(), ProviderKind::Stripe) {
        let Row::Line(line) = row else { continue };
        assert_eq!(line.gross, line.net);
        // Written plainly, what was read reads as the same.
        let plain = Money::new(line.gross, line.currency).major();
        assert_eq!(
            Money::parse_major(&plain, line.currency).map(|m| m.minor),
            Ok(line.gross)
        );
        // Nothing is made up: the digits of the amount stand in the text, in their order.
        let digits = |t: &str| t.chars().filter(char::is_ascii_digit).collect::<String>();
        let written = digits(text);
        let core = digits(&plain);
        let core = core.trim_matches('0');
        assert!(written.contains(core), "{text:?} read as {plain}");
        let negative = text.contains(['-', '\u{2212}', '(']);
        assert!(
            line.gross == 0 || negative == (line.gross < 0),
            "{text:?} read as {plain}"
        );
    }
});
