/** How the pages look: light or dark as the reader's system, and readable on a narrow window. Nothing is loaded for it. */
export const PAGE_STYLE = `
  :root {
    color-scheme: light dark;
    --paper: #fff; --ink: #1c1e21; --soft: #5c636d; --line: #d9dce1; --card: #f6f7f9; --link: #0b57d0;
    --worse: #b3261e; --worse-back: #fdecea; --better: #17692f; --better-back: #e6f4ea;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --paper: #15171a; --ink: #e4e6ea; --soft: #9aa2ad; --line: #363b43; --card: #1e2126; --link: #8ab4f8;
      --worse: #ffaaa2; --worse-back: #3d1c19; --better: #84d99b; --better-back: #17331f;
    }
  }
  body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
  body.wide { max-width: 100rem; }
  h1 { font-size: 1.4rem; margin: .5rem 0 1rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
  h1, h2, p, a, code, dt { overflow-wrap: anywhere; } th, td { overflow-wrap: break-word; }
  .wide td a { display: inline-block; min-width: 7rem; } time { white-space: nowrap; }
  a { color: var(--link); }
  /* A text that turns its direction turns nothing beside it. */
  a, code, h1, p, li, td, th, dt, dd, summary, option, strong { unicode-bidi: isolate; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  th, td { text-align: left; padding: .4rem 1rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
  th { font-weight: 600; } b { white-space: nowrap; } .prose { white-space: pre-line; }
  code, pre { font: .875em/1.5 ui-monospace, monospace; }
  pre { background: var(--card); padding: .6rem .8rem; margin: 0; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; border-radius: 4px; }
  details pre { max-height: 32rem; } details[open] > summary > pre { display: none; }
  summary { display: block; cursor: pointer; color: var(--link); font-size: .875rem; } summary pre { color: var(--ink); font-size: 1em; }
  details[open] > summary > .more, details:not([open]) > summary > .less { display: none; }
  nav { margin: 1rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; color: var(--soft); } nav.trail { margin: 0; }
  form { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; } label { color: var(--soft); }
  select { display: block; max-width: min(24rem, 90vw); } select, button { font: inherit; padding: .3rem .6rem; }
  .soft { color: var(--soft); }
  .worse { color: var(--worse); } .better { color: var(--better); }
  article { border: 1px solid var(--line); border-left-width: 5px; border-radius: 6px; padding: .6rem .9rem .9rem; margin: 1rem 0; }
  article.worse { border-left-color: var(--worse); } article.better { border-left-color: var(--better); }
  article.worse, article.better { color: var(--ink); } article:target { outline: 3px solid var(--link); }
  article header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; }
  ul.scores { list-style: none; display: flex; flex-wrap: wrap; gap: .4rem; margin: .5rem 0; padding: 0; font-size: .9rem; }
  ul.scores li { padding: .1rem .6rem; border-radius: 4px; background: var(--card); overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
  ul.scores li.worse { background: var(--worse-back); } ul.scores li.better { background: var(--better-back); }
  article dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: .6rem 1rem; margin: .6rem 0 0; }
  article dl > div { min-width: 0; } dt { color: var(--soft); font-size: .875rem; } dd { margin: 0; }
  dd > * + * { margin-top: .4rem; } .fault pre { border-left: 3px solid var(--worse); }
  .axis { display: flex; justify-content: space-between; margin-left: 50%; color: var(--soft); font-size: .8rem; }
  .runs { border-top: 1px solid var(--line); }
  .run > summary { display: grid; grid-template-columns: minmax(0, 1fr) 9rem 50%; align-items: center; color: var(--ink); padding: .15rem 0; border-bottom: 1px solid var(--line); }
  .run > summary:hover, .run[open] > summary { background: var(--card); } .run:target > summary { outline: 2px solid var(--link); }
  .run .name { padding-left: calc(var(--depth) * 1.1rem); overflow-wrap: anywhere; } .run .name.worse { color: var(--worse); }
  .run .took { text-align: right; padding-right: .8rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .chip { border: 1px solid var(--line); border-radius: 4px; padding: 0 .4rem; margin-left: .4rem; font-size: .8rem; white-space: nowrap; }
  .track { position: relative; height: .8rem; background: var(--card); border-radius: 3px; overflow: hidden; }
  .bar { position: absolute; top: 0; bottom: 0; background: var(--link); border-radius: 3px; } .bar.failed { background: var(--worse); }
  .bar.open { background: repeating-linear-gradient(45deg, var(--soft) 0 4px, transparent 4px 8px); }
  .run > dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: .6rem 1rem; margin: .6rem 0 1.2rem; }
  .run > dl > div { min-width: 0; }
  @media (max-width: 40rem) { th, td { padding-right: .6rem; } .wide td a { min-width: 5rem; } time, td b { white-space: normal; } .run > summary { grid-template-columns: minmax(0, 1fr) 6rem 25%; } .axis { display: none; } }
`;
