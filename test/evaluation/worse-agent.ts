import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

const Recorded = z.looseObject({ state: z.looseObject({ source: z.string().nullable() }) });
const HANDED_OVER = { answer: "A colleague will answer within a day.", source: null, handed_over: true };

/** Makes a copy of examples/agent worse: it knows its first article only, and hands all other questions over. */
export async function makeWorse(agent: string): Promise<void> {
  await appendFile(join(agent, "support_desk", "articles.py"), "\nARTICLES = ARTICLES[:1]\n");
  const path = join(agent, "recorded-answers.jsonl");
  const lines = (await readFile(path, "utf8")).trim().split("\n");
  const worse = lines.map((line) => {
    const { state, ...rest } = Recorded.parse(JSON.parse(line));
    const isKnown = state.source === "Reset your password";
    return JSON.stringify({ ...rest, state: isKnown ? state : { ...state, ...HANDED_OVER } });
  });
  await writeFile(path, `${worse.join("\n")}\n`);
}
