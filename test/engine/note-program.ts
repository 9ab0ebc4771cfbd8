import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../scripts/command.ts";

// A cloud made of files: each note is a file, and each call that would reach the cloud is a line of calls.log.
const NOTE = `
const pulumi = require("@pulumi/pulumi");
const provider = {
  async configure({ config }) { this.token = config.get("token"); },
  async check(olds, news) {
    const failures = news.text === "forbidden" ? [{ property: "text", reason: "that word is forbidden" }] : [];
    return { inputs: { mood: "calm", ...news }, failures };
  },
  async diff(id, olds, news) {
    return { changes: olds.text !== news.text || olds.kind !== news.kind,
      replaces: olds.kind !== news.kind ? ["kind"] : [], deleteBeforeReplace: news.kind === "single" };
  },
  async create(news) {
    const fs = require("node:fs");
    const id = "note-" + process.hrtime.bigint();
    fs.appendFileSync("calls.log", "create " + news.label + "\\n");
    if (news.text === "slow") await new Promise((resolve) => setTimeout(resolve, 60_000));
    if (news.text === "refused") throw new Error("the cloud refused it");
    fs.writeFileSync(id, news.text);
    console.log("made " + news.label);
    const outs = { ...news, size: news.text.length };
    if (news.text.startsWith("half")) {
      throw Object.assign(new Error("half done"), { id, properties: outs, reasons: ["the ink is not dry"] });
    }
    return { id, outs };
  },
  async update(id, olds, news) {
    const fs = require("node:fs");
    fs.appendFileSync("calls.log", "update " + news.label + "\\n");
    const outs = { ...news, size: news.text.length };
    if (news.text === "half again") {
      throw Object.assign(new Error("half done"), { id, properties: outs, reasons: ["still wet"] });
    }
    fs.writeFileSync(id, news.text);
    return { outs };
  },
  async read(id, props) {
    const fs = require("node:fs");
    fs.appendFileSync("calls.log", "read " + this.token + "\\n");
    if (!fs.existsSync(id)) return { id: "", props: {} };
    const text = fs.readFileSync(id, "utf8");
    return { id, props: { ...props, text, size: text.length } };
  },
  async delete(id, props) {
    const fs = require("node:fs");
    fs.appendFileSync("calls.log", "delete " + props.label + "\\n");
    fs.rmSync(id, { force: true });
  },
};
class Note extends pulumi.dynamic.Resource {
  constructor(name, args, opts) {
    super(provider, name, { label: name, size: undefined, ...args }, opts, "test", "Note");
  }
}
class Book extends pulumi.ComponentResource {
  constructor(name) {
    super("test:index:Book", name);
    this.first = new Note(name + "-first", { text: "one" }, { parent: this });
    this.registerOutputs({ pages: 1 });
  }
}
module.exports = { Note, Book, pulumi };
`;

/** A program whose resources are notes, in a directory of its own under the system's temporary folder. */
export class NoteProgram {
  readonly directory: string;
  /** How many calls were answered already. */
  #seen = 0;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async create(): Promise<NoteProgram> {
    const directory = await mkdtemp(join(tmpdir(), "notes-"));
    await mkdir(join(directory, "node_modules"));
    await symlink(join(projectRoot, "node_modules/@pulumi"), join(directory, "node_modules/@pulumi"));
    await writeFile(join(directory, "package.json"), '{ "name": "notes" }');
    await writeFile(join(directory, "note.js"), NOTE);
    return new NoteProgram(directory);
  }

  /** Writes the program: statements that see `Note`, `Book` and `pulumi`; what it exports are the stack's outputs. */
  async write(statements: string): Promise<void> {
    await writeFile(
      join(this.directory, "index.js"),
      `const { Note, Book, pulumi } = require("./note.js");\n${statements}\n`,
    );
  }

  /** The calls that reached the cloud since the last time. The file stays: one written just now would be lost with it. */
  async calls(): Promise<readonly string[]> {
    const text = await readFile(join(this.directory, "calls.log"), "utf8").catch(() => "");
    const lines = text.split("\n").filter((line) => line !== "");
    const fresh = lines.slice(this.#seen);
    this.#seen = lines.length;
    return fresh;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}
