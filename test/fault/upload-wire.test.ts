import { describe, expect, test } from "vitest";
import { runAction } from "../runner/runner.ts";
import type { FaultServer } from "../wire/fault-server.ts";
import {
  htmlPage,
  noContent,
  resetAfter,
  resetBefore,
  status,
  statusAfter,
  truncated,
  type Fault,
} from "../wire/faults.ts";
import { behindFaults, detail, meet, POST } from "../dist/upload-front.ts";
import { expectGreen, redSentence, UPLOAD_PATH, warningsOf } from "../dist/upload-step.ts";

describe("an upload that is not answered and not stored is sent once more, and stored once", () => {
  test.each([
    ["reset before it was processed", resetBefore],
    ["503 with Retry-After", status(503, { headers: { "retry-after": "1" } })],
  ])("%s", async (_name, fault) => {
    const { result, posts, stored } = await meet(fault, { before: "another" });
    expectGreen(result);
    expect(result.outputs.get("upload-status")).toBe("uploaded");
    expect(result.outputs.get("experiment-id")).toBe(stored.find(({ name }) => name === "nightly")?.id);
    expect([posts, stored.length]).toEqual([2, 2]);
    expect(result.log).toContainEqual(
      expect.stringMatching(/^Unclear {7}POST .*; looking for nightly in the service$/),
    );
    expect(result.log).toContainEqual(
      expect.stringMatching(/^Retry {9}the experiment "nightly": POST .*; attempt 2 of 2 in 2 s$/),
    );
    expect(warningsOf(result)).toEqual([]);
  });
});

describe("an upload that is stored and not answered is found by its mark, and not sent again", () => {
  test.each([
    ["reset after it was processed", resetAfter],
    ["a truncated answer", truncated],
    ["a page of HTML", htmlPage],
    ["no content", noContent],
    ["JSON of another kind", statusAfter(200, { body: { hello: ["world"] } })],
  ])("%s", async (_name, fault) => {
    const { result, posts, stored } = await meet(fault);
    expectGreen(result);
    expect(result.outputs.get("upload-status")).toBe("uploaded");
    expect(result.outputs.get("experiment-name")).toBe("nightly");
    expect(result.outputs.get("experiment-id")).toBe(stored[0]?.id);
    expect([posts, stored.length]).toEqual([1, 1]);
    expect(warningsOf(result)).toEqual([]);
  });
});

describe("an upload that is not answered at a service without a list", () => {
  const noList = { list: false } as const;

  test("is red, names the experiment, and says how to look for it", async () => {
    const { result, posts, stored, target, url } = await meet(statusAfter(502, detail("Bad gateway")), noList);
    expect(redSentence(result, "uncertain")).toBe(
      `Could not confirm that the experiment "nightly" was stored: ${target} returned 502: Bad gateway.`,
    );
    expect(result.log.at(-1)).toMatch(/^Next {10}Look for it by its name before you run again: curl /);
    expect(result.log.at(-1)).toContain(`"${url}/api/v1/sessions?name=nightly"`);
    expect(result.outputs.get("experiment-name")).toBe("nightly");
    expect([posts, stored.length]).toEqual([1, 1]);
  });

  test("is sent again with `on-unclear: retry`, and a conflict then leaves it open", async () => {
    const { result, posts, stored } = await meet(statusAfter(502), { ...noList, inputs: { "on-unclear": "retry" } });
    expect(redSentence(result, "uncertain")).toContain('Could not confirm that the experiment "nightly" was stored');
    expect([posts, stored.length]).toEqual([2, 1]);
    const lost = await meet(status(502), { ...noList, inputs: { "on-unclear": "retry" } });
    expectGreen(lost.result);
    expect([lost.posts, lost.stored.length]).toEqual([2, 1]);
  });
});

describe("an upload is sent again", () => {
  test("after 429 when the server wants it to", async () => {
    const { result, posts, stored } = await meet(status(429, { headers: { "retry-after": "3" }, body: "" }));
    expectGreen(result);
    expect(result.log.join("\n")).toContain(`${UPLOAD_PATH}: status 429; attempt 2 of 4 in 3`);
    expect([posts, stored.length]).toEqual([2, 1]);
  });

  test("without /api/v1 where the service does not have it", async () => {
    const { options, front, stored } = await behindFaults();
    front.script({ path: /^\/api/ }, status(404), 9);
    expectGreen(await runAction(options()));
    expect(front.requests.map(({ path }) => path)).toEqual([UPLOAD_PATH, UPLOAD_PATH.replace("/api/v1", "")]);
    expect(await stored()).toHaveLength(1);
  });
});

test("faults at the parts of a split upload end in one experiment for each part", async () => {
  const { options, front, stored } = await behindFaults();
  // A list without any experiment would decide nothing.
  await runAction(options({ "experiment-name": "another" }, { env: { GITHUB_RUN_ID: "3" } }));
  script(front, [resetBefore, undefined, statusAfter(502), undefined, status(429), undefined]);
  const result = await runAction(options({ "max-rows-per-experiment": "1" }));
  expectGreen(result);
  expect(result.outputs.get("upload-status")).toBe("uploaded");
  const names = ["nightly [1/3]", "nightly [2/3]", "nightly [3/3]"];
  expect(result.outputs.get("experiment-name")?.split("\n")).toEqual(names);
  expect((await stored()).map(({ name }) => name).toSorted()).toEqual(["another", ...names]);
});

/** Each post meets its fault, or goes well. */
function script(front: FaultServer, faults: readonly (Fault | undefined)[]): void {
  for (const fault of faults) front.script(POST, fault ?? { processed: true, keepsAlive: true });
}
