import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProcess } from "./process.ts";
import type { Sample } from "./rounds.ts";

/** What promptfoo is to ask: its cases have what `question` and `answer` of ours have. */
interface Asked {
  readonly program: string;
  readonly url: string;
  readonly directory: string;
  readonly cases: readonly { readonly id: string; readonly question: string; readonly answer: string }[];
  readonly concurrency: string;
}

/**
 * An evaluation by promptfoo's HTTP provider, which asks `POST /runs/wait` and sees no thread. It exits with 100 where
 * an answer is wrong or missing. Its files, its database too, are in the directory.
 */
export function promptfooRun({ program, url, directory, cases, concurrency }: Asked): () => Promise<Sample> {
  const [config, tests] = [join(directory, "promptfoo.json"), join(directory, "promptfoo-tests.jsonl")];
  const lines = cases.map(({ id, question, answer }) => ({ description: id, vars: { question, answer } }));
  writeFileSync(tests, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const provider = {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Api-Key": "key-of-the-bench" },
    body: { assistant_id: "agent", input: { question: "{{prompt}}" } },
    transformResponse: "json.messages.at(-1).content",
  };
  const evaluation = {
    prompts: ["{{question}}"],
    providers: [{ id: `${url}/runs/wait`, config: provider }],
    defaultTest: { assert: [{ type: "equals", value: "{{answer}}" }] },
    tests: `file://${tests}`,
  };
  writeFileSync(config, JSON.stringify(evaluation));
  // It asks the agent each time, keeps nothing in its database, and talks to nobody else.
  const quiet = ["--no-cache", "--no-write", "--no-share", "--no-table", "--no-progress-bar"];
  const args = [program, "eval", "-c", config, "-j", concurrency, "-o", join(directory, "promptfoo.jsonl"), ...quiet];
  const env = {
    ...process.env,
    PROMPTFOO_CONFIG_DIR: join(directory, "promptfoo"),
    ...{ PROMPTFOO_DISABLE_TELEMETRY: "1", PROMPTFOO_DISABLE_UPDATE: "1", PROMPTFOO_DISABLE_REMOTE_GENERATION: "1" },
    // Without telemetry it still sends that there is none; the agent has no TLS.
    HTTPS_PROXY: "http://127.0.0.1:9",
  };
  return () => runProcess(process.execPath, args, { env });
}
