import { expect, test } from "vitest";
import { HttpError } from "../../../src/local/http/error.ts";
import { AgentThreads } from "../../../src/local/agent-server/threads.ts";

test("of more threads than are kept the oldest gives way", { tags: "slow" }, () => {
  const threads = new AgentThreads();
  const made = Array.from({ length: 20_001 }, () => threads.create({}).id);
  expect(threads.search({})).toHaveLength(20_000);
  expect(() => threads.get(made[0] ?? "")).toThrow(HttpError);
  expect(threads.get(made[1] ?? "").id).toBe(made[1]);
});
