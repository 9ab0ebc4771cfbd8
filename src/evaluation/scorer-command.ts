import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
// Node has no other way to end a process with its children; nothing else of the process is used here.
// eslint-disable-next-line no-restricted-imports
import { kill } from "node:process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { isSecretName } from "../contract/secret.ts";
import { describeReadError } from "../files/file-error.ts";
import { isInside } from "../files/inside.ts";
import { textOf } from "../files/json/comparison.ts";
import { parseDuration } from "../text/duration.ts";
import { isJsonList, isJsonObject } from "../files/json-object.ts";
import type { JsonObject, JsonValue } from "../files/json/value.ts";
import { ForeignText } from "../text/foreign-text.ts";
import { jsonOrUndefined, jsonText } from "../text/json-text.ts";
import { SecretMask } from "../text/secret-mask.ts";
import { quoted } from "../text/quoted.ts";
import type { ScoredRow, Scorer, ScoringDeps, StartedScorer, TrialScore } from "./evaluation.ts";

const ENV_FAULT = "must be a list of names of variables";
const TIMEOUT_FAULT = "must be a duration, for example 90s";
export const CommandOptions = z.strictObject({
  env: z
    .array(z.string(), { error: ENV_FAULT })
    .refine((names) => names.every(isSecretName), { error: ENV_FAULT })
    .optional(),
  keys: z.array(z.string().min(1), { error: "must be a list of names of scores" }).min(1).optional(),
  timeout: z
    .string({ error: TIMEOUT_FAULT })
    .refine((text) => (parseDuration(text) ?? 0) > 0, { error: TIMEOUT_FAULT })
    .transform((text) => parseDuration(text))
    .optional(),
});

export const commandFault = (wanted: JsonValue) =>
  typeof wanted === "string" && wanted.trim() !== "" ? "" : "must be a command line";

export const command = (
  name: string,
  wanted: JsonValue,
  { keys = [name], env = [], timeout = 60_000 }: z.output<typeof CommandOptions>,
): Pick<Scorer, "keys" | "start"> => {
  const line = textOf(wanted);
  const start = (deps: ScoringDeps): StartedScorer => {
    const process = new ScorerCommand({ command: line, keys, env, timeoutMilliseconds: timeout }, deps);
    return {
      score: async (row) => process.score(row),
      contents: async () => {
        process.variables();
        // A word that names no file is a program or an option.
        return Promise.all(line.split(/[\s"']+/).map(async (word) => contentOf(word, deps).catch(() => "")));
      },
      end: async () => process.end(),
    };
  };
  return { keys, start };
};

/** Of a file in the workspace. Throws why it cannot be read. */
export async function contentOf(name: string, { workspace }: ScoringDeps): Promise<string> {
  const path = resolve(workspace, name);
  if (!isInside(workspace, path)) throw new Error(`${quoted(name)} is outside of the workspace`);
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new Error(`${quoted(name)} ${describeReadError(cause) ?? "cannot be read"}`, { cause });
  }
}

export interface CommandDefinition {
  /** For a shell. */
  readonly command: string;
  /** Of the scores that it gives. */
  readonly keys: readonly string[];
  /** Names of the variables that it gets besides PATH and HOME. */
  readonly env: readonly string[];
  /** How long it may be silent while a row waits. */
  readonly timeoutMilliseconds: number;
}

/** One process that scores all rows: a JSON row a line in, a JSON answer with the same `id` a line out, in any order. */
export class ScorerCommand {
  readonly #definition: CommandDefinition;
  readonly #deps: ScoringDeps;
  readonly #text: ForeignText;
  readonly #waiting = new Map<string, (answer: JsonObject | string) => void>();
  #child: ChildProcessWithoutNullStreams | undefined;
  /** Why it takes no rows any more; empty while it does. */
  #ending = "";
  #stderr = "";
  #cancelAlarm = (): void => undefined;

  constructor(definition: CommandDefinition, deps: ScoringDeps) {
    this.#definition = definition;
    this.#deps = deps;
    const mask = new SecretMask();
    for (const name of definition.env) mask.add(deps.env[name] ?? "");
    this.#text = new ForeignText((text) => mask.text(deps.redact(text)));
  }

  /** What goes wrong with the command is the reason of each score; it then takes no further row. */
  async score({
    id,
    row,
    output = null,
    state = null,
    toolCalls,
    ...known
  }: ScoredRow): Promise<readonly TrialScore[]> {
    const { runMilliseconds: run_ms, tokens, cost } = known;
    const line = JSON.stringify({ id, row, output, state, tool_calls: toolCalls, run_ms, tokens, cost });
    this.#child ??= this.#start();
    const { promise, resolve } = Promise.withResolvers<JsonObject | string>();
    if (this.#ending === "") {
      this.#waiting.set(id, resolve);
      if (this.#waiting.size === 1) this.#watch();
      this.#child.stdin.write(`${line}\n`);
    }
    return this.#scoresIn(this.#ending === "" ? await promise : this.#ending);
  }

  #scoresIn(answer: JsonObject | string): readonly TrialScore[] {
    const given = typeof answer === "string" ? undefined : answer["scores"];
    const scores = isJsonList(given) ? given.filter(isJsonObject) : [];
    return this.#definition.keys.map((key): TrialScore => {
      if (typeof answer === "string") return { key, missing: answer, isBroken: true };
      const { score, comment } = scores.find((each) => each["key"] === key) ?? {};
      const said = typeof comment === "string" ? this.#text.line(comment) : "";
      if (score === null) return { key, missing: said || "the command gave no score", isBroken: false };
      if (typeof score !== "number" || !(score >= 0 && score <= 1)) {
        const what = score === undefined ? "nothing" : quoted(this.#text.line(jsonText(score)));
        return { key, missing: `the command gave ${what} in place of a number from 0 to 1`, isBroken: true };
      }
      return said === "" ? { key, score } : { key, score, comment: said };
    });
  }

  /** Its whole environment. Throws where that would hold a secret of the evaluation itself, such as the agent's key. */
  variables(): Readonly<Record<string, string>> {
    const { env, redact } = this.#deps;
    const known = ["PATH", "HOME", ...this.#definition.env].flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const [secret] = known.find(([, value]) => redact(value).trim() === "***") ?? [];
    if (secret !== undefined) throw new Error(`its variable ${secret} holds a secret of the evaluation itself`);
    return Object.fromEntries(known);
  }

  /** Lets the process end by itself for a short time, then ends it with its children. */
  async end(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    if (this.#ending === "") {
      child.stdin.end();
      await new Promise<void>((resolve) => {
        child.once("close", this.#deps.clock.alarm(LAST_MILLISECONDS, resolve)).once("close", () => {
          resolve();
        });
      });
    }
    this.#stop("the evaluation ended");
    // A process that left the group may hold the pipes open, and would keep this one from ending.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    child.unref();
  }

  #start(): ChildProcessWithoutNullStreams {
    const { workspace, signal } = this.#deps;
    const options = { cwd: workspace, env: this.variables(), shell: true };
    // Its children are in its process group.
    const child = spawn(this.#definition.command, { ...options, detached: true });
    child.stdin.on("error", () => undefined);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MOST_OF_STDERR);
    });
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") this.#take(line);
      if (rest.length > LONGEST_LINE) this.#stop("the command wrote a line of more than 1 MB");
    });
    child.once("error", ({ message }) => {
      this.#stop(`the command could not be started: ${this.#text.line(message)}`);
    });
    // Where its children hold the pipes, "close" would not come.
    child.once("exit", () => {
      endGroup(child);
    });
    child.once("close", (code, signalName) => {
      const last = this.#text.lines(this.#stderr).filter((line) => line !== "");
      const how = code === null ? `was ended by ${String(signalName)}` : `ended with exit code ${String(code)}`;
      this.#stop([`the command ${how}`, ...last.slice(-MOST_LINES)].join(": "));
    });
    signal.addEventListener("abort", () => {
      this.#stop("the evaluation was cancelled");
    });
    return child;
  }

  #take(line: string): void {
    const answer = jsonOrUndefined(line);
    const id = isJsonObject(answer) ? answer["id"] : undefined;
    const resolve = typeof id === "string" ? this.#waiting.get(id) : undefined;
    if (!isJsonObject(answer) || typeof id !== "string" || !resolve) {
      this.#stop(`the command wrote a line that answers no row: ${quoted(this.#text.line(line))}`);
      return;
    }
    this.#waiting.delete(id);
    this.#watch();
    resolve(answer);
  }

  /** Each answer shows that it works: one that takes a row after the other may have many that wait. */
  #watch(): void {
    this.#cancelAlarm();
    if (this.#waiting.size === 0) return;
    const { timeoutMilliseconds } = this.#definition;
    this.#cancelAlarm = this.#deps.clock.alarm(timeoutMilliseconds, () => {
      this.#stop(`the command gave no answer for ${String(timeoutMilliseconds / 1000)} s`);
    });
  }

  #stop(reason: string): void {
    this.#cancelAlarm();
    if (this.#ending !== "") return;
    this.#ending = reason;
    for (const resolve of this.#waiting.values()) resolve(reason);
    this.#waiting.clear();
    if (this.#child) endGroup(this.#child);
  }
}

const LAST_MILLISECONDS = 2_000;
// Far above what scores and their comments take.
const LONGEST_LINE = 1_000_000;
// Far above what is shown of it, so that no secret that is cut at its start is shown.
const MOST_OF_STDERR = 100_000;
const MOST_LINES = 5;

function endGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of it runs any more; or this is Windows, which has no groups.
    child.kill("SIGKILL");
  }
}
