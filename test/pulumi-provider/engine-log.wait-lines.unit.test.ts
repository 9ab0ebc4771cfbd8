import { describe, expect, test } from "vitest";
import { WaitLines } from "../../pulumi-provider/engine-log.ts";
import type { Revision } from "../../src/contract/deployment.ts";
import type { DeployEvent } from "../../src/deployment/events.ts";
import { ForeignText } from "../../src/text/foreign-text.ts";

const text = new ForeignText((line) => line.replaceAll("sk-123", "***"));
const lineOf = (event: DeployEvent) => new WaitLines(text).of(event);
const revision = (status: string): Revision => ({ id: "r", status });

describe("what the user hears while a deploy runs", () => {
  test.each<readonly [DeployEvent, string | undefined]>([
    [{ type: "deployment-created", deployment: { id: "d" }, adopted: false }, "created deployment d"],
    [
      { type: "image-tagged", image: "registry/agent:1.4.2", tag: "1.4.2" },
      "image registry/agent:1.4.2: tag 1.4.2 may name another image later; a digest cannot",
    ],
    [
      { type: "revision-started", deploymentId: "d", revisionId: "r", status: "CREATING", resumed: false },
      "revision r: CREATING",
    ],
    [
      { type: "revision-started", deploymentId: "d", revisionId: "r", status: "DEPLOYING", resumed: true },
      "revision r, begun earlier: DEPLOYING",
    ],
    [
      { type: "revision-status", revision: revision("BUILDING"), elapsedMilliseconds: 61_000 },
      "BUILDING after 1 min 1 s",
    ],
    [{ type: "revision-heartbeat", status: undefined, elapsedMilliseconds: 30_000 }, "no status yet, 30 s so far"],
    [
      { type: "upload-progress", sentBytes: 1_000_000, totalBytes: 4_000_000, milliseconds: 1 },
      "uploaded 1.0 MB of 4.0 MB",
    ],
    [{ type: "look-failed", message: "status 500" }, "could not be checked this time: status 500"],
    [{ type: "wait-ended", elapsedMilliseconds: 1 }, undefined],
  ])("%j", (event, message) => {
    const line = lineOf(event);
    expect(line).toEqual(message === undefined ? undefined : { severity: "info", message, ephemeral: true });
  });

  test("each status is reported once, however soon it comes", () => {
    const lines = new WaitLines(text);
    lines.of({ type: "revision-started", deploymentId: "d", revisionId: "r", status: "CREATING", resumed: false });
    const told = ["CREATING", "BUILDING", "CREATING"].map(
      (status) => lines.of({ type: "revision-status", revision: revision(status), elapsedMilliseconds: 1 })?.message,
    );
    expect(told).toEqual([undefined, "BUILDING after 0 s", "CREATING after 0 s"]);
  });

  test("warnings and the end of a log are reported once more at the end of the run", () => {
    expect(lineOf({ type: "warning", message: "odd" })).toEqual({
      severity: "warning",
      message: "odd",
      ephemeral: false,
    });
    const lines = [{ message: "one\n::error::sk-123\u001b[31m" }, { message: "two" }];
    expect(lineOf({ type: "revision-logs", kind: "build", lines })).toEqual({
      severity: "info",
      message: "the end of the build log:\n  one\n  ::error::***\n  two",
      ephemeral: false,
    });
  });
});
