import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { projectRoot } from "../scripts/command.ts";

/** The cells of a row, without the code marks around the first two. */
export type TableRow = readonly [name: string, second: string, third: string];

/** A markdown file of this project, by its path. */
export class MarkdownFile {
  readonly text: string;
  readonly #path: string;

  private constructor(path: string, text: string) {
    this.#path = path;
    this.text = text;
  }

  static async read(path: string): Promise<MarkdownFile> {
    return new MarkdownFile(path, await readFile(join(projectRoot, path), "utf8"));
  }

  /** The text under a heading, up to the next one of any level. */
  section(heading: string): string {
    const [, rest = ""] = this.text.split(new RegExp(`^#+ ${heading}$`, "m"));
    return rest.split(/^#+ /m)[0] ?? "";
  }

  /** The rows of the tables of a section that begin with one name in code marks. */
  table(heading: string): readonly TableRow[] {
    return [...this.section(heading).matchAll(/^\| `([^`]+)` *\| *(.*?) *\|(?: *(.*?) *\|)?/gm)].map(
      ([, name = "", second = "", third = ""]) => [name, second.replace(/^`(.*)`$/, "$1"), third],
    );
  }

  /** What the links to headings of this file may be, each with its `#`. */
  get anchors(): readonly string[] {
    const headings = [...this.text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading.toLowerCase());
    return headings.map((heading) => `#${heading.replace(/[^a-z0-9 -]/g, "").replaceAll(" ", "-")}`);
  }

  /** The links to other places of this project, and those that lead nowhere. */
  async links(): Promise<{ readonly all: readonly string[]; readonly broken: readonly string[] }> {
    const all = [...this.text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = ""]) => link);
    const isBroken = await Promise.all(all.map(async (link) => !(await this.#leadsSomewhere(link))));
    return { all, broken: all.filter((_link, index) => isBroken[index]) };
  }

  async #leadsSomewhere(link: string): Promise<boolean> {
    const [file = "", anchor] = link.split("#");
    const path = file === "" ? this.#path : join(dirname(this.#path), file);
    if (!existsSync(join(projectRoot, path))) return false;
    if (anchor === undefined) return true;
    return (await MarkdownFile.read(path)).anchors.includes(`#${anchor}`);
  }
}
