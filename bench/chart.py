"""The chart of a run: for every workload, how many times longer each peer took than tombac, on a logarithmic axis.

SVG as text, with colours for light and dark backgrounds; no library is needed to draw or to show it.
"""

import math
from xml.sax.saxutils import escape

from peers import TITLES

GROUPS = (("host", "calls on 1,024 elements"), ("big", "large arrays"), ("kernel", "user kernels, calls"),
          ("wide", "user kernels, large arrays"))
COLOURS = {  # light, dark background
    "numpy": ("#4c6ef5", "#8aa0ff"),
    "numexpr": ("#0b9e73", "#4fd6a8"),
    "torch": ("#e8590c", "#ff9a5c"),
    "torch_compile": ("#a03a00", "#ffc9a3"),
    "jax": ("#c2a000", "#ffd43b"),
    "jax_jit": ("#7d6600", "#fff0a8"),
    "cupy": ("#2b8a3e", "#69db7c"),
}
SHAPES = {"torch_compile": "diamond", "jax_jit": "diamond", "numexpr": "square", "cupy": "square"}
LABELS, WIDTH, ROW, TOP, MARGIN = 150, 900, 17, 62, 18


def ratios(data, group):
    """(workload, {peer: ratio}) of a group, where there is a ratio."""
    own = data["figures"]["tombac"]
    for name, value in own.items():
        if name.split(".")[0] != group or name == "host.address" or not isinstance(value, (int, float)) or value <= 0:
            continue
        found = {}
        for peer, rows in data["figures"].items():
            if peer != "tombac" and isinstance(rows.get(name), (int, float)) and rows[name] > 0:
                found[peer] = rows[name] / value
        if found:
            yield name.split(".", 1)[1], found


def style():
    def colours(which):
        return " ".join(f".{peer} {{ fill: {pair[which]} }}" for peer, pair in COLOURS.items())

    light = ("text { font: 12px system-ui, sans-serif; fill: #1f2328 } .title { font-weight: 600 } "
             ".back { fill: #ffffff } .band { fill: #f3f5f8 } .grid { stroke: #d5dae0 } .one { stroke: #57606a; "
             "stroke-width: 1.5 } .slower { fill: #d1242f; font-weight: 600 } "
             ".axis { fill: #57606a; font-size: 11px } ")
    dark = ("text { fill: #e6edf3 } .back { fill: #0d1117 } .band { fill: #161b22 } .grid { stroke: #30363d } "
            ".one { stroke: #9198a1 } .slower { fill: #ff7b72 } .axis { fill: #9198a1 } ")
    return f"<style>{light}{colours(0)} @media (prefers-color-scheme: dark) {{ {dark}{colours(1)} }}</style>"


def marker(peer, x, y, tip):
    title = f"<title>{escape(tip)}</title>"
    shape = SHAPES.get(peer, "circle")
    if shape == "circle":
        return f'<circle class="{peer}" cx="{x:.1f}" cy="{y:.1f}" r="4.2">{title}</circle>'
    turned = f' transform="rotate(45 {x:.1f} {y:.1f})"' if shape == "diamond" else ""
    return (f'<rect class="{peer}" x="{x - 3.7:.1f}" y="{y - 3.7:.1f}" width="7.4" height="7.4"{turned}>{title}</rect>')


def tick_label(value):
    return f"{value:g}×" if value >= 1 else f"1/{1 / value:.0f}"


def legend(peers):
    x, parts = LABELS, []
    for peer in peers:
        parts.append(marker(peer, x + 5, 40, TITLES[peer]))
        parts.append(f'<text x="{x + 14}" y="44">{escape(TITLES[peer])}</text>')
        x += 34 + 7.2 * len(TITLES[peer])
    return parts


def svg(data):
    groups = [(title, list(ratios(data, group))) for group, title in GROUPS]
    groups = [(title, rows) for title, rows in groups if rows]
    values = [v for _, rows in groups for _, found in rows for v in found.values()] or [1]
    low, high = min(math.log10(min(values)), -0.3) - 0.1, max(math.log10(max(values)), 1) + 0.1
    peers = [p for p in COLOURS if any(p in found for _, rows in groups for _, found in rows)]

    def place(value):
        return LABELS + (math.log10(value) - low) / (high - low) * (WIDTH - LABELS - MARGIN)

    height = TOP + sum(ROW * len(rows) + 30 for _, rows in groups) + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-label="Each library\'s time over tombac\'s, by workload">',
        style(),
        f'<rect class="back" width="{WIDTH}" height="{height}"/>',
        f'<text class="title" x="{MARGIN}" y="22">The other library\'s time over tombac\'s (logarithmic): right of 1, '
        "tombac is faster; left of it (red label), slower</text>",
        *legend(peers),
    ]
    ticks = [base * 10**e for e in range(math.floor(low), math.ceil(high) + 1) for base in (1, 2, 5)]
    ticks = [t for t in ticks if low <= math.log10(t) <= high]
    if len(ticks) > 9:
        ticks = [t for t in ticks if math.log10(t) == round(math.log10(t))]
    y = TOP
    for title, rows in groups:
        y += 22
        parts.append(f'<text class="title" x="{MARGIN}" y="{y - 6}">{escape(title)}</text>')
        bottom = y + ROW * len(rows)
        for line in range(0, len(rows), 2):
            parts.append(f'<rect class="band" x="{MARGIN - 6}" y="{y + ROW * line}" width="{WIDTH - 2 * MARGIN + 12}" '
                         f'height="{ROW}"/>')
        for tick in ticks:
            kind = "one" if tick == 1 else "grid"
            parts.append(f'<line class="{kind}" x1="{place(tick):.1f}" y1="{y}" x2="{place(tick):.1f}" y2="{bottom}"/>')
        for name, found in rows:
            kind = ' class="slower"' if min(found.values()) < 0.995 else ""
            parts.append(f'<text{kind} x="{LABELS - 12}" y="{y + 12.5}" text-anchor="end">{escape(name)}</text>')
            for peer in peers:
                if peer in found:
                    tip = f"{name}: {TITLES[peer]} takes {found[peer]:.2f} times as long"
                    parts.append(marker(peer, place(found[peer]), y + ROW / 2, tip))
            y += ROW
        y += 8
    for tick in ticks:
        label = f'<text class="axis" x="{place(tick):.1f}" y="{y + 12}" text-anchor="middle">{tick_label(tick)}</text>'
        parts.append(label)
    return "\n".join([*parts, "</svg>"]) + "\n"
