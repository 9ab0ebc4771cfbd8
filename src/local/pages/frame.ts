import { frame } from "../../pages/frame.ts";
import { joined, markup, prose, type Content } from "../../pages/markup.ts";
import { link, nameText } from "../../pages/names.ts";
import { ANY_TENANT, datasetsPath, DEPLOYMENTS_PATH, projectsPath } from "./paths.ts";
import { SERVICE_STYLE } from "./style.ts";

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
  /** Links to the pages between the section and this one, from the top down. */
  readonly trail?: readonly Content[];
  /** The URL of the service; empty for its own pages. */
  readonly origin?: string;
  /** The body has its own heading, and the title is none. */
  readonly hasHeading?: boolean;
  readonly style?: string;
  readonly script?: string;
}

/** A whole page of the service. */
export function page(title: string, body: Content, settings: PageSettings = {}): string {
  const { section, refresh = false, trail = [], origin = "", style = SERVICE_STYLE, script } = settings;
  const name = nameText(title);
  const sections = SECTIONS.map(([heading, path]) => {
    return markup`<a href="${origin + path}"${heading === section && markup` aria-current="true"`}>${heading}</a>`;
  });
  const above = SECTIONS.flatMap(([heading, path]) => (heading === section ? [link(origin + path, heading)] : []));
  const way = markup`<nav class="trail" aria-label="Breadcrumb">${joined([...above, ...trail], " / ")}</nav>\n`;
  return frame({
    title: name,
    ...{ style, script },
    isInProgress: refresh,
    skip: { to: "main", text: "Skip to the content" },
    body: markup`<header class="top"><nav aria-label="Sections">${joined(sections, " ")}</nav></header>
<main id="main">
${trail.length > 0 && way}${settings.hasHeading !== true && markup`<h1>${name}</h1>`}
${body}
</main>`,
  });
}

/** The page of an error response; each reason is a sentence. */
export function errorPage(title: string, reasons: readonly string[]): string {
  const sentences = reasons.map((reason) => markup`<p class="prose">${prose(reason)}</p>\n`);
  return page(title, markup`${sentences}<p>${link(DEPLOYMENTS_PATH, "Back to the deployments")}</p>`);
}
