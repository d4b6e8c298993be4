"""Writes the vectors that the Rust tests compare with: text, a tab, the values with spaces between them."""

from pathlib import Path

import table
import teacher

CRATE = Path(__file__).parents[2] / "crates" / "throughline-inference"
TEXTS = (
    "Where did Anna go on holiday last summer?",
    "fn parseHttpRequest(raw_bytes: &[u8]) -> Result<HttpRequest, Error>",
    "The café in Zürich isn't open; naïve déjà vu.",
    "unaffable 123 3.14 YouTube iPhone HTTPServer XMLHttpRequest",
    "北京 の 天気 привет мир ελληνικά हिन्दी",
    "$$ ≠ ™ ½ — “quotes”",
)


def main():
    reader = teacher.reader()
    rows = table.load(CRATE / "assets" / "embedding.bin", reader)
    vectors = table.unit(table.token_counts(reader, TEXTS) @ rows)
    lines = [f"{text}\t{' '.join(f'{x:.5f}' for x in vector)}\n" for text, vector in zip(TEXTS, vectors)]
    (CRATE / "src" / "embed" / "table" / "golden.tsv").write_text("".join(lines))


if __name__ == "__main__":
    main()
