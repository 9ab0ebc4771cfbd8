import { expect, test } from "vitest";
import { IMAGE, machine, rig, subject } from "./rig.ts";

test("the engine that traces passes two addresses, and hears what the provider logs", async () => {
  const flags = ["--logtostderr", "-v=9", "--tracing", "tcp://127.0.0.1:1"];
  const { checked, plugin, lines } = await rig(machine().start({ flags }));
  await plugin.of(subject("billing")).create(await checked("billing", IMAGE));
  expect(lines.map(({ message }) => message).join("\n")).toContain("DEPLOYED");
});

test("inputs of more bytes than gRPC takes by itself come and go", async () => {
  const { checked } = await rig(machine().start());
  const triggers = ["x".repeat(5_000_000)];
  expect(await checked("billing", { ...IMAGE, triggers })).toMatchObject({ triggers });
});
