import { escapeHtml } from "../../text/html.ts";
import { link, nameText } from "./html.ts";
import { ANY_TENANT, datasetsPath, DEPLOYMENTS_PATH, projectsPath } from "./paths.ts";

// Light or dark as the system is, and readable on a narrow window. Nothing is loaded for it.
const STYLE = `
  :root {
    color-scheme: light dark;
    --paper: #fff; --ink: #1c1e21; --soft: #5c636d; --line: #d9dce1; --card: #f6f7f9; --link: #0b57d0;
    --worse: #b3261e; --worse-back: #fdecea; --better: #17692f; --better-back: #e6f4ea; --warn: #855100; --busy-back: #e4edfd;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --paper: #15171a; --ink: #e4e6ea; --soft: #9aa2ad; --line: #363b43; --card: #1e2126; --link: #8ab4f8;
      --worse: #ffaaa2; --worse-back: #3d1c19; --better: #84d99b; --better-back: #17331f; --warn: #f0c274; --busy-back: #1b2c4a;
    }
  }
  body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; }
  main, .top nav { max-width: 84rem; margin: 0 auto; padding: 0 1rem; } main { padding-bottom: 4rem; }
  h1 { font-size: 1.35rem; line-height: 1.25; margin: 1rem 0 .75rem; } h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; } h3 { font-size: 1rem; margin: 0; }
  h1, h2, h3, p, a, code, dt, dd { overflow-wrap: anywhere; } p { max-width: 50rem; margin: .6rem 0; }
  a { color: var(--link); text-underline-offset: .15em; } :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
  /* Right-to-left text must not turn what is beside it. */
  a, code, h1, h3, p, li, td, th, dt, dd, summary, option, strong { unicode-bidi: isolate; }
  .skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; background: var(--paper); padding: .5rem; }
  .top { border-bottom: 1px solid var(--line); background: var(--card); }
  .top nav { display: flex; gap: 0 1.5rem; }
  .top a { color: var(--soft); text-decoration: none; padding: .6rem 0; border-bottom: 2px solid transparent; } .top a:hover { color: var(--link); }
  .top a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--link); }
  main nav { margin: .75rem 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; color: var(--soft); }
  main nav.trail { margin: 1rem 0 -.75rem; font-size: .875rem; gap: .25rem .5rem; }
  .scroll { overflow-x: auto; position: relative; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: baseline; }
  th { font-size: .8rem; font-weight: 600; color: var(--soft); vertical-align: bottom; min-width: 3.5rem; max-width: 9rem; }
  td, th, td a, td code { overflow-wrap: break-word; } td:first-child { min-width: 7rem; } td.t { min-width: 14rem; }
  th.n, td.n { text-align: right; } td.n, td b, td time, .badge { white-space: nowrap; }
  /* The link in the first cell takes clicks anywhere in its row; the clip keeps it within the row. */
  .rows { width: 100%; } .rows td + td a { white-space: nowrap; }
  .rows tr { position: relative; clip-path: inset(0); } .rows td:first-child a { font-weight: 600; text-decoration: none; }
  .rows td:first-child a::after { content: ""; position: absolute; inset: 0; } .rows td + td a { position: relative; z-index: 1; }
  .rows tr:hover td, .rows tr:focus-within td { background: var(--card); } .rows tr:hover td:first-child a { text-decoration: underline; }
  .rows td:first-child a:focus-visible { outline: none; } .rows td:first-child a:focus-visible::after { outline: 2px solid var(--link); outline-offset: -2px; }
  .badge { font-size: .8rem; font-weight: 600; padding: .1rem .5rem; border-radius: 1rem; background: var(--card); color: var(--soft); }
  .badge.good { background: var(--better-back); color: var(--better); } .badge.bad { background: var(--worse-back); color: var(--worse); }
  .badge.busy { background: var(--busy-back); color: var(--link); }
  .facts { display: flex; flex-wrap: wrap; gap: .6rem 2rem; margin: .75rem 0; } .facts > div { max-width: 100%; }
  dl { margin: 0; } dt { color: var(--soft); font-size: .8rem; } dd { margin: 0; font-variant-numeric: tabular-nums; }
  code, pre, .log { font: .8125rem/1.5 ui-monospace, monospace; } .prose { white-space: pre-line; }
  pre, .log { background: var(--card); padding: .5rem .7rem; margin: 0; border-radius: 4px; }
  pre { overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  /* Reversed, so that a scrolling box shows its end first. */
  .log { display: flex; flex-direction: column-reverse; max-height: 32rem; overflow: auto; }
  .log ol { list-style: none; margin: 0; padding: 0; } .log li { white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 1.5rem; text-indent: -1.5rem; }
  .log time { color: var(--soft); } .log b { font-weight: 400; } .warn { color: var(--warn); }
  details pre { max-height: 32rem; } details[open] > summary > pre { display: none; }
  summary { display: block; cursor: pointer; color: var(--link); font-size: .8125rem; } summary pre { color: var(--ink); font-size: 1em; }
  details[open] > summary > .more, details:not([open]) > summary > .less { display: none; }
  form { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; } label { color: var(--soft); font-size: .8rem; }
  select { display: block; max-width: min(24rem, 90vw); } select, button { font: inherit; font-size: .9375rem; padding: .3rem .6rem; }
  .soft { color: var(--soft); font-weight: 400; }
  .worse { color: var(--worse); } .better { color: var(--better); }
  article { border: 1px solid var(--line); border-left-width: 4px; border-radius: 6px; padding: .5rem .75rem .75rem; margin: .75rem 0; }
  article.worse { border-left-color: var(--worse); } article.better { border-left-color: var(--better); }
  article.worse, article.better { color: var(--ink); } article:target { outline: 2px solid var(--link); }
  article header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; } article h3 a { text-decoration: none; } article h3 a:hover { text-decoration: underline; }
  ul.scores { list-style: none; display: flex; flex-wrap: wrap; gap: .35rem; margin: .4rem 0; padding: 0; font-size: .875rem; }
  ul.scores li { padding: .05rem .5rem; border-radius: 4px; background: var(--card); overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
  ul.scores li.worse { background: var(--worse-back); } ul.scores li.better { background: var(--better-back); }
  article dl, .run > dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: .5rem 1rem; margin: .5rem 0 0; }
  article dl > div, .run dl > div { min-width: 0; } dd > * + * { margin-top: .4rem; } .folded { margin-top: .5rem; } .fault pre { border-left: 3px solid var(--worse); }
  .axis { display: flex; justify-content: space-between; margin-left: 50%; color: var(--soft); font-size: .8rem; }
  .runs { border-top: 1px solid var(--line); } .run > dl { margin: .5rem 0 1rem; }
  .run > summary { display: grid; grid-template-columns: minmax(0, 1fr) 10rem 50%; align-items: center; color: var(--ink); font-size: .875rem; padding: .2rem 0; border-bottom: 1px solid var(--line); }
  .run > summary:hover, .run[open] > summary { background: var(--card); } .run:target > summary { outline: 2px solid var(--link); }
  .run .name { padding-left: calc(var(--depth) * 1.1rem); overflow-wrap: anywhere; } .run .name.worse { color: var(--worse); }
  .run .took { text-align: right; padding-right: .8rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .chip { border: 1px solid var(--line); border-radius: 4px; padding: 0 .4rem; margin-left: .4rem; font-size: .8rem; white-space: nowrap; }
  .track { position: relative; height: .7rem; background: var(--card); border-radius: 3px; overflow: hidden; }
  .bar { position: absolute; top: 0; bottom: 0; background: var(--link); border-radius: 3px; } .bar.failed { background: var(--worse); }
  .bar.open { background: repeating-linear-gradient(45deg, var(--soft) 0 4px, transparent 4px 8px); }
  @media (max-width: 40rem) {
    table { font-size: .875rem; } th { font-size: .75rem; min-width: 3rem; } th, td { padding: .4rem .25rem; } td:first-child { min-width: 5.25rem; max-width: 9rem; } .rows td:first-child { min-width: 6.75rem; }
    td.n { white-space: normal; } .facts { gap: .6rem 1.25rem; } td.n + td b { white-space: normal; }
    .axis { margin-left: 0; } .run > summary { grid-template-columns: minmax(0, 1fr) auto; row-gap: .2rem; } .track { grid-column: 1 / -1; }
    .run .name { padding-left: calc(var(--depth) * .4rem); } .run .took { padding: 0 0 0 .6rem; } .chip { white-space: normal; }
  }
`;

const SECTIONS = [
  ["Deployments", DEPLOYMENTS_PATH],
  ["Datasets", datasetsPath(ANY_TENANT)],
  ["Projects", projectsPath(ANY_TENANT)],
] as const;

export interface PageSettings {
  /** The section that the navigation marks. */
  readonly section?: (typeof SECTIONS)[number][0];
  /** Something on the page is in progress, so it reloads itself. */
  readonly refresh?: boolean;
  /** Links, as HTML, to the pages between the section and this one, from the top down. */
  readonly trail?: readonly string[];
  /** The URL of the service; empty for its own pages. */
  readonly origin?: string;
}

/** A whole page; `body` is HTML, `title` is text. */
export function page(title: string, body: string, settings: PageSettings = {}): string {
  const { section, refresh = false, trail = [], origin = "" } = settings;
  const name = escapeHtml(nameText(title));
  const sections = SECTIONS.map(([heading, path]) => {
    const here = heading === section ? ' aria-current="true"' : "";
    return `<a href="${escapeHtml(origin + path)}"${here}>${heading}</a>`;
  });
  const above = SECTIONS.filter(([heading]) => heading === section).map(([heading, path]) =>
    link(origin + path, heading),
  );
  const way =
    trail.length === 0 ? "" : `<nav class="trail" aria-label="Breadcrumb">${[...above, ...trail].join(" / ")}</nav>\n`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${refresh ? '<meta http-equiv="refresh" content="2">\n' : ""}<title>${name}</title>
<style>${STYLE}</style>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><nav aria-label="Sections">${sections.join(" ")}</nav></header>
<main id="main">
${way}<h1>${name}</h1>
${body}
</main>
</html>
`;
}

/** The page of an error response; each reason is a sentence. */
export function errorPage(title: string, reasons: readonly string[]): string {
  const body = [
    ...reasons.map((reason) => `<p class="prose">${escapeHtml(reason)}</p>`),
    `<p>${link(DEPLOYMENTS_PATH, "Back to the deployments")}</p>`,
  ];
  return page(title, body.join("\n"));
}
