import { STYLE } from "../../pages/style.ts";

/** What all pages of the service begin with. */
export const FRAME_STYLE = `${STYLE}
main, .top nav { max-width: 86rem; margin: 0 auto; padding: 0 1rem; } main { padding-bottom: 4rem; }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 1rem 0 .75rem; } h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; } h3 { font-size: 1rem; margin: 0; }
h2 { overflow-wrap: anywhere; } p { max-width: 50rem; margin: .6rem 0; }
.top { border-bottom: 1px solid var(--line); background: var(--card); }
.top nav { display: flex; gap: 0 1.5rem; }
.top a { color: var(--soft); text-decoration: none; padding: .6rem 0; border-bottom: 2px solid transparent; } .top a:hover { color: var(--link); }
.top a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--link); }
main nav { margin: .75rem 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; color: var(--soft); }
main nav.trail { margin: 1rem 0 -.75rem; font-size: .875rem; gap: .25rem .5rem; } main nav.trail + .facts { margin-top: 1.5rem; }
`;

/** The style of the pages of the service, on a desk and in a narrow window. */
export const SERVICE_STYLE = `${FRAME_STYLE}
form { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin: .75rem 0; } select { max-width: min(24rem, 90vw); }
th { font-size: .8rem; font-weight: 600; color: var(--soft); vertical-align: bottom; min-width: 4.7rem; max-width: 10.2rem; }
td, th, td a, td code, td strong { overflow-wrap: break-word; } td:first-child { min-width: 8.2rem; } td.t { min-width: 15.2rem; }
td.n, td b, td time { white-space: nowrap; }
/* The link in the first cell takes clicks anywhere in its row; the clip keeps it within the row. */
.rows { width: 100%; } .rows td + td a { white-space: nowrap; }
.rows tr { position: relative; clip-path: inset(0); } .rows td:first-child a { font-weight: 600; text-decoration: none; }
.rows td:first-child a::after { content: ""; position: absolute; inset: 0; } .rows td + td a { position: relative; z-index: 1; }
.rows tr:hover td, .rows tr:focus-within td { background: var(--card); } .rows tr:hover td:first-child a { text-decoration: underline; }
.rows td:first-child a:focus-visible { outline: none; } .rows td:first-child a:focus-visible::after { outline: 2px solid var(--link); outline-offset: -2px; }
.prose { white-space: pre-line; } .log { font: .8125rem/1.5 ui-monospace, monospace; }
pre, .log { background: var(--card); padding: .5rem .7rem; margin: 0; border-radius: 4px; }
/* Reversed, so that a scrolling box shows its end first. */
.log { display: flex; flex-direction: column-reverse; max-height: 32rem; overflow: auto; }
.log ol { list-style: none; margin: 0; padding: 0; } .log li { white-space: pre-wrap; padding-left: 1.5rem; text-indent: -1.5rem; }
.log time { color: var(--soft); } .log b { font-weight: 400; }
details pre { max-height: 32rem; } details[open] > summary > pre { display: none; }
summary { display: block; font-size: .8125rem; } summary pre { color: var(--ink); font-size: 1em; }
details[open] > summary > .more, details:not([open]) > summary > .less { display: none; }
article { border: 1px solid var(--line); border-left-width: 4px; border-radius: 6px; padding: .5rem .75rem .75rem; margin: .75rem 0; }
article.worse { border-left-color: var(--bad); color: var(--ink); } article:target { outline: 2px solid var(--link); }
article header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; } article h3 a { text-decoration: none; } article h3 a:hover { text-decoration: underline; }
ul.scores { list-style: none; display: flex; flex-wrap: wrap; gap: .35rem; margin: .4rem 0; padding: 0; font-size: .875rem; }
ul.scores li { padding: .05rem .5rem; border-radius: 4px; background: var(--card); font-variant-numeric: tabular-nums; }
article dl, .run > dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: .5rem 1rem; margin: .5rem 0 0; }
article dl > div, .run dl > div { min-width: 0; } dd > * + * { margin-top: .4rem; } .folded { margin-top: .5rem; } .fault pre { border-left: 3px solid var(--bad); }
.axis { display: flex; justify-content: space-between; margin-left: 50%; color: var(--soft); font-size: .8rem; }
.runs { border-top: 1px solid var(--line); } .run > dl { margin: .5rem 0 1rem; }
.run > summary { display: grid; grid-template-columns: minmax(0, 1fr) 10rem 50%; align-items: center; color: var(--ink); font-size: .875rem; padding: .2rem 0; border-bottom: 1px solid var(--line); }
.run > summary:hover, .run[open] > summary { background: var(--card); } .run:target > summary { outline: 2px solid var(--link); }
.run .name { padding-left: calc(var(--depth) * 1.1rem); overflow-wrap: anywhere; } .run .name.worse { color: var(--bad); }
.run .took { text-align: right; padding-right: .8rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.chip { border: 1px solid var(--line); border-radius: 4px; padding: 0 .4rem; margin-left: .4rem; font-size: .8rem; white-space: nowrap; }
.track { position: relative; height: .7rem; background: var(--card); border-radius: 3px; overflow: hidden; }
.bar { position: absolute; top: 0; bottom: 0; background: var(--link); border-radius: 3px; } .bar.failed { background: var(--bad); }
.bar.open { background: repeating-linear-gradient(45deg, var(--soft) 0 4px, transparent 4px 8px); }
@media (max-width: 40rem) {
  table { font-size: .875rem; } th { font-size: .75rem; min-width: 3.5rem; } th, td { padding: .4rem .25rem; } td:first-child { min-width: 5.75rem; max-width: 9.5rem; } .rows td:first-child { min-width: 7.25rem; }
  td.n { white-space: normal; } .facts { gap: .6rem 1.25rem; } td.n + td b { white-space: normal; }
  .axis { margin-left: 0; } .run > summary { grid-template-columns: minmax(0, 1fr) auto; row-gap: .2rem; } .track { grid-column: 1 / -1; }
  .run .name { padding-left: calc(var(--depth) * .4rem); } .run .took { padding: 0 0 0 .6rem; } .chip { white-space: normal; }
}
`;
