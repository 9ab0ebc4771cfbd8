/** Text for a page, in which every character stands for itself. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
  code, pre { font: .9em/1.5 ui-monospace, monospace; }
  pre { background: #8881; padding: .8rem; overflow-x: auto; }
  body.wide { max-width: 110rem; }
  td pre { margin: 0; padding: .3rem .5rem; max-width: 40rem; max-height: 20rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  select { max-width: 20rem; } nav a { margin-right: 1rem; }
`;

/** A whole page; `body` is HTML, the title is text. It loads itself again while something is under way. */
export function page(title: string, body: string, { refresh = false, wide = false } = {}): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${refresh ? '<meta http-equiv="refresh" content="2">\n' : ""}<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
${wide ? '<body class="wide">\n' : ""}<h1>${escapeHtml(title)}</h1>
${body}
</html>
`;
}

/** A table; the cells are HTML, the headings are text. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th>${escapeHtml(heading)}</th>`).join("");
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  return `<table>\n<tr>${head}</tr>\n${lines.join("\n")}\n</table>`;
}

/** A link; only web addresses become one, other text stays text. */
export function link(href: string, text: string): string {
  if (!/^(?:https?:\/\/|\/(?!\/))/.test(href)) return escapeHtml(text);
  return `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
}
