import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { projectRoot } from "../../scripts/command.ts";

/** The cells of a row, without the code marks around the first two. */
export type TableRow = readonly [name: string, second: string, third: string];

/** A markdown file of this project, by its path. */
export class MarkdownFile {
  readonly path: string;
  readonly text: string;

  private constructor(path: string, text: string) {
    this.path = path;
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

  /** Its code blocks in one of these languages. */
  codeBlocks(...languages: readonly string[]): readonly string[] {
    const block = new RegExp(`^( *)\`\`\`(?:${languages.join("|")})\\b[^\n]*\n([^]*?)^\\1\`\`\`$`, "gm");
    return [...this.text.matchAll(block)].map(([, , code = ""]) => code);
  }

  /** The text without its code blocks, in which `#` begins a comment and a bracket a list. */
  get prose(): string {
    return this.text.replace(/^( *)(`{3,})[^]*?^\1\2$/gm, "");
  }

  /** The anchors of the headings, as GitHub makes them: the second heading of a text gets `-1`. */
  get anchors(): readonly string[] {
    const seen = new Map<string, number>();
    return [...this.prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => {
      const anchor = heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-");
      const count = seen.get(anchor) ?? 0;
      seen.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${String(count)}`;
    });
  }

  /** The links to other places of this project. */
  get links(): readonly string[] {
    return [...this.prose.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = ""]) => link);
  }

  /** The links to files that do not exist, and to headings that they do not have. */
  async brokenLinks(): Promise<readonly string[]> {
    const leads = await Promise.all(this.links.map(async (link) => this.#leadsSomewhere(link)));
    return this.links.filter((_link, index) => leads[index] !== true);
  }

  async #leadsSomewhere(link: string): Promise<boolean> {
    const [file = "", anchor] = link.split("#");
    const path = file === "" ? this.path : join(dirname(this.path), file);
    if (!existsSync(join(projectRoot, path))) return false;
    return anchor === undefined || (await MarkdownFile.read(path)).anchors.includes(anchor);
  }
}

/** All pages of the project: those of its root, docs/, action/, examples/ and pulumi-provider/. */
export async function allPages(): Promise<readonly MarkdownFile[]> {
  const patterns = ["*.md", "{docs,examples,action,pulumi-provider,test/fixtures}/**/*.md"];
  const exclude = (path: string) => /(^|\/)(node_modules|dist|build)$/.test(path);
  const paths: string[] = [];
  for await (const path of glob(patterns, { cwd: projectRoot, exclude })) paths.push(path);
  return Promise.all(paths.sort().map(async (path) => MarkdownFile.read(path)));
}
