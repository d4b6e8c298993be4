//! Identifiers, one type each, and the text form of closed sets.

macro_rules! id_type {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> $name {
                $name(text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl<'a> From<&'a $name> for $crate::sql::Param<'a> {
            fn from(id: &'a $name) -> Self {
                $crate::sql::Param::Text(&id.0)
            }
        }

        impl $crate::sql::FromValue for $name {
            fn from_value(value: &$crate::sql::Value) -> Option<$name> {
                String::from_value(value).map($name)
            }
        }
    )* };
}

id_type! {
    ProjectId
    SessionId
    EventId
    MemoryId
    /// `TASK-0001`: the sort of the item and its number among those.
    ItemId
    EntryId
    CheckpointId
    HandoffId
    ModelCallId
    TokenId
}

/// A closed set with one text form, used in SQL, JSON and on the command line alike.
#[macro_export]
macro_rules! text_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> std::result::Result<$name, String> {
                match text {
                    $($text => Ok($name::$variant),)*
                    _ => {
                        let known: Vec<&str> = $name::ALL.iter().map(|known| known.as_str()).collect();
                        Err(format!("{text:?} is not one of: {}", known.join(", ")))
                    }
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl From<$name> for $crate::sql::Param<'_> {
            fn from(value: $name) -> Self {
                $crate::sql::Param::Text(value.as_str())
            }
        }

        impl $crate::sql::FromValue for $name {
            fn from_value(value: &$crate::sql::Value) -> Option<$name> {
                String::from_value(value)?.parse().ok()
            }
        }
    };
}

pub use text_enum;
