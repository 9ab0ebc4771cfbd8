import { describe, expect, test } from "vitest";
import { inspect } from "../../../../src/experiments/formats/inspect/inspect.ts";
import { isJsonList } from "../../../../src/files/json-object.ts";
import { writeJsonValue, type JsonObject, type JsonValue } from "../../../../src/files/json/value.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const IMAGE = "data:image/png;base64,iVBORyBtYWRl";

function logOf({ samples, ...sample }: JsonObject): string {
  return writeJsonValue({
    version: 2,
    status: "success",
    eval: { task: "t", model: "m", dataset: { name: "d" } },
    results: { total_samples: isJsonList(samples) ? samples.length : 1 },
    samples: samples ?? [{ id: 1, epoch: 1, target: "bike", scores: { match: { value: "C" } }, ...sample }],
  });
}

const read = async (sample: JsonObject) => await readAll(inspect, storedFile(logOf(sample), "log.json"));

describe("an attachment of a sample of inspect_ai", () => {
  test.each<[string, JsonValue, JsonValue]>([
    ["in a message", [{ role: "user", content: "attachment://one" }], [{ role: "user", content: IMAGE }]],
    [
      "in a part of a message",
      [{ role: "user", content: [{ type: "image", image: "attachment://one" }] }],
      [{ role: "user", content: [{ type: "image", image: IMAGE }] }],
    ],
    ["that is the input", "attachment://one", IMAGE],
    ["of an old log", "tc://one", IMAGE],
    ["that a text only mentions", "see attachment://one", "see attachment://one"],
  ])("%s stands in the place of its reference", async (_, input, inputs) => {
    const { rows, faults, warnings } = await read({ input, attachments: { one: IMAGE } });
    expect({ inputs: rows[0]?.inputs, faults, warnings }).toEqual({ inputs, faults: [], warnings: [] });
  });

  test("stands in the output, too", async () => {
    const output = { choices: [{ message: { role: "assistant", content: "attachment://one" } }] };
    const { rows } = await read({ input: "q", output, attachments: { one: IMAGE } });
    expect(rows[0]?.outputs).toBe(IMAGE);
  });

  test.each(["constructor", "absent"])("that is not there is a warning: %s", async (name) => {
    const { rows, warnings } = await read({ input: `attachment://${name}`, attachments: { one: IMAGE } });
    expect(rows[0]?.inputs).toBe(`attachment://${name}`);
    expect(warnings).toEqual([expect.stringMatching(/^log\.json.*1 reference .*stays .*no such attachment/)]);
  });

  test("that is absent in many samples is one warning", async () => {
    const sample = { epoch: 1, input: "attachment://one", output: {}, scores: {} };
    const samples = Array.from({ length: 50 }, (_, id) => ({ ...sample, id }));
    const { warnings } = await read({ samples });
    expect(warnings).toEqual([expect.stringMatching(/^log\.json.*: 50 references .* in 50 samples stay in the rows/)]);
  });

  test("that is named very often does not fill the memory", { tags: "slow" }, async () => {
    const input = Array.from({ length: 40 }, () => ({ role: "user", content: "attachment://one" }));
    const { rows, warnings } = await read({ input, attachments: { one: "x".repeat(1024 * 1024) } });
    const kept = [...writeJsonValue(rows[0]?.inputs ?? null).matchAll(/attachment:\/\/one/g)];
    expect(kept.length).toBe(8);
    expect(warnings).toEqual([expect.stringMatching(/8 references .*larger than 32 MiB/)]);
  });
});

test("the tokens and the cost of a sample are those of all its models", async () => {
  const { rows } = await read({
    input: "q",
    model_usage: {
      "openai/a": { input_tokens: 10, output_tokens: 5, total_tokens: 15, total_cost: 0.5, reasoning_tokens: null },
      "openai/b": { input_tokens: 1, output_tokens: 2, total_tokens: 3, total_cost: 0.25 },
    },
  });
  expect(rows[0]).toMatchObject({ usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 }, cost: 0.75 });
});
