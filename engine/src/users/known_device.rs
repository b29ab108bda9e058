//! A browser in which a person signed in before. It keeps a mark that only this instance can have made,
//! for this person's address; with it, guesses made elsewhere cannot keep them out. The mark lets
//! nobody in: the password is asked for all the same, and its own failures count.

use domain::{
    seal::{Secret, hex_of},
    time::Instant,
};

/// How long a browser is known.
const KNOWN_DAYS: i64 = 180;
const SECONDS_PER_DAY: i64 = 86_400;
/// What the mark is for, so that it can stand for nothing else.
const PURPOSE: &str = "known device";

/// A browser that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// What tells it from others of the same person.
    pub name: String,
}

/// A new mark for a browser: when, which, and the proof.
pub fn make(secret: &Secret, address: &[u8; 32], drawn: [u8; 32], now: Instant) -> String {
    let name = format!("{}.{}", now.micros(), hex_of(&drawn));
    let proof = proof(secret, address, &name);
    format!("{name}.{proof}")
}

impl Device {
    /// The browser that shows this mark, if the instance made it for this address and not too long
    /// ago.
    pub fn known(secret: &Secret, address: &[u8; 32], mark: &str, now: Instant) -> Option<Self> {
        let (name, shown) = mark.rsplit_once('.')?;
        let (made, _) = name.split_once('.')?;
        let made = Instant::from_micros(made.parse().ok()?);
        let fresh = now.seconds_since(made) <= KNOWN_DAYS * SECONDS_PER_DAY;
        let ours = same(proof(secret, address, name).as_bytes(), shown.as_bytes());
        (fresh && ours).then(|| Self {
            name: name.to_owned(),
        })
    }
}

fn proof(secret: &Secret, address: &[u8; 32], name: &str) -> String {
    let bytes = [address.as_slice(), name.as_bytes()].concat();
    hex_of(&secret.mark(PURPOSE, &bytes))
}

/// Compares in a time that does not tell how far the two agree.
fn same(a: &[u8], b: &[u8]) -> bool {
    let differing = a.iter().zip(b).fold(0, |sum, (x, y)| sum | (x ^ y));
    a.len() == b.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_good_for_its_address_its_instance_and_half_a_year() {
        let (secret, other) = (Secret::new(&[1; 32]), Secret::new(&[2; 32]));
        let now = Instant::from_micros(1_764_000_000_000_000);
        let mark = make(&secret, &[3; 32], [4; 32], now);
        let known = |secret, address: [u8; 32], mark: &str, now| {
            Device::known(secret, &address, mark, now).is_some()
        };
        assert!(known(&secret, [3; 32], &mark, now));
        let later = |days| now.plus_seconds(days * SECONDS_PER_DAY);
        assert!(known(&secret, [3; 32], &mark, later(180)));
        assert!(!known(&secret, [3; 32], &mark, later(181)));
        assert!(!known(&secret, [5; 32], &mark, now));
        assert!(!known(&other, [3; 32], &mark, now));
        let renewed = mark.replacen("1764", "1864", 1);
        assert!(!known(&secret, [3; 32], &renewed, now));
        for nonsense in ["", ".", "..", "x.y.z", "1764.00."] {
            assert!(!known(&secret, [3; 32], nonsense, now), "{nonsense}");
        }
    }
}
