import { describe, expect, test } from "vitest";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { isSentence, textsOf } from "../wire/texts-of.ts";
import { FAULT_TABLE, type FaultRow } from "./fault-table.ts";
import { REPEATABLE, type Operation } from "./operations.ts";
import { API_KEY, clientOf, SECRET_VALUE, useWorld } from "./rig.ts";

const world = useWorld();
const ATTEMPT = 10_000;

describe.each(REPEATABLE)("$name", (operation) => {
  test.each(FAULT_TABLE)("$name: $repeatable", async (row) => {
    const { ending, requests, texts, error } = await meet(operation, row);
    const expected = operation.except?.[row.name] ?? row.repeatable;
    expect(ending).toBe(expected === "fine" || expected === "retried" ? "ok" : expected);
    expect(requests).toBe(expected === "retried" ? operation.usual + 1 : expected === "fine" ? operation.usual : 1);
    expect(texts).not.toContain(API_KEY);
    expect(texts).not.toContain(SECRET_VALUE);
    if (error === undefined) return;
    expect(error.message).toSatisfy(isSentence);
    expect(error.message).toContain(`${operation.hit.method ?? ""} http://127.0.0.1`);
  });
});

/** Runs an operation that meets a fault once, and reports how it ended and how often the request was sent. */
async function meet(operation: Operation, { fault }: FaultRow) {
  const it = await world();
  const deployment = await operation.prepare(clientOf(it.front).plane);
  it.front.requests.length = 0;
  const { plane, notices, clock } = clientOf(it.front);
  const server = it[operation.at ?? "front"];
  server.onStall = () => clock.pass(ATTEMPT);
  server.script(operation.hit, fault);
  const error: unknown = await operation.run({ world: it, plane, deployment }, { attemptMilliseconds: ATTEMPT }).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  const known = error instanceof GraphDeployError ? error : undefined;
  expect(error).toBe(known);
  return {
    ending: known === undefined ? "ok" : known.code,
    requests: server.count(operation.hit),
    texts: [...textsOf(error), JSON.stringify(notices)].join("\n"),
    error: known,
  };
}
