//! Chance that comes out the same from the same seed, and texts made with it.

/// The generator splitmix64.
#[derive(Debug, Clone)]
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x2545_F491_4F6C_DD1D).wrapping_add(0x9E37_79B9))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below a number, which is not zero.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(super) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Words that belong together, so that items are about the same things, in scripts that are written in different ways.
const TOPICS: [&[&str]; 10] = [
    &["payment", "gateway", "timeout", "retry", "invoice", "refund", "checkout", "currency"],
    &["token", "rotation", "session", "login", "password", "expiry", "cookie", "signing"],
    &["parser", "grammar", "syntax", "recursion", "lexer", "snapshot", "fuzzing", "unicode"],
    &["deploy", "pipeline", "rollback", "container", "registry", "canary", "latency", "alert"],
    &["支付", "网关", "超时", "重试", "订单", "退款", "数据库", "索引"],
    &["検索", "認証", "設計", "更新", "履歴", "会話", "品質", "試験"],
    &["بوابة", "الدفع", "مهلة", "إعادة", "المحاولة", "فاتورة", "عملة", "جلسة"],
    &["שער", "תשלום", "הזמנה", "חשבונית", "מטבע", "בדיקה", "שגיאה", "זמן"],
    &[
        "ne\u{301}gociation",
        "de\u{301}ploiement",
        "re\u{301}gression",
        "नमस्ते",
        "भुगतान",
        "สวัสดี",
        "การชำระเงิน",
        "Ünïcödé",
    ],
    &["🚀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🧪🧪", "launch", "party", "emoji", "🇨🇭"],
];

pub(super) fn words(chance: &mut Chance, most: usize) -> String {
    let topic: &[&str] = TOPICS[chance.below(TOPICS.len())];
    let count = 1 + chance.below(most);
    let words: Vec<&str> = (0..count).map(|_| *chance.pick(topic)).collect();
    words.join(" ")
}

/// Some lines; now and then one with what JSON and markdown must write in another way.
pub(super) fn text(chance: &mut Chance, lines: usize) -> String {
    let odd = [
        "## Children",
        "\"quoted\\\"",
        "{\"a\": [1]}",
        "- TASK-12",
        "\t\u{200f}|",
        "<!-- end -->",
        "\u{1b}[31m\r",
        "\u{9b}\u{7f}",
    ];
    let count = chance.below(lines + 1);
    let line = |chance: &mut Chance| {
        if chance.percent(8) { (*chance.pick(&odd)).to_owned() } else { words(chance, 12) }
    };
    (0..count).map(|_| line(chance)).collect::<Vec<_>>().join("\n")
}

/// Far more than any budget.
pub(super) fn huge(chance: &mut Chance) -> String {
    let line = words(chance, 12);
    let times = (20_000 + chance.below(60_000)) / line.len().max(1);
    format!("{line}\n").repeat(times + 1)
}
