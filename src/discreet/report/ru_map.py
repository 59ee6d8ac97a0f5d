"""The R-U map: every setting that was tried, by what it risks and what it loses.

The picture is drawn here and is complete without a script; a small script of the page's own adds
the figures of a point under the mouse, and a click on a method shows it alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.report.axis import Axis, spans_powers
from discreet.report.html import WARNING, page
from discreet.report.markup import figure, paragraphs, shown, table, text
from discreet.report.svg import drawing, label, line, place

WIDTH, HEIGHT = 760.0, 460.0
LEFT, RIGHT, TOP, BOTTOM = 76.0, 16.0, 18.0, 46.0
COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f5539", "#5e548e",
    "#7a8b00", "#c1121f", "#2a9d8f", "#6c757d",
)  # fmt: skip
"""Colours that people with any colour vision tell apart come first (Okabe & Ito)."""

SCRIPT = """
document.querySelectorAll('svg.map').forEach(svg=>{
 const tip=svg.parentNode.querySelector('.tip');
 svg.querySelectorAll('g.point').forEach(g=>{
  const show=()=>{tip.textContent=g.dataset.words;tip.hidden=false};
  g.addEventListener('mouseenter',show);g.addEventListener('focus',show);
  g.addEventListener('mouseleave',()=>{tip.hidden=true})});
});
let alone=null;
document.querySelectorAll('.legend button').forEach(b=>b.addEventListener('click',()=>{
 alone=alone===b.dataset.method?null:b.dataset.method;
 document.querySelectorAll('[data-method]').forEach(e=>{
  const off=alone!==null&&e.dataset.method!==alone;e.style.opacity=off?0.08:''});
}));
"""
STYLE = """
svg.map{max-width:100%}svg.map text{font-size:12px}
svg.map .best{fill:none;stroke:var(--ink);stroke-width:2}
svg.map .limit{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:5 4}
svg.map .front{fill:none;stroke:var(--soft);stroke-width:1.2;stroke-dasharray:2 3}
svg.map .trace{fill:none;stroke-width:1;opacity:.45}
.legend{display:flex;flex-wrap:wrap;gap:.3rem .5rem;list-style:none;padding:0;font-size:.85rem}
.legend button{font:inherit;color:var(--ink);background:none;border:1px solid var(--line);
border-radius:.4rem;padding:.1rem .5rem;cursor:pointer}
.legend i{display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.4em}
.tip{min-height:1.6em;font-size:.9rem;color:var(--ink);margin:.2rem 0}
"""


def ru_page(content: Mapping[str, Any]) -> str:
    """Return the page of an exploration: the outcome, the map and the table of all settings."""
    maps = "".join(_with_legend(content, one) for one in content["maps"])
    parts = [
        ("outcome", "Outcome", paragraphs(content["words"])),
        ("map", "Risk and utility of every setting", maps),
        ("settings", "Settings", _settings(content)),
        ("failed", "Settings without a release", _failed(content)),
    ]
    lead = "Which method with which parameters loses least under the limits."
    whole = page("R-U map", lead, parts, content["discreet"], warning=WARNING)
    whole = whole.replace("</style>", f"{STYLE}</style>", 1)
    return whole.replace("</body>", f"<script>{SCRIPT}</script>\n</body>", 1)


def ru_picture(content: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    """Return one map as an SVG file of its own."""
    colours = (
        "svg{background:#fff;font-family:sans-serif;--ink:#1d2227;--soft:#545c64;--line:#dcdfe2;"
        "--bad:#a5330a}svg .axis{stroke:var(--line)}svg .strong-axis{stroke:var(--soft)}"
        "svg .soft{fill:var(--soft)}"
    )
    drawn = _map(content, one, names=True)
    return drawn.replace(
        "<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:.0f}" ', 1
    ).replace("</desc>", f"</desc><style>{colours}{STYLE.split('.legend')[0]}</style>", 1)


def _with_legend(content: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    items = "".join(
        f'<li><button type="button" data-method="{i}"><i style="background:{colour(i)}"></i>'
        f"{text(method)}</button></li>"
        for i, method in enumerate(content["methods"])
    )
    # The vertical axis is turned so that down is better; the horizontal one runs as usual.
    safer = "left" if one["risk"]["better"] == "lower" else "right"
    return (
        f"<figure><figcaption><strong>{text(one['utility']['title'])}</strong> over "
        f"{text(one['risk']['title'])}: to the {safer} is safer, down is more useful; the ring is "
        "the recommended setting, the dashed line the limit, the dotted line the front."
        "</figcaption>"
        f'{_map(content, one)}<p class="tip" hidden></p><ul class="legend">{items}</ul></figure>\n'
    )


def colour(number: int) -> str:
    """Return the colour of a method by its number.

    >>> colour(0) == colour(12)
    True
    """
    return COLOURS[number % len(COLOURS)]


def _map(content: Mapping[str, Any], one: Mapping[str, Any], names: bool = False) -> str:
    risk, utility = one["risk"]["name"], one["utility"]["name"]
    points = [p for p in content["points"] if p["scores"].get(risk) and p["scores"].get(utility)]
    if not points:
        return "<p>No setting has both measures.</p>"
    xs = [p["scores"][risk]["mean"] for p in points]
    ys = [p["scores"][utility]["mean"] for p in points]
    limit = one["risk"]["limit"]
    across = [*xs, *([] if limit is None else [limit])]
    x = Axis(across, LEFT, WIDTH - RIGHT, logarithmic=spans_powers(across))
    worse_up = one["utility"]["better"] == "lower"
    ends = (HEIGHT - BOTTOM, TOP) if worse_up else (TOP, HEIGHT - BOTTOM)
    y = Axis(ys, *ends, logarithmic=spans_powers(ys))
    parts = [_axes(one, x, y)]
    if limit is not None:
        parts.append(line(x(limit), TOP, x(limit), HEIGHT - BOTTOM, "limit"))
        parts.append(label(x(limit), TOP - 5, "limit", "middle", "soft"))
    front = sorted((a, b) for p, a, b in zip(points, xs, ys, strict=True) if p["front"])
    if len(front) > 1:
        path = "L".join(f"{place(x(a))} {place(y(b))}" for a, b in front)
        parts.append(f'<path d="M{path}" class="front"/>')
    for number in range(len(content["methods"])):
        own = [(a, b) for p, a, b in zip(points, xs, ys, strict=True) if p["method"] == number]
        if len(own) > 1:
            path = "L".join(f"{place(x(a))} {place(y(b))}" for a, b in sorted(own))
            parts.append(
                f'<path d="M{path}" class="trace" stroke="{colour(number)}" '
                f'data-method="{number}"/>'
            )
    for p, a, b in zip(points, xs, ys, strict=True):
        parts.append(_point(p, one, x(a), y(b), (x, y)))
    if names:
        for number, method in enumerate(content["methods"]):
            row = TOP + 6 + 14 * number
            parts.append(
                f'<circle cx="{place(WIDTH - 190)}" cy="{place(row)}" r="4" '
                f'fill="{colour(number)}"/>' + label(WIDTH - 180, row + 4, method)
            )
    words = f"{len(points)} settings by {one['risk']['title']} and {one['utility']['title']}"
    drawn = drawing(WIDTH, HEIGHT, "R-U map", words, "".join(parts))
    return drawn.replace('class="wide"', 'class="wide map"', 1)


def _point(
    point: Mapping[str, Any], one: Mapping[str, Any], cx: float, cy: float, scales: Any
) -> str:
    x, y = scales
    tint = colour(point["method"])
    risk, utility = (point["scores"][one[side]["name"]] for side in ("risk", "utility"))
    figures = "; ".join(
        f"{one[side]['title']} {shown(score['mean'], one[side]['percent'])}"
        for side, score in (("risk", risk), ("utility", utility))
    )
    words = f"{point['setting']}: {figures}"
    parts = [f"<title>{text(words)}</title>"]
    if risk["high"] > risk["low"]:
        ends = f'x1="{place(x(risk["low"]))}" x2="{place(x(risk["high"]))}"'
        parts.append(f'<line {ends} y1="{place(cy)}" y2="{place(cy)}" stroke="{tint}"/>')
    if utility["high"] > utility["low"]:
        ends = f'y1="{place(y(utility["low"]))}" y2="{place(y(utility["high"]))}"'
        parts.append(f'<line {ends} x1="{place(cx)}" x2="{place(cx)}" stroke="{tint}"/>')
    hollow = "" if point["keeps"] else ' fill-opacity="0.25"'
    at = f'cx="{place(cx)}" cy="{place(cy)}"'
    parts.append(f'<circle {at} r="4.5" fill="{tint}" stroke="{tint}"{hollow}/>')
    if point["recommended"]:
        parts.append(f'<circle {at} r="9" class="best"/>')
    return (
        f'<g class="point" tabindex="0" data-method="{point["method"]}" '
        f'data-words="{text(words)}">{"".join(parts)}</g>'
    )


def _axes(one: Mapping[str, Any], x: Axis, y: Axis) -> str:
    parts = [
        line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "strong-axis"),
        line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, "strong-axis"),
    ]
    for tick in x.ticks:
        parts.append(line(x(tick), TOP, x(tick), HEIGHT - BOTTOM, "axis"))
        words = _tick(tick, one["risk"]["percent"])
        parts.append(label(x(tick), HEIGHT - BOTTOM + 16, words, "middle", "soft"))
    for tick in y.ticks:
        parts.append(line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "axis"))
        words = _tick(tick, one["utility"]["percent"])
        parts.append(label(LEFT - 6, y(tick) + 4, words, "end", "soft"))
    parts.append(label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, one["risk"]["title"], "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f'<text x="14" y="{place(middle)}" text-anchor="middle" '
        f'transform="rotate(-90 14 {place(middle)})">{text(one["utility"]["title"])}</text>'
    )
    return "".join(parts)


def _tick(value: float, percent: bool) -> str:
    return f"{100 * value:.4g} %" if percent else figure(value)


def _settings(content: Mapping[str, Any]) -> str:
    specs = content["measures"]
    rows = []
    for point in sorted(content["points"], key=lambda p: (not p["keeps"], p["rank"])):
        if not point["scores"]:
            continue
        cells = [text(point["setting"])]
        for spec in specs:
            score = point["scores"].get(spec["name"])
            cells.append(text(_score(score, spec["percent"])) if score else "–")
        cells += ["yes" if point["keeps"] else "no", "yes" if point["front"] else ""]
        cells += [f"{point['repetitions']}", f"{point['seconds']:.2f}"]
        rows.append(cells)
    head = ["setting", *(text(spec["name"]) for spec in specs)]
    head += ["keeps the limits", "on the front", "repetitions", "seconds"]
    numbers = range(1, len(specs) + 1)
    return table(head, rows, numeric=numbers, caption="Best first") if rows else ""


def _score(score: Mapping[str, float], percent: bool) -> str:
    words = shown(score["mean"], percent)
    if score["high"] > score["low"]:
        words += f" ({shown(score['low'], percent)} to {shown(score['high'], percent)})"
    return words


def _failed(content: Mapping[str, Any]) -> str:
    rows = [(text(p["setting"]), text(p["reason"])) for p in content["points"] if p["reason"]]
    return table(("setting", "why"), rows, caption="What was not measured") if rows else ""
