import { tmpdir } from "node:os";
import { ForeignText } from "../src/text/foreign-text.ts";
import type { Host, HostProcess } from "./host.ts";

/**
 * A terminal: a person reads along, and a program may read the results, which are printed as `name: text`. Options have
 * the names of their table.
 */
export function terminalHost(
  { env, cwd, stdout }: HostProcess & { readonly cwd: () => string },
  options: Readonly<Record<string, string | undefined>>,
): Host {
  const foreign = new ForeignText();
  const debug = env["GRAPH_DEPLOY_DEBUG"] === "1";
  const print = (line: string): void => {
    stdout.write(`${line}\n`);
  };
  return {
    place: {
      temp: tmpdir(),
      workspace: cwd(),
      names: { temp: "TMPDIR", workspace: "the working directory" },
      machine: "machine",
      attempt: 1,
      debug,
    },
    env,
    given: (option) => (Object.hasOwn(options, option) ? options[option] : undefined),
    run: () => Promise.resolve({}),
    // What is printed has passed the step's own redactor.
    mask: () => undefined,
    setOutput: (name, text) => {
      if (text !== "") print(`${name}: ${foreign.line(text)}`);
    },
    print,
    annotate: (kind, text, { title, file, line } = {}) => {
      const place = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${String(line)}`})`;
      print(`${KINDS[kind]}${title === undefined ? "" : `, ${title}`}: ${text}${place}`);
    },
    group: (title, lines) => {
      print(title);
      for (const line of lines) print(`  ${line}`);
    },
    debug: (text) => {
      if (debug) print(text);
    },
    mostAnnotations: Infinity,
  };
}

const KINDS = { error: "Error", notice: "Note", warning: "Warning" } as const;
