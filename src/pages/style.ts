/** The style that all pages begin with: light or dark as the system is, and nothing is loaded for it. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1c1e21; --soft: #5c636d; --line: #d9dce1; --faint: #eceef1; --card: #f6f7f9; --link: #0b57d0;
  --bad: #b3261e; --bad-back: #fdecea; --good: #17692f; --good-back: #e6f4ea; --warn: #855100; --warn-back: #fdf1dc;
  --busy-back: #e4edfd; --was: #a3aab5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --ink: #e4e6ea; --soft: #9aa2ad; --line: #363b43; --faint: #24282e; --card: #1e2126; --link: #8ab4f8;
    --bad: #ffaaa2; --bad-back: #3d1c19; --good: #84d99b; --good-back: #17331f; --warn: #f0c274; --warn-back: #362a14;
    --busy-back: #1b2c4a; --was: #6b7480;
  }
}
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; }
/* Right-to-left text must not turn what is beside it. */
a, button, code, dd, dt, figcaption, h1, h3, li, option, p, strong, summary, td, text, th { unicode-bidi: isolate; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: .15em; } :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: .8125rem/1.5 ui-monospace, monospace; } pre { white-space: pre-wrap; overflow-wrap: anywhere; overflow: auto; }
.soft { color: var(--soft); font-weight: 400; } .worse { color: var(--bad); } .better { color: var(--good); } .warn { color: var(--warn); }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; background: var(--paper); padding: .5rem; }
.badge { font-size: .8rem; font-weight: 600; padding: .1rem .5rem; border-radius: 1rem; background: var(--card); color: var(--soft); white-space: nowrap; }
.badge.good { background: var(--good-back); color: var(--good); } .badge.bad { background: var(--bad-back); color: var(--bad); }
.badge.warn { background: var(--warn-back); color: var(--warn); } .badge.busy { background: var(--busy-back); color: var(--link); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line); vertical-align: baseline; font-weight: 400; } th.n, td.n { text-align: right; }
.scroll { overflow-x: auto; position: relative; }
dl { margin: 0; } dt { color: var(--soft); font-size: .8rem; } dd { margin: 0; font-variant-numeric: tabular-nums; }
.facts { display: flex; flex-wrap: wrap; gap: .6rem 2rem; margin: .75rem 0; } .facts > div { max-width: 100%; }
summary { color: var(--link); cursor: pointer; } label { color: var(--soft); font-size: .8rem; min-width: 0; }
select, input, button { font: inherit; font-size: .9375rem; color: var(--ink); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .6rem; }
select, input { display: block; background: var(--paper); max-width: 100%; } button { background: var(--card); padding: .35rem .75rem; cursor: pointer; } button:disabled { color: var(--soft); cursor: default; }
`;

/** The style of what `chart.ts` draws. */
export const CHART_STYLE = `
figure { margin: 0; min-width: 0; break-inside: avoid; } figcaption { font-size: .875rem; margin-bottom: .5rem; } figcaption strong { display: block; }
.chart { display: block; width: 100%; height: auto; max-width: 30rem; } .chart text { font-size: 11px; fill: var(--soft); }
.axis line { stroke: var(--soft); } .axis .grid { stroke: var(--faint); } .chart .zero { stroke: var(--soft); stroke-dasharray: 4 4; }
.numbers { font-size: .8rem; } .numbers summary { width: max-content; } .numbers table { width: 100%; } .numbers th, .numbers td { padding: .25rem .3rem; }
`;
