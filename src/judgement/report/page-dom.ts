import type { CasesData, CaseTexts } from "./cases-data.ts";

/** The little of a browser's document that the script of the page uses; the library is compiled without its types. */
export interface PageElement {
  textContent: string | null;
  value: string;
  hidden: boolean;
  disabled: boolean;
  className: string;
  readonly dataset: Record<string, string | undefined>;
  readonly nextElementSibling: PageElement | null;
  append(...content: readonly (PageElement | string)[]): void;
  after(element: PageElement): void;
  remove(): void;
  replaceChildren(...content: readonly (PageElement | string)[]): void;
  setAttribute(name: string, value: string): void;
  getAttribute(name: string): string | null;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  addEventListener(type: string, listener: (event: { readonly target: PageElement }) => void): void;
  scrollIntoView(): void;
  focus(): void;
}

export interface PageDocument {
  createElement(name: string): PageElement;
  getElementById(id: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

/** What the script of the page is given by the line that starts it. */
export interface PageHost {
  readonly document: PageDocument;
  /** Both are JSON.parse. */
  readonly parseCases: (json: string) => CasesData;
  readonly parseTexts: (json: string) => readonly (CaseTexts | null)[];
  /** Runs work when the page has nothing else to do. */
  readonly later: (work: () => void) => void;
}
