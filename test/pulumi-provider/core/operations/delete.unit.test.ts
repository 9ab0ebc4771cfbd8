import { expect, test } from "vitest";
import { remove } from "../../../../pulumi-provider/core/operations/delete.ts";
import { openService } from "../../../../pulumi-provider/core/service/service.ts";
import { read } from "../../../../pulumi-provider/core/operations/read.ts";
import { create, update, type OperationContext } from "../../../../pulumi-provider/core/operations/update.ts";
import { FastClock } from "../../../wire/clocks.ts";
import { IMAGE, surroundings } from "../../context.ts";

// Nothing listens there.
const INPUTS = { ...IMAGE, controlPlaneUrl: "http://127.0.0.1:1" };
const STATE = { ...INPUTS, stateVersion: 1, managedRevisionId: "9d3f0a4e-1f8e-4f0e-8f7c-3a4c1d2e5f60", drift: [] };
const ID = "0b9c7c8e-8a64-4c1d-9a53-6f1f0c1a2b3c";
const MINUTE = 60_000;

test.each<[string, (context: OperationContext & { log: () => undefined }) => Promise<unknown>]>([
  ["a create", (context) => create(INPUTS, context)],
  ["an update", (context) => update(ID, STATE, { ...INPUTS, triggers: [1] }, context)],
  ["a wait that is taken up", (context) => update(ID, { ...STATE, pending: "wait" }, INPUTS, context)],
  ["a refresh", (context) => read(ID, STATE, context)],
  ["a delete", (context) => remove(ID, STATE, context)],
])("%s that reaches nobody fails within a minute", async (_, operation) => {
  const clock = new FastClock();
  const setting = surroundings({ config: {} });
  const { signal } = new AbortController();
  await using connection = openService(INPUTS, setting, { signal, clock, random: () => 1 });
  const deps = { ...connection, clock, signal, spoolDirectory: "/nowhere", emit: () => undefined, random: () => 1 };
  const context = { deps, ...setting, programDirectory: "/nowhere", log: () => undefined };
  const start = clock.now();
  await expect(operation(context)).rejects.toThrow(/connection refused/);
  expect(clock.now() - start).toBeLessThan(MINUTE);
});
