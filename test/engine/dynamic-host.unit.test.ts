import { expect, test } from "vitest";
import { DynamicHost } from "./dynamic-host.ts";
import { HostError } from "./host-error.ts";
import { NoteProgram } from "./note-program.ts";
import type { Diagnostic } from "./stack.ts";

// What a program would have serialised.
const PROVIDER = `
let token;
exports.handler = () => ({
  configure: async ({ config }) => { token = config.require("token"); },
  check: async (olds, news) => ({ inputs: news, failures: [{ property: "", reason: "olds " + JSON.stringify(olds) }] }),
  diff: async () => ({ changes: false, replaces: ["kind"], deleteBeforeReplace: true }),
  create: async (news) => {
    console.log("token " + token);
    throw Object.assign(new Error("half"), { id: "7", properties: { size: 1 }, reasons: ["wet", "cold"] });
  },
  read: async (id, props) => ({ id, props, inputs: { seen: id } }),
  update: async () => { throw new Error("no"); },
  delete: async () => { await new Promise(() => {}); },
});`;

test("the real host can be driven alone, and says what went wrong", { tags: "slow", timeout: 120_000 }, async () => {
  await using program = await NoteProgram.create();
  const lines: Diagnostic[] = [];
  const onLog = (line: Diagnostic) => lines.push(line);
  await using host = await DynamicHost.start({ directory: program.directory, project: "notes", onLog });
  const properties = { __provider: PROVIDER, text: "t" };
  await host.configure({ "notes:token": "plum" });

  expect(await host.check({ text: "o" }, properties)).toEqual({
    inputs: properties,
    failures: [{ property: "", reason: `olds {"text":"o"}` }],
  });
  expect(await host.diff("7", properties, properties)).toEqual({
    changes: "none",
    replaces: ["kind"],
    deleteBeforeReplace: true,
  });
  expect(await host.read("7", properties)).toMatchObject({ id: "7", outputs: properties, inputs: { seen: "7" } });

  const partial = { id: "7", properties: { size: 1 }, reasons: ["wet", "cold"] };
  await expect(host.create(properties)).rejects.toMatchObject({ message: "half", partial });
  await expect(host.update("7", properties, properties)).rejects.toMatchObject({ message: "no", partial: undefined });
  expect(lines).toContainEqual({ severity: "info", message: "token plum", ephemeral: false, urn: "" });

  const deleted = host.delete("7", properties);
  host.kill();
  await expect(deleted).rejects.toThrow(HostError);
});
