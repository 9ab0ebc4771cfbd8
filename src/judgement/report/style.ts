import { CHART_STYLE } from "../../pages/style.ts";

/** What a report needs that is a page of its own. */
export const ALONE_STYLE = `
.verdict, main { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
.verdict { padding-top: 1.75rem; } main { padding-bottom: 4rem; }
@media (max-width: 46rem) { .verdict, main { padding-left: 1rem; padding-right: 1rem; } }
@media print { .verdict, main { max-width: none; padding: 0; } }
`;

/** The style of a report, from a phone to a wide window, and on paper; the style of all pages is above it. */
export const REPORT_STYLE = `${CHART_STYLE}
section { margin-top: 2.25rem; }
h1 { font-size: 1.5rem; font-weight: 600; line-height: 1.3; max-width: 56rem; margin: .5rem 0; text-wrap: pretty; }
h2 { font-size: 1.1rem; margin: 0 0 .6rem; } h3 { font-size: .8rem; font-weight: 600; color: var(--soft); margin: .75rem 0 .25rem; }
p { margin: .5rem 0; } h1 code { font-size: .85em; } small { display: block; color: var(--soft); font-size: .8rem; }
.about { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .75rem; color: var(--soft); margin: 0; }
.verdict .badge { font-size: .9rem; padding: .2rem .75rem; }
.links, .links ul { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin: .75rem 0 0; padding: 0; list-style: none; } .links ul { margin: 0; }
.links a { color: inherit; text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); } .links a:hover { text-decoration-color: currentColor; }
.notices { list-style: none; margin: 1.25rem 0 0; padding: .6rem 1rem; background: var(--warn-back); border-radius: 6px; } .notices .gap { font-weight: 600; }

th:first-child, td:first-child { padding-left: 0; } th:last-child, td:last-child { padding-right: 0; }
th[scope=col] { font-size: .8rem; font-weight: 600; color: var(--soft); vertical-align: bottom; }

.metrics, .rules, .cases { width: 100%; } .metrics.alone { width: auto; } .metrics.alone td { padding-left: 2.5rem; }
.cases.alone :is(th, td):nth-child(3), .cases.alone :is(th, td):nth-child(5) { display: none; }
.metrics tbody th, .metrics tbody td { vertical-align: middle; }
.metrics .metric { font-weight: 600; margin-right: .4rem; }
.metrics td.n { white-space: nowrap; } .metrics td.n small + small, .metrics td:is([data-label=change], [data-label=p]) small { white-space: normal; max-width: 15rem; margin-left: auto; } .metrics td[data-label=p] small { max-width: 6rem; }
.metrics tbody th { width: 13.5rem; min-width: 11.5rem; } .metrics .plot { width: 28%; min-width: 14rem; padding: 0; height: 3.25rem; position: relative; } .metrics thead .plot { height: auto; padding: .45rem 0; }
.metrics .ticks td { border: 0; height: 1.75rem; padding-top: 0; padding-bottom: .5rem; }
.ends { display: flex; justify-content: space-between; }
.forest { display: block; overflow: visible; } tbody tr:not(.ticks) .forest { position: absolute; inset: 0; }
.forest .zone { fill: var(--bad-back); } .forest .margin { stroke: var(--bad); stroke-dasharray: 3 3; } .forest .bound { stroke: var(--ink); stroke-width: 2.5; }
.forest .zero { stroke: var(--soft); } .forest .interval { stroke: var(--ink); stroke-width: 2.5; stroke-linecap: round; } .forest .change { fill: var(--ink); }
.forest .worse { fill: var(--bad); stroke: var(--bad); } .forest .better { fill: var(--good); stroke: var(--good); }
.forest .change { stroke: none; } .ticks line { stroke: var(--soft); } .ticks text { fill: var(--soft); font-size: 12px; }
.legend { font-size: .8rem; } .mark { display: inline-block; vertical-align: -.1em; margin: 0 .3rem 0 .9rem; } .mark:first-child { margin-left: 0; }
.mark.dot { width: .7rem; height: .7rem; border-radius: 50%; background: var(--ink); } .mark.bar { width: 1px; height: .9rem; background: var(--soft); }
.mark.bound { width: 0; height: .9rem; border-left: 2.5px solid var(--ink); } .mark.zone { width: .9rem; height: .9rem; background: var(--bad-back); border-right: 1px dashed var(--bad); }
#runs th { overflow-wrap: normal; }
.rules td:first-child { white-space: nowrap; width: 7.5rem; } .rules td:nth-child(2) { width: 22rem; }

.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr)); gap: 1.75rem 2rem; }
#charts > details { margin-top: 1rem; } #charts > details .figures { margin-top: 1rem; }
.chart .corner { font-weight: 600; } .chart .corner, .chart .count { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; } .chart .count { stroke-opacity: .6; } .chart text.worse { fill: var(--bad); } .chart text.better { fill: var(--good); }
.spot { fill: var(--was); fill-opacity: .45; } .spot.worse { fill: var(--bad); } .spot.better { fill: var(--good); } .spot.changed { fill: var(--link); } .chart .count { fill: var(--ink); font-weight: 600; }
.dots { fill: none; stroke: var(--was); stroke-linecap: round; stroke-width: 4; } .dots.worse { stroke: var(--bad); } .dots.better { stroke: var(--good); } .dots.changed { stroke: var(--link); }
.dots.shade-1 { stroke-opacity: .3; } .dots.shade-2 { stroke-opacity: .5; } .dots.shade-3 { stroke-opacity: .7; } .dots.shade-4 { stroke-opacity: .9; }
.area.baseline { fill: var(--was); fill-opacity: .5; } .line { fill: none; stroke-width: 2; stroke-linejoin: round; } .line.now { stroke: var(--link); } .line.baseline { stroke: var(--was); }
.key::before { content: ""; display: inline-block; width: .9rem; height: 3px; margin: 0 .3rem .2rem 0; background: var(--was); } .key.now::before { background: var(--link); } .key + .key { margin-left: .6rem; }
summary { width: max-content; }

.controls { display: flex; flex-wrap: wrap; gap: .6rem 1rem; }
.controls .wide { flex: 1 1 14rem; max-width: 26rem; }
select, input { width: 100%; max-width: 16rem; } .wide input { max-width: none; }
.cases { table-layout: fixed; } .cases th:first-child { width: 38%; } .cases th:nth-child(2) { width: 26%; }
.cases thead button { background: none; border: 0; padding: 0; font: inherit; font-weight: 600; color: var(--soft); cursor: pointer; text-align: inherit; }
.cases thead button:hover, .cases [aria-sort]:not([aria-sort=none]) button { color: var(--ink); }
.cases thead button::after { content: " ↕"; opacity: .5; } .cases [aria-sort=descending] button::after { content: " ↓"; opacity: 1; } .cases [aria-sort=ascending] button::after { content: " ↑"; opacity: 1; }
.cases tbody tr:hover > *, .cases tr.detail > * { background: var(--card); }
.unfold { background: none; border: 0; padding: 0 0 0 1rem; position: relative; text-align: left; cursor: pointer; overflow-wrap: anywhere; } .unfold::before { content: "▸"; color: var(--soft); position: absolute; left: 0; } .unfold[aria-expanded=true]::before { content: "▾"; }
.cases .detail td { padding: .25rem .75rem 1rem 1rem; } .facts { gap: .4rem 1.75rem; margin: .4rem 0; }
pre { background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .7rem; margin: 0 0 .4rem; max-height: 24rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 0 1rem; } .side { min-width: 0; } .fault { border-left: 3px solid var(--bad); }
ins { background: var(--good-back); color: var(--good); text-decoration: none; border-radius: 2px; } del { background: var(--bad-back); color: var(--bad); border-radius: 2px; } del + ins { margin-left: .3ch; }

@media (max-width: 72rem) {
  .metrics thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
  .metrics, .metrics.alone, .metrics tbody { display: block; width: auto; } .metrics tr { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; }
  .metrics tbody th, .metrics tbody td { display: block; border: 0; padding: .1rem 0; } .metrics tbody th, .metrics .plot { width: 100%; min-width: 0; }
  .metrics tbody tr:not(.ticks) { border-bottom: 1px solid var(--line); padding: .6rem 0; } .metrics .ticks td:not(.plot) { display: none; }
  .metrics .plot:empty { display: none; } .metrics .plot { height: 2.25rem; margin: .3rem 0; } .metrics .ticks .plot { height: 1.5rem; margin: 0; }
  .metrics td.n, .metrics td.n small { text-align: left; white-space: normal; max-width: none; margin-left: 0; } .metrics td.n::before { content: attr(data-label) " "; color: var(--soft); }
}
@media (max-width: 46rem) {
  h1 { font-size: 1.25rem; }
  .metrics td.n { width: 100%; } .metrics td.n::before { display: inline-block; min-width: 4.75rem; } .metrics td.n small { padding-left: 4.75rem; }
  .rules thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; } .rules, .rules tbody, .rules tr, .rules td { display: block; }
  .rules tr { border-bottom: 1px solid var(--line); padding: .6rem 0; } .rules td { border: 0; padding: .1rem 0; } .rules td:first-child, .rules td:nth-child(2) { width: auto; }
  .cases, .cases thead, .cases tbody { display: block; } .cases tr { display: grid; grid-template-columns: 1fr 4.25rem 4.25rem 4.75rem; border-bottom: 1px solid var(--line); padding: .35rem 0; }
  .cases th, .cases td, .cases th:first-child, .cases th:nth-child(2) { display: block; width: auto; border: 0; padding: .1rem 0; } .cases th:first-child, .cases .detail td { grid-column: 1 / -1; } .cases .detail td { padding: 0 .75rem .75rem; }
  .cases td:nth-child(2) { padding-left: 1rem; } .cases [aria-sort=none] button::after { content: none; }
  .controls label { flex: 1 1 9rem; } select, input { max-width: none; }
}
@media print {
  :root { color-scheme: light; } .skip, .controls, .pager, noscript { display: none; }
  tr, figure { break-inside: avoid; } pre { max-height: none; } * { print-color-adjust: exact; }
}
`;
