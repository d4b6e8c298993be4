//! What compares vectors, in words: the same in `doctor` and `index status`.

use throughline_engine::store::vectors::{Comparison, Lack};

pub(crate) fn text(comparison: &Comparison) -> String {
    match comparison {
        Comparison::InProcess => "an exact scan of the index in the file".to_owned(),
        Comparison::InServer { version } => format!("pgvector {version} in PostgreSQL"),
        Comparison::WithoutServer(lack) => {
            format!("an exact scan of the index in PostgreSQL; {}", why_without(lack))
        }
    }
}

fn why_without(lack: &Lack) -> String {
    match lack {
        Lack::Unwanted => {
            "pgvector is not asked: storage.pgvector says never, or the server is on this machine, where it is faster \
             without"
                .to_owned()
        }
        Lack::Missing => {
            "pgvector is not installed on the server: its package there (postgresql-NN-pgvector), and it is used from \
             the next start on"
                .to_owned()
        }
        Lack::Outdated { version } => {
            format!(
            "pgvector {version} is too old (0.7 or later, then `alter extension vector update`) or in a schema that this \
             user may not use"
        )
        }
        Lack::ExtensionRefused { version } => format!(
            "pgvector {version} is there, but this user may not create it: an administrator's \
             `create extension vector` in this database"
        ),
        Lack::TableRefused { version } => format!(
            "pgvector {version} is there, but the tables belong to another user: it is used once that user has run any \
             command and done `grant select on document_vector`"
        ),
        Lack::NotReady { version } => {
            format!("pgvector {version} is there and is used once the next start finds nobody writing")
        }
    }
}
