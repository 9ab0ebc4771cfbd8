import { escapeHtml, link, nameText } from "./html.ts";
import { ANY_TENANT, datasetsPath, DEPLOYMENTS_PATH, projectsPath } from "./paths.ts";
import { PAGE_STYLE } from "./style.ts";

const SECTIONS = [
  ["Deployments", DEPLOYMENTS_PATH],
  ["Datasets", datasetsPath(ANY_TENANT)],
  ["Projects", projectsPath(ANY_TENANT)],
] as const;

/** What a page has beside its title and body. */
export interface PageSettings {
  /** The part of the service that it belongs to, which its navigation marks. */
  readonly section?: (typeof SECTIONS)[number][0];
  /** Something is under way: the page loads itself again. */
  readonly refresh?: boolean;
  /** HTML: the links to the pages between its section and this one, from the top down. */
  readonly trail?: readonly string[];
  /** Where the service answers; empty for its own pages. */
  readonly origin?: string;
}

/** A whole page; `body` is HTML, the title is text. */
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
    trail.length === 0
      ? ""
      : `<nav class="trail" aria-label="Above this page">${[...above, ...trail].join(" / ")}</nav>\n`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${refresh ? '<meta http-equiv="refresh" content="2">\n' : ""}<title>${name}</title>
<style>${PAGE_STYLE}</style>
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

/** The page of what is refused: the reasons, each a sentence, and the way on. */
export function refusalPage(title: string, reasons: readonly string[]): string {
  const body = [
    ...reasons.map((reason) => `<p class="prose">${escapeHtml(reason)}</p>`),
    `<p>${link(DEPLOYMENTS_PATH, "To the first page")}</p>`,
  ];
  return page(title, body.join("\n"));
}
