import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { NODE_ARGUMENTS } from "../node-arguments.ts";
import { countingServer } from "./counting-server.ts";
import { evaluations } from "./evaluated.ts";

const CHILD = join(import.meta.dirname, "evaluate-child.ts");
const CASES = 8;

/** What follows from when and by which process a trial was asked, and nothing else. */
const MASKED = /"(?:start_time|end_time|queued_ms|run_ms|first_token_ms|in_flight)":[^,}]+,?/g;
/** Ids that follow from a nonce that a process made itself. */
const MASKED_IDS = /"(?:thread_id|run_id)":[^,}]+,?/g;

async function world() {
  const server = await countingServer({
    agent: async (input) => {
      await sleep(15);
      return { messages: [{ type: "ai", content: `Answer to ${JSON.stringify(input)}` }] };
    },
  });
  const { directory, path } = evaluations(server.url, CASES);
  const start = (nonce: string | undefined) => {
    const given = [...NODE_ARGUMENTS, CHILD, server.url, directory, ...(nonce === undefined ? [] : [nonce])];
    const child = spawn(process.execPath, given, { stdio: ["ignore", "ignore", "inherit"] });
    return { child, closed: once(child, "close") };
  };
  const masked = () => readFileSync(path("results.jsonl"), "utf8").replace(MASKED, "");
  return { server, path, start, masked };
}

/** The results of an evaluation that nobody kills, and how many requests it sends. */
export async function undisturbed() {
  const { server, start, masked } = await world();
  const [code] = await start("workflow 7").closed;
  expect(code).toBe(0);
  return { results: masked(), requests: server.front.requests.length };
}

/**
 * Kills an evaluation so many milliseconds after the server got its n-th request, and runs it again: every trial is asked
 * once, the results are the same, and no thread is left. False if it had ended before.
 */
export async function killAt(
  whole: Awaited<ReturnType<typeof undisturbed>>,
  share: number,
  delay: number,
): Promise<boolean> {
  const { server, path, start, masked } = await world();
  const at = Math.floor(share * whole.requests);
  const where = `killed ${delay.toFixed(1)} ms after request ${at}`;
  // What has finished is taken up by its own nonce alone: without one, it is not killed near its end.
  const nonce = share < 0.7 && at % 2 === 0 ? undefined : "workflow 7";
  const { child, closed } = start(nonce);
  server.facts.onRequest = () => {
    if (server.front.requests.length === at + 1) setTimeout(() => child.kill("SIGKILL"), delay);
  };
  const [, signal] = await closed;
  const isOver = existsSync(path("results.jsonl")) && !existsSync(path("results.jsonl.journal"));
  if (!isOver) expect(await start(nonce).closed, where).toEqual([0, null]);
  const asked = server.runs.map(({ metadata }) => JSON.stringify([metadata["case"], metadata["trial"]]));
  expect(asked.toSorted(), where).toEqual([...new Set(asked)].toSorted());
  expect(asked, where).toHaveLength(2 * CASES);
  const ids = (text: string) => (nonce === undefined ? text.replace(MASKED_IDS, "") : text);
  expect(ids(masked()), where).toBe(ids(whole.results));
  expect(server.threads.size, where).toBe(0);
  return signal === "SIGKILL";
}

/** Kills an evaluation, takes its journal away, and runs it again: what its threads hold is not asked again. */
export async function killOnAnotherMachine(): Promise<void> {
  const { server, path, start } = await world();
  const { child, closed } = start("workflow 7");
  server.facts.onRequest = () => {
    if (server.runs.length > CASES) child.kill("SIGKILL");
  };
  await closed;
  server.facts.onRequest = () => undefined;
  rmSync(path("results.jsonl.journal"));
  const left = [...server.threads.keys()];
  expect(left.length).toBeGreaterThan(0);
  expect(await start("workflow 7").closed).toEqual([0, null]);
  expect(server.runs.filter(({ threadId }) => left.includes(threadId))).toHaveLength(left.length);
  expect(server.threads.size).toBe(0);
}
