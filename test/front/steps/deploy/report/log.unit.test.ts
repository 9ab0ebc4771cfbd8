import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogOptions } from "../../../../../front/account/step-log.ts";
import { deployStep } from "../../../../../front/steps/deploy/step.ts";
import type { DeployEvent } from "../../../../../src/deployment/events.ts";
import { VerifyError } from "../../../../../src/deployment/errors.ts";
import { HttpStatusError } from "../../../../../src/http/errors.ts";
import {
  archive,
  deployment,
  ended,
  PACKED,
  SOURCE_READ,
  TO_LIVE,
  tree,
  UPLOADED,
  URL_OF_AGENT,
  WORKSPACE,
} from "../../../account/deploy-events.ts";
import { expectHarmlessLog } from "../../../account/harmless.ts";
import * as deploys from "../../../account/deploys.ts";
import { hostileRuns } from "../../../account/hostile-runs.ts";
import { SECRET } from "../../../account/hostile-text.ts";
import { commandIn } from "../../../account/runner-commands.ts";
import { logOf } from "../../../account/step-output.ts";

function linesOf(events: readonly DeployEvent[], options: Partial<LogOptions> = {}): readonly string[] {
  return logOf(deployStep.reporting, events, { workspace: WORKSPACE, ...options });
}

describe("an error", () => {
  it("shows its stack and its causes to users who asked for debug logging", () => {
    const error = new VerifyError("no answer", { cause: new RangeError("deep down") });
    const lines = linesOf([ended("failed", 1, error)], { debug: true });
    expect(lines.slice(0, 3)).toEqual([
      "::error title=Failed::no answer.",
      "::group::Stack",
      expect.stringMatching(/^VerifyError: no answer|^Error: no answer/),
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/^Caused by RangeError: deep down/));
    expect(lines.at(-1)).toBe("::endgroup::");
  });

  it("keeps what the server said, with its request id", () => {
    const error = new HttpStatusError(422, ["name: is too long"], {
      target: "POST https://c.example/v2",
      requestId: "r-1",
    });
    expect(linesOf([ended("failed", 1, error)])).toEqual([
      "::error title=Failed::POST https://c.example/v2 returned 422: name: is too long (request r-1).",
      "Next          Correct the error that the service reports, and run again.",
    ]);
  });

  it("is cut to what an annotation holds", () => {
    const [line = ""] = linesOf([ended("failed", 1, new VerifyError("%".repeat(9_000)))]);
    const data = commandIn(line)?.data ?? "";
    expect(data.length).toBeLessThan(4_096);
    expect(data).toMatch(/^%+…$/);
  });
});

it("a line that waits shows progress and rate of a long upload, at most every 5 s and every tenth", () => {
  const seconds = Array.from({ length: 61 }, (_, second) => second);
  const events = seconds.map((second): DeployEvent => {
    const sentBytes = second * 1_000_000;
    return { type: "upload-progress", sentBytes, totalBytes: 60_000_000, milliseconds: second * 1_000 };
  });
  const uploaded: DeployEvent = { type: "uploaded", bytes: 60_000_000, milliseconds: 60_000 };
  expect(linesOf([...events, uploaded])).toEqual([
    ...[10, 20, 30, 40, 50, 60, 70, 80, 90].map(
      (percent) => `Upload        ${String(percent)} %, ${((percent * 6) / 10).toFixed(1)} MB of 60.0 MB, 1.0 MB/s`,
    ),
    "Uploaded      60.0 MB in 1 min, 1.0 MB/s",
  ]);
});

// An agent that answered a page of HTML for a minute filled the log with a hundred retries.
it("reports a live agent that is not ready in one line, and each retry only to users who debug", () => {
  const retry: DeployEvent = {
    type: "retry",
    notice: {
      target: `GET ${URL_OF_AGENT}/ok`,
      attempt: 1,
      mostAttempts: 4,
      delayMilliseconds: 300,
      reason: "status 503",
    },
  };
  const waiting: DeployEvent = {
    type: "agent-waiting",
    url: URL_OF_AGENT,
    reason: "it is starting",
    elapsedMilliseconds: 3_000,
  };
  const shown = (options: Partial<LogOptions> = {}) =>
    linesOf([...TO_LIVE, retry, waiting], options).slice(linesOf(TO_LIVE, options).length);
  expect(shown()).toEqual(["Agent         https://support-agent.example: not ready after 3 s: it is starting"]);
  expect(shown({ debug: true })[0]).toMatch(/^::debug::GET .*\/ok: status 503; attempt 2 of 4 in 0\.3 s$/);
});

it("warnings come with the source and with its archive", () => {
  const lines = linesOf([
    { type: "source-read", tree: tree({ warnings: ["Links lead nowhere: a."] }) },
    { type: "source-packed", archive: archive({ warnings: ["The archive is large."] }), milliseconds: 10 },
  ]);
  expect(lines.filter((line) => line.startsWith("::warning"))).toEqual([
    "::warning::Links lead nowhere: a.",
    "::warning::The archive is large.",
  ]);
});

describe("the source", () => {
  it("is named without a folder when it is the workspace, and in full when it is outside", () => {
    const at = (root: string) => linesOf([{ type: "source-read", tree: tree({ root }) }])[0];
    expect(at(WORKSPACE)).toBe("Source        4 files, 38.2 kB");
    expect(at("/elsewhere/agent")).toBe("Source        /elsewhere/agent: 4 files, 38.2 kB");
    expect(at(`${WORKSPACE}/..agent`)).toBe("Source        ..agent: 4 files, 38.2 kB");
  });

  it("says how many files each rule left out, and where counting was given up", () => {
    const leftOut = [
      { what: "*.pem", reason: "secret", files: 2, atLeast: false },
      { what: ".git", reason: "built-in", files: 0, atLeast: true },
      { what: "node_modules", reason: "built-in", files: 20_000, atLeast: true },
      { what: ".dockerignore", reason: "rule", files: 1, atLeast: false },
    ] as const;
    expect(linesOf([{ type: "source-read", tree: tree({ leftOut, envFile: undefined }) }])[1]).toBe(
      "              left out: *.pem (secret, 2 files), .git, node_modules (at least 20000 files), 1 file by .dockerignore",
    );
  });

  it("lists a thousand files and counts the rest", () => {
    const entries = Array.from({ length: 1_203 }, (_, index) => ({
      path: `f${String(index)}`,
      type: "file" as const,
      size: index,
      mode: 0o644 as const,
    }));
    const lines = linesOf([{ type: "source-read", tree: tree({ entries, files: entries.length }) }]);
    expect(lines).toContain("::group::Files (1203)");
    expect(lines.at(-2)).toBe("and 203 more");
    expect(lines).toHaveLength(4 + 1 + 1_000 + 2);
  });
});

it("a deployment that someone else made meanwhile is named by its id where the service gives no name", () => {
  const nameless = deployment();
  delete nameless.name;
  expect(linesOf([{ type: "deployment-created", deployment: nameless, adopted: false }])).toEqual([
    "Created       0f8fad5b-d9cb-469f-a165-70867728950e",
  ]);
});

it("debug logging reports how long each step took, and is silent otherwise", () => {
  const events = [SOURCE_READ, ...PACKED, ...UPLOADED];
  const debug = (on: boolean) => linesOf(events, { debug: on }).filter((line) => line.startsWith("::debug::"));
  expect(debug(true)).toEqual(["::debug::source took 0.1 s", "::debug::upload took 0.2 s"]);
  expect(debug(false)).toEqual([]);
});

describe("a hostile service and a hostile project", () => {
  it("make the runner execute nothing but what the log means", { tags: "slow" }, () => {
    fc.assert(
      fc.property(hostileRuns(...Object.values(deploys)), (events) => {
        const lines = linesOf(events, { redact: (text) => text.replaceAll(SECRET, "***"), debug: true });
        expectHarmlessLog(lines, events.filter((event) => event.type === "ended" && event.error !== undefined).length);
      }),
    );
  });

  it("add no property to an annotation", () => {
    const error = new VerifyError("100 %0A x,file=/etc/passwd::y\n::add-mask::z");
    const [line = ""] = linesOf([ended("failed", 1, error)]);
    expect(commandIn(line)).toEqual({
      name: "error",
      properties: { title: "Failed" },
      data: "100 %0A x,file=/etc/passwd::y ::add-mask::z.",
    });
  });
});
