//! The plainest cues in languages other than English: asked to be remembered, never and always, preferred, decided.

use throughline_store::memory::{Kind, Source};

use super::sentence::Sentence;
use super::{Family, Found, Reason, doubt};

/// The cues of a language, each between spaces where the language has them.
struct Language {
    /// Ask for something to be remembered.
    remember: &'static [&'static str],
    /// After those, what makes it something to be done once.
    once: &'static [&'static str],
    we: &'static [&'static str],
    /// How things are done always or never.
    often: &'static [&'static str],
    prefer: &'static [&'static str],
    decide: &'static [&'static str],
    /// "no, take X instead of Y": both must be there.
    correct: &'static [(&'static str, &'static str)],
    /// What the way of answering is about.
    manners: &'static [&'static str],
    ask: &'static [&'static str],
    suppose: &'static [&'static str],
    pass: &'static [&'static str],
    fail: &'static [&'static str],
    place: &'static [&'static str],
}

const GERMAN: Language = Language {
    remember: &[
        " merk dir ",
        " merke dir ",
        " denk daran ",
        " denk dran ",
        " vergiss nicht ",
        " für die zukunft ",
        " ab jetzt ",
        " ab sofort ",
        " in zukunft ",
    ],
    once: &[" zu ", " mich "],
    we: &[" wir ", " man "],
    often: &[" nie ", " niemals ", " immer ", " grundsätzlich ", " kein ", " keine ", " nur "],
    prefer: &[
        " ich bevorzuge ",
        " ich hätte lieber ",
        " mir ist lieber ",
        " ich mag lieber ",
        " ich mag keine ",
    ],
    decide: &[
        " wir haben uns für ",
        " wir haben uns gegen ",
        " wir haben entschieden ",
        " wir haben beschlossen ",
        " wir wechseln zu ",
        " wir steigen auf ",
    ],
    correct: &[(" nein ", " statt "), (" nicht ", " sondern "), (" nein ", " nicht ")],
    manners: &[" antworte ", " antworten ", " erkläre ", " antwort "],
    ask: &[" kannst du ", " sollen wir ", " sollten wir ", " warum ", " wieso ", " welche ", " wie "],
    suppose: &[
        " wenn wir ",
        " falls ",
        " würden ",
        " würde ",
        " könnten ",
        " vielleicht ",
        " wäre ",
        " eventuell ",
    ],
    pass: &[" erstmal ", " vorerst ", " zunächst ", " momentan ", " gerade ", " heute ", " diesmal "],
    fail: &[" stürzt ", " kaputt ", " fehler ", " funktioniert nicht ", " hängt "],
    place: &[
        " in dieser funktion ",
        " in dieser datei ",
        " in diesem test ",
        " diese zeile ",
        " diese datei ",
    ],
};

const FRENCH: Language = Language {
    remember: &[
        " souviens-toi ",
        " rappelle-toi ",
        " n'oublie pas ",
        " n'oubliez pas ",
        " retiens ",
        " à l'avenir ",
        " désormais ",
        " dorénavant ",
        " à partir de maintenant ",
    ],
    once: &[" de ", " d'"],
    we: &[" on ", " nous "],
    often: &[" jamais ", " toujours ", " uniquement ", " systématiquement "],
    prefer: &[" je préfère ", " j'aime mieux ", " je n'aime pas "],
    decide: &[
        " nous avons décidé ",
        " on a décidé ",
        " nous avons choisi ",
        " on a choisi ",
        " on part sur ",
    ],
    correct: &[(" non ", " pas "), (" non ", " au lieu de "), (" et pas ", " utilis")],
    manners: &[" réponds ", " répondez ", " explique ", " réponses "],
    ask: &[" est-ce ", " pourquoi ", " comment ", " quel ", " quelle "],
    suppose: &[" si on ", " si nous ", " peut-être ", " pourrait ", " serait "],
    pass: &[" pour l'instant ", " pour le moment ", " aujourd'hui ", " cette fois "],
    fail: &[" plante ", " erreur ", " cassé ", " ne marche pas "],
    place: &[" dans cette fonction ", " dans ce fichier ", " cette ligne "],
};

const SPANISH: Language = Language {
    remember: &[
        " recuerda ",
        " recuerda que ",
        " no olvides ",
        " no olvides que ",
        " ten en cuenta ",
        " a partir de ahora ",
        " de ahora en adelante ",
        " en el futuro ",
    ],
    once: &[" recuerda cerrar ", " no olvides cerrar ", " recuerda ejecutar "],
    we: &[" nosotros ", " usamos ", " hacemos ", " ponemos ", " escribimos "],
    often: &[" nunca ", " siempre ", " jamás ", " solo "],
    prefer: &[" prefiero ", " me gusta más ", " no me gusta "],
    decide: &[" hemos decidido ", " decidimos ", " optamos por ", " hemos elegido "],
    correct: &[(" no ", " en vez de "), (" no ", " en lugar de ")],
    manners: &[" responde ", " respuestas ", " explica ", " contesta "],
    ask: &["¿", " por qué ", " cuál ", " cómo "],
    suppose: &[" si usáramos ", " quizás ", " tal vez ", " podría ", " podríamos ", " sería "],
    pass: &[" por ahora ", " de momento ", " hoy ", " esta vez "],
    fail: &[" falla ", " error ", " se cae ", " roto ", " no funciona "],
    place: &[" en esta función ", " en este archivo ", " esta línea "],
};

const RUSSIAN: Language = Language {
    remember: &[
        " запомни ",
        " запомните ",
        " не забудь ",
        " не забывай ",
        " на будущее ",
        " отныне ",
        " впредь ",
        " с этого момента ",
        " имей в виду ",
    ],
    once: &[" закрыть ", " запустить ", " добавить "],
    we: &[" мы ", " у нас "],
    often: &[" никогда ", " всегда ", " нельзя ", " только "],
    prefer: &[" я предпочитаю ", " предпочитаю ", " мне больше нравится ", " я не люблю "],
    decide: &[" мы решили ", " решено ", " мы выбрали ", " мы договорились "],
    correct: &[(" нет ", " а не "), (" нет ", " вместо ")],
    manners: &[" отвечай ", " отвечайте ", " объясняй ", " ответы "],
    ask: &[" ли ", " почему ", " какой ", " как ", " или "],
    suppose: &[" если ", " может ", " возможно ", " наверное ", " бы "],
    pass: &[" пока ", " сейчас ", " сегодня ", " временно "],
    fail: &[" падает ", " ошибка ", " сломан", " не работает "],
    place: &[" в этой функции ", " в этом файле ", " эту строку "],
};

const CHINESE: Language = Language {
    remember: &["记住", "記住", "记下来", "请记得", "以后请", "以后都", "从现在开始", "今后", "從現在開始"],
    once: &["这个函数", "这个文件", "记得关闭"],
    we: &["我们", "我們", "本项目", "这个项目"],
    often: &["永远不要", "绝不", "从不", "禁止", "必须", "一律", "永遠不要", "不允许", "总是用", "不用"],
    prefer: &["我更喜欢", "我喜欢", "我偏好", "我不喜欢", "我更倾向"],
    decide: &["我们决定", "已经决定", "决定采用", "我们选择了", "我們決定"],
    correct: &[("不对", "用"), ("不是", "而是")],
    manners: &["回答", "回复", "解释", "答复"],
    ask: &["吗", "还是", "为什么", "怎么", "什么", "哪个"],
    suppose: &["如果", "假如", "可能", "也许", "或许"],
    pass: &["暂时", "先用", "目前先", "今天"],
    fail: &["报错", "崩溃", "失败", "卡住"],
    place: &["这个函数", "这个文件", "这一行", "这里"],
};

const JAPANESE: Language = Language {
    remember: &["覚えておいて", "覚えて", "記憶して", "忘れないで", "これからは", "今後は"],
    once: &["この関数", "このファイル"],
    we: &["このリポジトリ", "このプロジェクト", "私たち", "うちでは", "我々"],
    often: &["絶対に", "必ず", "常に", "決して", "禁止"],
    prefer: &["が好き", "を好み", "好みは", "が嫌い"],
    decide: &["ことに決め", "に決めました", "ことにしました", "を採用し"],
    correct: &[("いいえ", "ではなく"), ("違います", "を使")],
    manners: &["答えて", "回答", "返答", "説明して"],
    ask: &["ですか", "ますか", "どちら", "なぜ", "でしょうか"],
    suppose: &["もし", "かもしれ", "たら"],
    pass: &["とりあえず", "今だけ", "今日は", "一旦"],
    fail: &["落ちます", "エラー", "壊れ", "動きません", "失敗"],
    place: &["この関数", "このファイル", "この行", "ここでは"],
};

const SPACED: [&Language; 4] = [&GERMAN, &FRENCH, &SPANISH, &RUSSIAN];
const UNSPACED: [&Language; 2] = [&CHINESE, &JAPANESE];

/// What a sentence says in one of these languages; nothing when it is in none of them, or says nothing.
pub(super) fn says(sentence: &Sentence<'_>) -> Result<Option<Found>, Reason> {
    let is_unspaced =
        sentence.whole.chars().any(|c| matches!(u32::from(c), 0x3040..=0x30FF | 0x4E00..=0x9FFF));
    let (text, languages): (String, &[&Language]) =
        if is_unspaced { (sentence.whole.to_lowercase(), &UNSPACED) } else { (spaced(sentence), &SPACED) };
    for language in languages {
        if let Some((family, kind)) = language.knows(&text) {
            return language
                .doubts(sentence, &text)
                .map_or_else(|| Ok(Some(found(sentence, family, kind, language))), Err);
        }
    }
    Ok(None)
}

impl Language {
    fn knows(&self, text: &str) -> Option<(Family, Kind)> {
        let has = |cues: &[&str]| cues.iter().any(|cue| text.contains(cue));
        let begins = |cues: &[&str]| cues.iter().any(|cue| text.trim_start().starts_with(cue.trim_start()));
        let often = has(self.often);
        let manner = has(self.manners);
        let kind = match () {
            () if manner || has(self.prefer) => Kind::Preference,
            () if has(self.we) || often => Kind::Rule,
            () => Kind::Fact,
        };
        match () {
            () if has(self.remember) => Some((Family::Explicit, kind)),
            () if has(self.decide) => Some((Family::Decision, Kind::Decision)),
            () if begins(self.prefer) || (has(self.prefer) && !text.is_ascii()) => {
                Some((Family::Preference, Kind::Preference))
            }
            () if manner && (often || text.contains("一直")) => {
                Some((Family::Preference, Kind::Preference))
            }
            () if self.correct.iter().any(|(one, other)| text.contains(one) && text.contains(other)) => {
                Some((Family::Correction, Kind::Rule))
            }
            () if often && (has(self.we) || begins(self.often) || self.is_strict(text)) => {
                Some((Family::Convention, Kind::Rule))
            }
            () => None,
        }
    }

    /// In scripts without spaces the strictest words need no beginning.
    fn is_strict(&self, text: &str) -> bool {
        ["絶対に", "必ず", "禁止", "永远不要", "一律", "必须"]
            .iter()
            .any(|word| self.often.contains(word) && text.contains(word))
    }

    fn doubts(&self, sentence: &Sentence<'_>, text: &str) -> Option<Reason> {
        let has = |cues: &[&str]| cues.iter().any(|cue| text.contains(cue));
        let asked = has(self.remember) && has(self.once) && !sentence.whole.contains([':', '：']);
        // "dass" and its like make a statement of what follows.
        let is_statement = [" dass ", " que ", " что "].iter().any(|that| text.contains(that));
        match () {
            () if sentence.asks() || sentence.whole.contains(['?', '？', '¿']) => Some(Reason::Question),
            () if has(self.ask) && !has(self.remember) && !has(self.decide) => Some(Reason::Question),
            () if has(self.fail) => Some(Reason::Symptom),
            () if has(self.suppose) => Some(Reason::Hypothetical),
            () if has(self.pass) => Some(Reason::Temporary),
            () if has(self.place) || (asked && !is_statement) => Some(Reason::Task),
            () => doubt::of_any(sentence).filter(|reason| *reason != Reason::TooShort),
        }
    }
}

fn found(sentence: &Sentence<'_>, family: Family, kind: Kind, language: &Language) -> Found {
    let confidence = if family == Family::Explicit { 0.9 } else { 0.65 };
    let content = without_cue(sentence.whole, family, language);
    let source = if family == Family::Explicit { Source::Explicit } else { Source::Implicit };
    Found { source, ..Found::new(family, kind, confidence, content) }
}

/// What is to be remembered stands after the colon, or after "that".
fn without_cue<'a>(text: &'a str, family: Family, language: &Language) -> &'a str {
    if family != Family::Explicit {
        return text;
    }
    let near = |at: usize| text[..at].chars().count() < 40;
    if let Some((head, rest)) = text.split_once([':', '：']).filter(|(head, _)| near(head.len())) {
        let cued = format!(" {} ", head.to_lowercase().trim());
        if language.remember.iter().any(|cue| cued.contains(cue.trim_end())) {
            return rest;
        }
    }
    [" dass ", " que ", " что ", ", dass "]
        .iter()
        .find_map(|that| text.split_once(that).filter(|(head, _)| near(head.len())).map(|(_, rest)| rest))
        .unwrap_or(text)
}

/// The words in small letters between single spaces, without signs.
fn spaced(sentence: &Sentence<'_>) -> String {
    let mut text = String::from(" ");
    for word in &sentence.all {
        text.push_str(&word.text);
        text.push(' ');
    }
    text
}
