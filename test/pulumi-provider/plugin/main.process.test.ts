import { expect, test } from "vitest";
import { IMAGE, machine, rig } from "./rig.ts";

test("inputs of more bytes than gRPC takes by itself come and go", async () => {
  const { checked } = await rig(machine().start());
  const triggers = ["x".repeat(5_000_000)];
  expect(await checked("billing", { ...IMAGE, triggers })).toMatchObject({ triggers });
});
