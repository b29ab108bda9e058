//! Enumerations that are written as fixed text in storage, files and the API.

/// A text that is none of an enumeration's codes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{value:?} is not a known {what}; known: {known}")]
pub struct UnknownCode {
    /// What the text should have named, such as `row kind`.
    pub what: &'static str,
    /// The text as it stood, shortened by the caller where it came from outside.
    pub value: String,
    /// The codes that would have been understood.
    pub known: String,
}

/// Declares an enumeration together with its stable text codes.
///
/// Gives `ALL`, `code()`, `FromStr`, `Display` and serde by code.
#[macro_export]
macro_rules! coded_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident as $what:literal { $($(#[$vmeta:meta])* $variant:ident = $code:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The stable text of this value.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.code())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::codes::UnknownCode;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($code => Ok(Self::$variant),)+
                    other => Err($crate::codes::UnknownCode {
                        what: $what,
                        value: other.to_owned(),
                        known: [$($code),+].join(", "),
                    }),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.code())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(d)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
