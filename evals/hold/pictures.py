"""Draws docs/importance.svg and docs/compaction.svg.

    throughline eval compaction --json > compaction.json
    python3 evals/hold/pictures.py compaction.json docs

The first picture is the formula of docs/working-set.md at the default settings; the second is what the command measured.
"""

import json
import math
import pathlib
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 760, 320, 70, 40, 20, 150
COLOURS = ["#1b6ca8", "#c0392b", "#2e8b57", "#b8860b", "#6a4c93", "#555555"]
GRIP = 0.5


def importance(weight, half_life, hours, accesses):
    decayed = weight * 2 ** (-hours / half_life)
    return decayed ** (1 / (1 + GRIP * math.log1p(accesses)))


def picture(title, xs, ys, lines, bands=()):
    (x0, x1, xstep, xname), (y0, y1, ystep, yname) = xs, ys
    px = lambda x: LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
    py = lambda y: HEIGHT - BOTTOM - (y - y0) / (y1 - y0) * (HEIGHT - BOTTOM - TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">']
    out.append(f'<title>{title}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>')
    for low, high, colour, name in bands:
        out.append(f'<rect x="{LEFT}" y="{py(high):.1f}" width="{WIDTH - LEFT - RIGHT}" height="{py(low) - py(high):.1f}" fill="{colour}"/>')
        out.append(f'<text x="{WIDTH - RIGHT - 6}" y="{py(high) + 15:.1f}" text-anchor="end" fill="#777">{name}</text>')
    x = x0
    while x <= x1 + 1e-9:
        out.append(f'<line x1="{px(x):.1f}" y1="{py(y0):.1f}" x2="{px(x):.1f}" y2="{py(y0) + 4:.1f}" stroke="#333"/>')
        out.append(f'<text x="{px(x):.1f}" y="{py(y0) + 17:.1f}" text-anchor="middle">{x:g}</text>')
        x += xstep
    y = y0
    while y <= y1 + 1e-9:
        out.append(f'<line x1="{LEFT}" y1="{py(y):.1f}" x2="{WIDTH - RIGHT}" y2="{py(y):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{py(y) + 4:.1f}" text-anchor="end">{y:,.4g}</text>')
        y += ystep
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{xname}</text>')
    out.append(f'<text x="14" y="{(TOP + HEIGHT - BOTTOM) / 2}" transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2})" text-anchor="middle">{yname}</text>')
    for number, (name, points) in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        place = TOP + 16 + number * 20
        out.append(f'<line x1="{WIDTH - RIGHT + 10}" y1="{place - 4}" x2="{WIDTH - RIGHT + 30}" y2="{place - 4}" stroke="{colour}" stroke-width="3"/>')
        out.append(f'<text x="{WIDTH - RIGHT + 35}" y="{place}">{name}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    measured, folder = json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])
    hours = [h / 4 for h in range(0, 24 * 4 + 1)]
    of = lambda weight, half_life, accesses=0: [(h, importance(weight, half_life, h, accesses)) for h in hours]
    lines = [
        ("TASK", of(0.95, 16)),
        ("TASK, used 5 times", of(0.95, 16, 5)),
        ("ERROR", of(0.85, 8)),
        ("CODE", of(0.7, 6)),
        ("CODE, used 5 times", of(0.7, 6, 5)),
        ("TEST_RESULT", of(0.75, 2)),
    ]
    bands = [(0.8, 1.0, "#fdecea", "HOT"), (0.4, 0.8, "#fff8e6", "WARM"), (0, 0.4, "#eef4fb", "COLD")]
    text = picture("Importance over a day", (0, 24, 4, "hours since the last access"), (0, 1, 0.2, "importance"), lines, bands)
    (folder / "importance.svg").write_text(text)
    curve = measured["curve"]
    thousand = lambda place: [(event, row / 1000) for event, row in ((point[0], point[place]) for point in curve)]
    most = math.ceil(curve[-1][1] / 50_000) * 50
    lines = [("without", thousand(1)), ("with compaction", thousand(2))]
    text = picture("Tokens held over a session of 2,000 events", (0, 2000, 400, "events (four hours)"), (0, most, 50, "thousand tokens held"), lines)
    (folder / "compaction.svg").write_text(text)


main()
