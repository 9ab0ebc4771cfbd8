import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { isSecretName } from "../contract/secret.ts";
import { describeReadError } from "../files/file-error.ts";
import { isInside } from "../files/inside.ts";
import { textOf } from "../files/json/comparison.ts";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../files/json/value.ts";
import { JsonProcess } from "../files/json/json-process.ts";
import { parseDuration } from "../text/duration.ts";
import { ForeignText } from "../text/foreign-text.ts";
import { jsonText } from "../text/json-text.ts";
import { SecretMask } from "../text/secret-mask.ts";
import { quoted } from "../text/quoted.ts";
import type { Scorer, ScoringDeps, StartedScorer, Verdict } from "./scorer.ts";

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
  { keys = [name], env: names = [], timeout: timeoutMilliseconds = 60_000 }: z.output<typeof CommandOptions>,
): Pick<Scorer, "keys" | "start"> => {
  const line = textOf(wanted);
  const start = (deps: ScoringDeps): StartedScorer => {
    const { workspace: directory, clock, signal } = deps;
    const mask = new SecretMask();
    for (const variable of names) mask.add(deps.env[variable] ?? "");
    const text = new ForeignText((said) => mask.text(deps.redact(said)));
    const environment = () => environmentOf(["PATH", "HOME", ...names], deps);
    const process = new JsonProcess({
      command: line,
      directory,
      environment,
      timeoutMilliseconds,
      clock,
      signal,
      text,
    });
    return {
      score: async ({ id, row, output = null, state = null, toolCalls, runMilliseconds, tokens, cost }) => {
        const known = { row, output, state, tool_calls: toolCalls, run_ms: runMilliseconds, tokens, cost };
        const answer = await process.ask(id, known);
        return keys.map((key) => ({ key, ...verdictOf(answer, key, text) }));
      },
      contents: async () => {
        environment();
        // A word that names no file is a program or an option.
        return Promise.all(line.split(/[\s"']+/).map(async (word) => contentOf(word, deps).catch(() => "")));
      },
      end: async () => process.end(),
    };
  };
  return { keys, start };
};

/** Throws where it would hold a secret of the evaluation itself, such as the agent's key. */
function environmentOf(names: readonly string[], { env, isSecret }: ScoringDeps): Readonly<Record<string, string>> {
  const known = names.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const [secret] = known.find(([, value]) => isSecret(value)) ?? [];
  if (secret !== undefined) throw new Error(`its variable ${secret} holds a secret of the evaluation itself`);
  return Object.fromEntries(known);
}

/** What a command says of a row: a list of `{"key", "score", "comment"}`. */
function verdictOf(answer: JsonObject | string, key: string, text: ForeignText): Verdict {
  if (typeof answer === "string") return { missing: answer, isBroken: true };
  const scores = isJsonList(answer["scores"]) ? answer["scores"].filter(isJsonObject) : [];
  const { score, comment } = scores.find((each) => each["key"] === key) ?? {};
  const said = typeof comment === "string" ? text.line(comment) : "";
  if (score === null) return { missing: said || "the command gave no score", isBroken: false };
  if (typeof score !== "number" || !(score >= 0 && score <= 1)) {
    const what = score === undefined ? "nothing" : quoted(text.line(jsonText(score)));
    return { missing: `the command gave ${what} in place of a number from 0 to 1`, isBroken: true };
  }
  return said === "" ? { score } : { score, comment: said };
}

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
