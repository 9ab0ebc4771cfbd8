import { expect, test } from "vitest";
import { inspect } from "../../../../src/experiments/formats/inspect/inspect.ts";
import { writeJsonValue } from "../../../../src/files/json/value.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

test("an attachment that is named very often does not fill the memory", { tags: "slow" }, async () => {
  const input = Array.from({ length: 40 }, () => ({ role: "user", content: "attachment://one" }));
  const samples = [{ id: 1, input, attachments: { one: "x".repeat(1024 * 1024) } }];
  const log = { version: 2, status: "success", eval: { task: "t", model: "m", dataset: {} }, samples };
  const { rows, warnings } = await readAll(inspect, storedFile(JSON.stringify(log), "log.json"));
  const kept = [...writeJsonValue(rows[0]?.inputs ?? null).matchAll(/attachment:\/\/one/g)];
  expect(kept.length).toBe(8);
  expect(warnings).toEqual([expect.stringMatching(/8 references .*larger than 32 MiB/)]);
});
