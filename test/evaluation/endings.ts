import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test, type TestContext } from "vitest";
import type { TrialOutcome } from "../../src/contract/trial-outcome.ts";
import type { JsonObject } from "../../src/files/json/value.ts";
import { systemClock } from "../../src/http/clock.ts";
import type { RunFate } from "../../src/local/index.ts";
import { all } from "../agent-server/rig.ts";
import { threadIdOf } from "../../src/evaluation/ask.ts";
import { askerAt, trialOf } from "./asked.ts";
import { rewired, type Wire } from "./rewired.ts";

/** How a run goes, and what it is for an evaluation. */
interface Ending {
  readonly name: string;
  readonly outcome: TrialOutcome;
  /** In the error of the trial; empty for one that has none. */
  readonly says: string;
  /** What the agent is told. */
  readonly fate: RunFate;
  readonly wire?: Wire;
  /** Until then its run does not end, or does not begin. */
  readonly until?: "begun" | "queued";
  /** What happens then; the run may go on when not given. */
  readonly then?: "another cancels" | "it takes too long" | "the evaluation is cancelled";
  /** The run is there before it is asked for. */
  readonly isOpen?: boolean;
}

const LATE = "The run did not end within";
const ANSWERED = { outcome: "answered", says: "" } as const;

/** The table: each way in which a run can end. */
const ENDINGS: readonly Ending[] = [
  { name: "an answer", ...ANSWERED, fate: {} },
  { name: "an error", outcome: "agent-error", says: "the agent broke", fate: { end: "error" } },
  { name: "an error that it recovers from", ...ANSWERED, fate: {}, wire: "recovered" },
  { name: "a question to a human", outcome: "interrupted", says: "asks a human", fate: { end: "interrupted" } },
  { name: "nothing", outcome: "empty", says: "nothing beyond its input", fate: { end: "empty" } },
  {
    name: "a cancel of somebody",
    outcome: "cancelled",
    says: "by somebody",
    fate: {},
    until: "begun",
    then: "another cancels",
  },
  {
    name: "a cancel of the evaluation",
    outcome: "cancelled",
    says: "The evaluation was cancelled",
    fate: {},
    until: "begun",
    then: "the evaluation is cancelled",
  },
  { name: "an answer behind a stream that is cut", ...ANSWERED, fate: {}, wire: "cut", until: "begun" },
  { name: "no end in time", outcome: "timeout", says: LATE, fate: {}, until: "begun", then: "it takes too long" },
  { name: "an answer to who asked before", ...ANSWERED, fate: {}, until: "begun", isOpen: true },
  { name: "an answer after a queue", ...ANSWERED, fate: {}, until: "queued" },
];

/** An agent server, and how its agent is told what to do. */
export interface EndingServer {
  readonly url: string;
  /** Tells the next run what to do, and returns what belongs into its input; one that is held ends after `release`. */
  readonly tell: (fate: RunFate) => Promise<JsonObject>;
  readonly release: () => Promise<void>;
}

const OPEN = ["pending", "running"];

/** The whole table, asked and joined: another process joins what one that was killed had asked. */
export function testEndings(what: string, serverOf: (skip: TestContext["skip"]) => Promise<EndingServer>): void {
  const rows = ENDINGS.flatMap((ending) => [
    { ...ending, how: "asked" },
    { ...ending, how: "joined" },
  ]);
  test.for(rows)(`${what}: $name is known when it is $how`, { tags: "slow" }, async (row, { skip }) => {
    const server = await serverOf(skip);
    const evaluation = randomUUID();
    const alarms: number[] = [];
    const clock = {
      ...systemClock,
      alarm: (milliseconds: number, ring: () => void) => {
        alarms.push(milliseconds);
        return systemClock.alarm(milliseconds, ring);
      },
    };
    const timeoutMilliseconds = row.then === "it takes too long" ? 200 : 60_000;
    const askerOf = async () => {
      const rig = askerAt(await rewired(server.url, row.wire), { clock, timeoutMilliseconds });
      await rig.asker.meet();
      return rig;
    };
    const isJoined = row.how === "joined";
    const hold = row.until === "queued" ? "pending" : "running";
    // What a test that failed holds would keep the next one waiting.
    onTestFinished(server.release);
    const input = await server.tell({ ...row.fate, ...(isJoined || row.until !== undefined ? { hold } : {}) });
    const trial = trialOf("c-1", { question: "why?", ...input });
    const { asker, threads, cancel } = await askerOf();
    const [threadId, status] = [threadIdOf(evaluation, trial), row.until === "queued" ? "pending" : "running"];
    const stands = async () => (await all(threads.runs(threadId)).catch(() => [])).map((run) => run.status);

    if (isJoined || row.isOpen === true) {
      const killed = await askerOf();
      const lost = killed.asker.ask(trial, { evaluation });
      await expect.poll(stands).toEqual([status]);
      await killed.http.close();
      expect(await lost).toMatchObject({ outcome: "unreachable" });
    }
    const found = await asker.left(evaluation);
    const [left] = found;
    expect(found).toMatchObject(
      isJoined || row.isOpen === true ? [{ threadId, caseId: "c-1", repetition: 0, attempt: 1 }] : [],
    );
    const asking = isJoined && left ? asker.join(trial, left) : asker.ask(trial, { evaluation });
    if (row.until !== undefined || isJoined) await expect.poll(stands).toEqual([status]);
    if (row.until === "queued") expect(alarms).toEqual([]);
    if (row.then === "the evaluation is cancelled") cancel.abort();
    if (row.then === "another cancels") {
      const [run] = await all(threads.runs(threadId));
      await threads.cancel(threadId, run?.run_id ?? "");
    }
    if (row.then === undefined) await server.release();

    const asked = await asking;
    const known = { outcome: row.outcome, threadId, isUnverified: false };
    expect(asked).toMatchObject(known);
    expect(asked.error).toContain(row.says);
    expect(asked.error === "").toBe(row.says === "");
    if (row.outcome === "answered") expect(asked.state).toMatchObject({ question: "why?" });
    expect(await stands()).toHaveLength(1);
    // A server may take its time to cancel a run. One that was not found yet is cancelled when its thread is removed.
    if (row.then !== "the evaluation is cancelled") {
      await expect.poll(async () => (await stands()).filter((each) => OPEN.includes(each))).toEqual([]);
    }
    await asker.remove(threadId);
    expect(await all(threads.search({ metadata: { evaluation } }))).toEqual([]);
  });
}
