import { posix } from "node:path";
import * as z from "zod";
import { canonicalJson } from "../../text/canonical-json.ts";
import { jsonOrUndefined } from "../../text/json-text.ts";
import { readArchive } from "../archive/reader.ts";
import type { EchoState } from "./echo-agent.ts";

/** The file of a project that holds them, beside its configuration file. */
export const RECORDED_ANSWERS = "recorded-answers.jsonl";

// More would be the same fault once more.
const MOST_FAULTS = 10;

const State = z.record(z.string(), z.unknown());
const Line = z.strictObject({ graph: z.string().optional(), input: State, state: State });
const Texts = z.array(z.looseObject({ type: z.literal("text"), text: z.string() }));
const Message = z.union([
  z.tuple([z.string(), z.unknown()]).transform(([, content]) => content),
  z.looseObject({ content: z.unknown() }).transform(({ content }) => content),
  z.unknown(),
]);

/** What the graphs of a project answered to some inputs once: a line of JSON for each, with `input` and `state`. */
export class RecordedAnswers {
  static readonly none = new RecordedAnswers("");
  /** What is wrong with its lines, in sentences. */
  readonly faults: string[] = [];
  readonly #states = new Map<string, { readonly line: number; readonly state: EchoState }>();

  constructor(text: string) {
    for (const [index, each] of text.split("\n").entries()) if (each.trim() !== "") this.#add(index + 1, each);
    this.faults.splice(MOST_FAULTS);
  }

  /** The state after a run with this input: of a line for this graph, else of one for any; undefined without both. */
  find(graph: string, input: unknown): EchoState | undefined {
    if (this.#states.size === 0) return undefined;
    return (this.#states.get(keyOf(input, graph)) ?? this.#states.get(keyOf(input)))?.state;
  }

  #add(line: number, text: string): void {
    const read = Line.safeParse(jsonOrUndefined(text));
    if (!read.success) {
      const wanted = "an object with the objects `input` and `state`, and perhaps the text `graph`";
      this.faults.push(`Line ${String(line)} is not ${wanted}.`);
      return;
    }
    const { graph, input, state } = read.data;
    const key = keyOf(input, graph);
    const known = this.#states.get(key);
    if (known) this.faults.push(`Line ${String(line)} has the input of line ${String(known.line)}, which counts.`);
    else this.#states.set(key, { line, state });
  }
}

/** Reads those of an archive: the lines that can be read, and why others cannot. Rejects with ArchiveError. */
export async function readRecordedAnswers(
  file: string,
  configPath: string,
  signal: AbortSignal,
): Promise<RecordedAnswers> {
  const path = posix.join(posix.dirname(configPath), RECORDED_ANSWERS);
  const { tree, contents } = await readArchive(file, { spare: new Set([path]) }, { signal });
  const answers = new RecordedAnswers(contents.get(path)?.toString("utf8") ?? "");
  if (tree.resolve(path) && !contents.has(path)) answers.faults.push("It is not a file of at most 1 MiB.");
  return answers;
}

// Clients write a message in many ways: what it says is the same.
function keyOf(input: unknown, graph = ""): string {
  const { messages, ...rest } = State.safeParse(input).data ?? {};
  const said = Array.isArray(messages) ? messages.map(textOf) : messages;
  return canonicalJson([graph, { ...rest, messages: said }]);
}

function textOf(message: unknown): unknown {
  const content = Message.parse(message);
  const texts = Texts.safeParse(content);
  return texts.success ? texts.data.map(({ text }) => text).join("") : content;
}
