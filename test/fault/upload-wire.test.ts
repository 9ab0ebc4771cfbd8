import { describe, expect, test } from "vitest";
import { runAction } from "../runner/runner.ts";
import type { FaultServer } from "../wire/fault-server.ts";
import {
  closed,
  garbageBytes,
  garbageJson,
  htmlPage,
  hugeBody,
  noContent,
  resetAfter,
  resetBefore,
  stalledBody,
  status,
  statusAfter,
  truncated,
  type Fault,
} from "../wire/faults.ts";
import { behindFaults, detail, meet, POST } from "../dist/upload-front.ts";
import { expectGreen, redSentence, UPLOAD_PATH, warningsOf } from "../dist/upload-step.ts";

describe("an upload whose answer is lost is sent again under the same name, and stored once", () => {
  test.each([
    ["reset before it was processed", resetBefore],
    ["a 502 of a gateway that did not reach the service", status(502, { body: "<html>Bad Gateway</html>" })],
    ["500", status(500)],
    ["503 with Retry-After", status(503, { headers: { "retry-after": "1" } })],
  ])("%s: it is uploaded", async (_name, fault) => {
    const { result, posts, stored } = await meet(fault);
    expectGreen(result);
    expect(result.outputs.get("upload-status")).toBe("uploaded");
    expect(result.outputs.get("experiment-id")).toBe(stored[0]?.id);
    expect([posts, stored.length]).toEqual([2, 1]);
    expect(result.log).toContainEqual(
      expect.stringMatching(/^Retry {9}the experiment "nightly": POST .*; attempt 2 of 3 in 2 s$/),
    );
    expect(warningsOf(result)).toEqual([]);
  });

  test.each([
    ["reset after it was processed", resetAfter],
    ["closed without an answer", closed],
    ["a truncated answer", truncated],
    ["a 502 of a gateway that lost the answer", statusAfter(502)],
    ["bytes that are no HTTP", garbageBytes],
    ["half of some JSON", garbageJson],
    ["a page of HTML", htmlPage],
    ["no content", noContent],
    ["JSON of another kind", statusAfter(200, { body: { hello: ["world"] } })],
    ["an answer of 17 MiB", hugeBody],
  ])("%s: it is uncertain", async (_name, fault) => {
    const { result, posts, stored } = await meet(fault);
    expectGreen(result);
    expect(result.outputs.get("upload-status")).toBe("uncertain");
    expect(result.outputs.get("experiment-name")).toBe("nightly");
    expect(result.outputs.get("experiment-id")).toBe("");
    expect([posts, stored.length]).toEqual([2, 1]);
    expect(warningsOf(result)).toEqual([expect.stringMatching(/"nightly" was lost, .* 3 rows .*/)]);
    expect(result.summary).toContain("nightly is most likely uploaded");
  });

  test("three times: nobody knows, and the sentence says so", async () => {
    const { result, posts, stored, target } = await meet(statusAfter(502, detail("Bad gateway")), 9);
    expect(redSentence(result)).toBe(
      `Could not confirm that the experiment "nightly" was stored: ${target} returned 502: Bad gateway.`,
    );
    expect(result.log.at(-1)).toBe(
      "Next          Look for it by its name before you run again: under the same name it is never stored twice.",
    );
    expect([posts, stored.length]).toEqual([3, 1]);
  });

  test("and then refused for another reason: nobody knows either", async () => {
    const { options, front, stored, target } = await behindFaults();
    front.script(POST, resetAfter);
    front.script(POST, status(401, detail("Invalid token")));
    const sentence = redSentence(await runAction(options()));
    expect(sentence).toBe(
      `Could not confirm that the experiment "nightly" was stored: ${target} returned 401: Invalid token.`,
    );
    expect(await stored()).toHaveLength(1);
  });

  test("the pause is as long as the server asks for, where that is longer", async () => {
    const { result } = await meet(status(503, { headers: { "retry-after": "7" } }));
    expectGreen(result);
    expect(result.log.join("\n")).toContain("; attempt 2 of 3 in 7 s");
  });
});

test("a service that hangs in its answer is given up after `timeout`", async () => {
  const { options, front, stored, target } = await behindFaults();
  front.script(POST, stalledBody, 9);
  const result = await runAction(options({ timeout: "1s" }, { env: {} }));
  expect(redSentence(result)).toBe(
    `Could not confirm that the experiment "nightly" was stored: ${target} did not respond within 1 s.`,
  );
  expect(front.count(POST)).toBe(1);
  expect(await stored()).toHaveLength(1);
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
  script(front, [resetBefore, undefined, statusAfter(502), undefined, status(429), undefined]);
  const result = await runAction(options({ "max-rows-per-experiment": "1" }));
  expectGreen(result);
  expect(result.outputs.get("upload-status")).toBe("uncertain");
  const names = ["nightly [1/3]", "nightly [2/3]", "nightly [3/3]"];
  expect(result.outputs.get("experiment-name")?.split("\n")).toEqual(names);
  expect((await stored()).map(({ name }) => name).toSorted()).toEqual(names);
});

/** Each post meets its fault, or goes well. */
function script(front: FaultServer, faults: readonly (Fault | undefined)[]): void {
  for (const fault of faults) front.script(POST, fault ?? { processed: true, keepsAlive: true });
}
