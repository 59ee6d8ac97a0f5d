"""The look of the report: one style sheet, light and dark, screen and paper.

The two colours of original and released are those that people with any colour vision tell apart
(Okabe & Ito); the original is also drawn filled and the released as a line, so that a print in
grey reads the same.
"""

STYLE = """
:root{color-scheme:light dark;--page:#f7f7f5;--card:#fff;--ink:#1d2227;--soft:#545c64;
--line:#dcdfe2;--original:#c97b00;--original-fill:#e9a63a;--released:#0067a5;--good:#0b6b50;
--good-back:#e7f3ee;--bad:#a5330a;--bad-back:#fdeee6;--code:#f1f2f3}
@media (prefers-color-scheme:dark){:root{--page:#15181b;--card:#1d2125;--ink:#e8eaec;
--soft:#a9b1b8;--line:#353b41;--original:#e9a63a;--original-fill:#b87d1c;--released:#62b4e8;
--good:#6fcfac;--good-back:#16332a;--bad:#ffa27d;--bad-back:#3d2015;--code:#262b30}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main,header,footer,.banner{max-width:68rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2.25rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem;letter-spacing:-.01em}
h2{font-size:1.25rem;margin:0 0 .75rem;line-height:1.3}
h3{font-size:1rem;margin:0 0 .35rem;line-height:1.35}
p{margin:.4rem 0 .8rem;max-width:46rem}
.lead,.quiet,caption,figcaption{color:var(--soft)}
.quiet{font-size:.875rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;list-style:none;margin:1rem 0 0;padding:0;
font-size:.9rem}
a{color:var(--released)}
.banner{margin-top:0;padding-top:.7rem;padding-bottom:.7rem;font-weight:600;color:var(--bad);
background:var(--bad-back);max-width:none;text-align:center;border-bottom:1px solid currentColor}
section{background:var(--card);border:1px solid var(--line);border-radius:.6rem;
padding:1.4rem 1.5rem;margin:1.25rem 0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,13.5rem),1fr));gap:.9rem;
margin:0 0 1rem}
.tile{margin:0;border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1rem}
.tile dt{color:var(--soft);font-size:.85rem;line-height:1.35}
.tile dd{margin:.15rem 0 0;font-size:1.45rem;font-weight:650;line-height:1.25}
.tile dd:not(.quiet){white-space:nowrap}
.tile dd.quiet{font-size:.8rem;font-weight:400}
.arrow{color:var(--soft);font-weight:400;padding:0 .15em}
.was{color:var(--soft);font-weight:500}
.verdict{border-left:.3rem solid var(--soft);padding:.6rem 1rem;margin:0 0 1.1rem;font-weight:600;
font-size:1.08rem;background:var(--code);border-radius:0 .4rem .4rem 0;max-width:none}
.verdict.good{border-color:var(--good);background:var(--good-back);color:var(--good)}
.verdict.bad{border-color:var(--bad);background:var(--bad-back);color:var(--bad)}
.scroll{overflow-x:auto;margin:.4rem 0 1rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
caption{text-align:left;font-size:.85rem;padding:0 0 .4rem;caption-side:top}
th,td{overflow-wrap:break-word;text-align:left;vertical-align:top;padding:.42rem .75rem .42rem 0;
border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:600;font-size:.82rem;white-space:nowrap;
vertical-align:bottom}
tbody th{font-weight:600}
tbody th:not(.num){min-width:7rem;max-width:24rem}
figure tbody th:not(.num){min-width:0}
.num{text-align:right;white-space:nowrap}
.measure{min-width:13rem}
.measure small,.tile small{display:block;font-weight:400;color:var(--soft);font-size:.84rem;
line-height:1.4}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18.5rem),1fr));
gap:1.4rem 1.6rem;margin:.6rem 0}
figure{margin:0;min-width:0}
figcaption{font-size:.85rem;margin-bottom:.2rem}
figcaption strong{color:var(--ink);font-size:.95rem}
figure table{font-size:.78rem;margin-top:.3rem}
figure td,figure th{padding:.16rem .35rem .16rem 0}
figure .scroll{margin:0}
figure caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
svg{display:block;width:100%;height:auto;max-width:26rem;overflow:visible}
svg.wide{max-width:44rem}
svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--ink);
font-variant-numeric:tabular-nums}
svg .soft{fill:var(--soft)}
svg .axis{stroke:var(--line);stroke-width:1;fill:none}
svg .strong-axis{stroke:var(--soft);stroke-width:1;fill:none}
svg .original-area{fill:var(--original-fill);fill-opacity:.5}
svg .original-line{fill:none;stroke:var(--original);stroke-width:1}
svg .released-line{fill:none;stroke:var(--released);stroke-width:1.8;stroke-linejoin:round}
svg .released-area{fill:var(--released);fill-opacity:.16}
svg .original-mark{fill:var(--original-fill);stroke:var(--original);stroke-width:1.5}
svg .original-bar{fill:var(--original-fill);fill-opacity:.65}
svg .released-mark,svg .released-bar{fill:var(--released)}
svg .link{stroke:var(--soft);stroke-width:1.5}
svg .plus{fill:var(--released)}
svg .minus{fill:var(--original)}
svg .gap{fill:none;stroke:var(--line)}
.key{display:inline-block;width:1.1em;height:.75em;border-radius:2px;margin:0 .35em 0 0;
vertical-align:-.02em}
.key.original{background:var(--original-fill);opacity:.75;border:1px solid var(--original)}
.key.released{border:2px solid var(--released);
background:color-mix(in srgb,var(--released) 35%,transparent)}
.legend{font-size:.875rem;color:var(--soft)}
.legend span{margin-right:1.2rem;white-space:nowrap}
details{margin:.6rem 0}
summary{cursor:pointer;font-weight:600;padding:.2rem 0}
pre{background:var(--code);border-radius:.4rem;padding:.9rem 1rem;overflow-x:auto;font-size:.82rem;
line-height:1.5;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
ul,ol{padding-left:1.25rem;margin:.3rem 0 .9rem}
li{margin:.25rem 0}
.name{unicode-bidi:isolate}
.parts{list-style:none;padding-left:1rem;border-left:2px solid var(--line)}
footer{color:var(--soft);font-size:.85rem;padding-bottom:2.5rem}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--released);
outline-offset:2px}
@media (max-width:40rem){body{font-size:15px}main,header,footer{padding-left:.75rem;
padding-right:.75rem}section{padding:1.1rem .95rem}}
@media print{:root{--page:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--original:#9a5e00;
--original-fill:#e9a63a;--released:#005a91;--code:#f4f4f4;--good:#0b6b50;--good-back:#eef6f2;
--bad:#8a2a08;--bad-back:#fdf1ea}
body{font-size:10.5pt}nav{display:none}section{border:0;padding:.5rem 0;margin:.5rem 0}
figure,tr,.tile{break-inside:avoid}h2,h3{break-after:avoid}.scroll{overflow:visible}
details::details-content{content-visibility:visible;display:block}}
"""
