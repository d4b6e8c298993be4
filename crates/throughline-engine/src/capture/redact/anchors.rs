//! Where in a text could a secret be? A filter over three bytes at a time, computed by the compiler so that a
//! cold process pays nothing for it. It may point at places that hold no secret; it never misses one.

use super::formats::FORMATS;

/// What was recognised at a place, and thus who must look closer.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// `[redacted:…]`, written by an earlier redaction.
    Marker,
    /// The format at this index of `FORMATS`.
    Format(u8),
    Pem,
    Jwt,
    Url,
    Bearer,
    Basic,
    Cookie,
    Command,
    /// A word that names secrets, such as `token`.
    Name,
}

#[derive(Clone, Copy)]
pub(super) struct Anchor {
    literal: &'static str,
    case: Case,
    kind: Kind,
    /// Where in `literal` the three bytes are that the filter looks for.
    offset: u8,
    /// The next anchor (plus one) that shares the slot in `HEADS`.
    next: u16,
}

#[derive(Clone, Copy, PartialEq)]
enum Case {
    Exact,
    Any,
}

const WORDS: &[(&str, Case, Kind)] = &[
    ("[redacted:", Case::Exact, Kind::Marker),
    ("-----BEGIN ", Case::Exact, Kind::Pem),
    ("eyJ", Case::Exact, Kind::Jwt),
    ("://", Case::Exact, Kind::Url),
    (" -p", Case::Exact, Kind::Command),
    (" -u", Case::Exact, Kind::Command),
    (" -a", Case::Exact, Kind::Command),
    (" -w", Case::Exact, Kind::Command),
    ("bearer", Case::Any, Kind::Bearer),
    ("basic ", Case::Any, Kind::Basic),
    ("cookie", Case::Any, Kind::Cookie),
    ("pass", Case::Any, Kind::Name),
    ("pwd", Case::Any, Kind::Name),
    ("secret", Case::Any, Kind::Name),
    ("token", Case::Any, Kind::Name),
    ("key", Case::Any, Kind::Name),
    ("cred", Case::Any, Kind::Name),
    ("auth", Case::Any, Kind::Name),
];

/// An anchor found in a text: `start..end` spells its literal.
pub(super) struct Hit {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

/// The next place, at `from` or later, whose three bytes begin or lie in an anchor.
pub(super) fn next(bytes: &[u8], from: usize) -> Option<usize> {
    let (&first, rest) = bytes.get(from..)?.split_first()?;
    let (&second, rest) = rest.split_first()?;
    let mut window = u32::from(first) << 8 | u32::from(second) << 16;
    for (index, &byte) in rest.iter().enumerate() {
        window = window >> 8 | u32::from(byte) << 16;
        let hash = hash(window);
        if FILTER[hash / 32] >> (hash % 32) & 1 != 0 {
            return Some(from + index);
        }
    }
    None
}

/// The anchors whose three bytes are at `place`.
pub(super) fn at(bytes: &[u8], place: usize) -> impl Iterator<Item = Hit> + '_ {
    let mut index = HEADS[head_of(&bytes[place..place + 3])];
    std::iter::from_fn(move || {
        while index != 0 {
            let anchor = &ANCHORS[usize::from(index) - 1];
            index = anchor.next;
            let hit = anchor.hit(bytes, place);
            if hit.is_some() {
                return hit;
            }
        }
        None
    })
}

impl Anchor {
    fn hit(&self, bytes: &[u8], place: usize) -> Option<Hit> {
        let start = place.checked_sub(usize::from(self.offset))?;
        let end = start + self.literal.len();
        let spelled = bytes.get(start..end)?;
        let matches = match self.case {
            Case::Exact => spelled == self.literal.as_bytes(),
            Case::Any => spelled.eq_ignore_ascii_case(self.literal.as_bytes()),
        };
        matches.then_some(Hit { start, end, kind: self.kind })
    }
}

const FILTER_BITS: u32 = 16;
const HEAD_SLOTS: usize = 1024;
const ANCHOR_COUNT: usize = WORDS.len() + prefix_count();

static ANCHORS: [Anchor; ANCHOR_COUNT] = TABLES.anchors;
static HEADS: [u16; HEAD_SLOTS] = TABLES.heads;
static FILTER: [u32; 1 << (FILTER_BITS - 5)] = TABLES.filter;
const TABLES: Tables = Tables::build();

struct Tables {
    anchors: [Anchor; ANCHOR_COUNT],
    count: usize,
    heads: [u16; HEAD_SLOTS],
    filter: [u32; 1 << (FILTER_BITS - 5)],
}

impl Tables {
    const fn build() -> Self {
        let blank = Anchor { literal: "", case: Case::Exact, kind: Kind::Marker, offset: 0, next: 0 };
        let mut tables = Self {
            anchors: [blank; ANCHOR_COUNT],
            count: 0,
            heads: [0; HEAD_SLOTS],
            filter: [0; 1 << (FILTER_BITS - 5)],
        };
        let mut word = 0;
        while word < WORDS.len() {
            let (literal, case, kind) = WORDS[word];
            tables.add(literal, case, kind);
            word += 1;
        }
        tables.add_formats();
        tables
    }

    const fn add_formats(&mut self) {
        let mut format = 0;
        while format < FORMATS.len() {
            let mut prefix = 0;
            while prefix < FORMATS[format].prefixes.len() {
                self.add(FORMATS[format].prefixes[prefix], Case::Exact, Kind::Format(format as u8));
                prefix += 1;
            }
            format += 1;
        }
    }

    const fn add(&mut self, literal: &'static str, case: Case, kind: Kind) {
        let bytes = literal.as_bytes();
        let offset = rarest(bytes);
        let gram = [bytes[offset], bytes[offset + 1], bytes[offset + 2]];
        // The slot ignores case, so that one link serves all spellings.
        let slot = head_of(&gram);
        self.anchors[self.count] =
            Anchor { literal, case, kind, offset: offset as u8, next: self.heads[slot] };
        self.count += 1;
        self.heads[slot] = self.count as u16;
        self.mark_spellings(gram, case);
    }

    const fn mark_spellings(&mut self, gram: [u8; 3], case: Case) {
        let mut spelling = 0;
        while spelling < 8 {
            let bytes = [
                spell(gram[0], spelling & 1 != 0),
                spell(gram[1], spelling & 2 != 0),
                spell(gram[2], spelling & 4 != 0),
            ];
            if matches!(case, Case::Any) {
                self.mark(bytes);
            }
            spelling += 1;
        }
        self.mark(gram);
    }

    const fn mark(&mut self, gram: [u8; 3]) {
        let hash = hash(gram[0] as u32 | (gram[1] as u32) << 8 | (gram[2] as u32) << 16);
        self.filter[hash / 32] |= 1 << (hash % 32);
    }
}

const fn spell(byte: u8, upper: bool) -> u8 {
    if upper { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() }
}

const fn hash(window: u32) -> usize {
    (window.wrapping_mul(0x9E37_79B1) >> (32 - FILTER_BITS)) as usize
}

const fn head_of(gram: &[u8]) -> usize {
    let folded =
        (gram[0] | 0x20) as usize | ((gram[1] | 0x20) as usize) << 8 | ((gram[2] | 0x20) as usize) << 16;
    (folded.wrapping_mul(0x9E37_79B1) >> 16) % HEAD_SLOTS
}

/// The three neighbouring bytes that ordinary text holds least often: the fewer hits, the faster the scan.
const fn rarest(literal: &[u8]) -> usize {
    // A marker must be seen before anything inside it is.
    if literal[0] == b'[' {
        return 0;
    }
    let (mut best, mut best_score) = (0, u32::MAX);
    let mut offset = 0;
    while offset + 3 <= literal.len() {
        let score =
            commonness(literal[offset]) * commonness(literal[offset + 1]) * commonness(literal[offset + 2]);
        if score < best_score {
            (best, best_score) = (offset, score);
        }
        offset += 1;
    }
    best
}

/// Roughly how many times per thousand bytes of code and prose.
const fn commonness(byte: u8) -> u32 {
    match byte {
        b' ' => 150,
        b'e' | b't' => 70,
        b'a' | b'i' | b'n' | b'o' | b'r' | b's' => 50,
        b'c' | b'd' | b'l' | b'p' | b'u' => 30,
        b'f' | b'g' | b'h' | b'm' => 20,
        b'b' | b'v' | b'w' | b'y' | b'_' | b'-' | b'.' | b'k' => 10,
        b'0'..=b'9' | b'/' | b'=' | b':' => 8,
        b'A'..=b'Z' => 4,
        _ => 2,
    }
}

const fn prefix_count() -> usize {
    let (mut format, mut count) = (0, 0);
    while format < FORMATS.len() {
        count += FORMATS[format].prefixes.len();
        format += 1;
    }
    count
}
