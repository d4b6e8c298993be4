//! What a hydration is asked for: about what, how far, how much.

use throughline_store::id::text_enum;

use crate::recall::Files;
use crate::{Error, Result};

/// What somebody needs to know before working on something.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Request {
    pub focus: Focus,
    pub depth: Depth,
    pub max_tokens: MaxTokens,
    pub related: Include,
    pub activity: Include,
    pub session: Include,
    pub limits: Limits,
    /// Where code is looked for.
    pub files: Files,
}

impl Request {
    pub fn about(focus: Focus) -> Request {
        Request {
            focus,
            depth: Depth::default(),
            max_tokens: MaxTokens::default(),
            related: Include::Yes,
            activity: Include::Yes,
            session: Include::Yes,
            limits: Limits::default(),
            files: Files::Nowhere,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Focus {
    Id(String),
    /// The single best item for it.
    Query(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Include {
    Yes,
    No,
}

impl Include {
    pub fn when(wanted: bool) -> Include {
        if wanted { Include::Yes } else { Include::No }
    }
}

/// How many steps up and down the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Depth(usize);

impl Depth {
    pub fn new(steps: u64) -> Result<Depth> {
        match usize::try_from(steps) {
            Ok(steps @ 1..=3) => Ok(Depth(steps)),
            _ => Err(Error::Invalid(format!("the depth {steps} is not between 1 and 3"))),
        }
    }

    pub fn steps(self) -> usize {
        self.0
    }
}

impl Default for Depth {
    fn default() -> Depth {
        Depth(1)
    }
}

/// How many tokens the answer may have as it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MaxTokens(u64);

impl MaxTokens {
    pub fn new(tokens: u64) -> Result<MaxTokens> {
        match tokens {
            500..=32_000 => Ok(MaxTokens(tokens)),
            _ => Err(Error::Invalid(format!("max_tokens {tokens} is not between 500 and 32000"))),
        }
    }

    pub fn get(self) -> u64 {
        self.0
    }
}

impl Default for MaxTokens {
    fn default() -> MaxTokens {
        MaxTokens(4000)
    }
}

text_enum! {
    /// What part an entry plays in an answer, in the order in which the budget is spent.
    Role {
        Focal = "focal",
        Parent = "parent",
        Session = "session_summary",
        Suggestions = "suggestions",
        Dependencies = "dependencies",
        Children = "children",
        Siblings = "siblings",
        CrossReferenced = "cross_referenced",
        ReferencedBy = "referenced_by",
        Ancestors = "ancestors",
        Descendants = "descendants",
        Memories = "memories",
        Decisions = "decisions",
        Related = "related",
        Code = "code",
        Resources = "resources",
        Activity = "activity",
    }
}

/// At most so many entries of each role, and children of one parent among the descendants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Limits {
    pub dependencies: usize,
    pub children: usize,
    pub siblings: usize,
    pub cross_referenced: usize,
    pub referenced_by: usize,
    pub descendants: usize,
    pub per_parent: usize,
    pub memories: usize,
    pub decisions: usize,
    pub related: usize,
    pub code: usize,
    pub resources: usize,
    pub activity: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            dependencies: 50,
            children: 50,
            siblings: 50,
            cross_referenced: 10,
            referenced_by: 10,
            descendants: 200,
            per_parent: 50,
            memories: 5,
            decisions: 5,
            related: 5,
            code: 5,
            resources: 5,
            activity: 20,
        }
    }
}

impl Limits {
    /// No role has more entries than this, whatever is asked for.
    const MOST: usize = 2000;

    /// Sets one limit by the name of its role.
    pub fn set(&mut self, name: &str, limit: u64) -> Result<()> {
        let limit = usize::try_from(limit).ok().filter(|limit| *limit <= Limits::MOST).ok_or_else(|| {
            Error::Invalid(format!("the limit {limit} of {name} is more than {}", Limits::MOST))
        })?;
        let place = match name {
            "dependencies" => &mut self.dependencies,
            "children" => &mut self.children,
            "siblings" => &mut self.siblings,
            "cross_referenced" => &mut self.cross_referenced,
            "referenced_by" => &mut self.referenced_by,
            "descendants" => &mut self.descendants,
            "per_parent" => &mut self.per_parent,
            "memories" => &mut self.memories,
            "decisions" => &mut self.decisions,
            "related" => &mut self.related,
            "code" => &mut self.code,
            "resources" => &mut self.resources,
            "activity" => &mut self.activity,
            _ => {
                return Err(Error::Invalid(format!(
                    "{name:?} has no limit; those that have: {}",
                    Limits::NAMES.join(", ")
                )));
            }
        };
        *place = limit;
        Ok(())
    }

    pub const NAMES: [&'static str; 13] = [
        "dependencies",
        "children",
        "siblings",
        "cross_referenced",
        "referenced_by",
        "descendants",
        "per_parent",
        "memories",
        "decisions",
        "related",
        "code",
        "resources",
        "activity",
    ];
}
