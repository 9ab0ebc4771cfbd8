import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectRoot, runNode } from "../../scripts/command.ts";

const passed = { status: "passed", fullName: "a passed test", failureMessages: [] };
const failed = (fullName: string, message: string) => ({ status: "failed", fullName, failureMessages: [message] });
const file = (name: string, tests: readonly { status: string }[], message = "") => ({
  name: join(projectRoot, name),
  status: message !== "" || tests.some(({ status }) => status === "failed") ? "failed" : "passed",
  startTime: 0,
  endTime: 1000,
  message,
  assertionResults: tests,
});

/** What the script prints of the reports of tiers, and its exit code; the tiers ended with the exit codes. */
async function tally(reports: Record<string, readonly ReturnType<typeof file>[]>, exits: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "tally-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  for (const [tier, testResults] of Object.entries(reports)) {
    const count = (status: string) =>
      testResults.flatMap(({ assertionResults }) => assertionResults).filter((each) => each.status === status).length;
    const report = {
      numPassedTests: count("passed"),
      numFailedTests: count("failed"),
      testResults,
    };
    writeFileSync(join(folder, `${tier}.json`), JSON.stringify(report));
  }
  const { exitCode, output } = await runNode("scripts/tally.ts", [folder, ...exits]);
  return { exitCode, lines: output.trimEnd().split("\n") };
}

test("the tally ends with what failed, by tier, file and test, and the counts last", { tags: "slow" }, async () => {
  const message = ["\u001B[31mError: no\u001B[39m", "::error::x", "    at /x/node_modules/y.js:1"].join("\n");
  const many = Array.from({ length: 30 }, (_, line) => `line ${String(line)}`).join("\n");
  const { exitCode, lines } = await tally(
    {
      test: [file("test/a.unit.test.ts", [passed, failed("a thing\nfails", message), failed("another", many)])],
      "test:dist": [file("test/dist/b.test.ts", [], "Cannot find module"), file("test/dist/c.test.ts", [passed])],
      "test:fault": [file("test/fault/d.test.ts", [passed])],
    },
    ["test=1", "test:dist=1", "test:fault=124", "test:peers=137"],
  );
  expect(exitCode).toBe(1);
  expect(lines.slice(lines.indexOf("Failed"))).toEqual([
    "Failed",
    "test test/a.unit.test.ts > a thing fails",
    "  | Error: no",
    "  | ::error::x",
    "",
    "test test/a.unit.test.ts > another",
    ...Array.from({ length: 10 }, (_, line) => `  | line ${String(line)}`),
    "",
    "test:dist test/dist/b.test.ts, outside of its tests",
    "  | Cannot find module",
    "",
    "test:fault ended with 124, although no test failed",
    "",
    "test:peers ended with 137 and left no report",
    "",
    "3 passed, 5 failed, 0 skipped",
  ]);
});

test("the tally names twenty failures and counts the others", { tags: "slow" }, async () => {
  const tests = Array.from({ length: 25 }, (_, index) => failed(`number ${String(index)}`, "no"));
  const { lines } = await tally({ test: [file("test/a.unit.test.ts", tests)] }, ["test=1"]);
  expect(lines.filter((line) => line.startsWith("test test/a.unit.test.ts > number"))).toHaveLength(20);
  expect(lines).toContainEqual(expect.stringMatching(/^5 more/));
});

test("the tally of a good run says nothing of failures", { tags: "slow" }, async () => {
  const { exitCode, lines } = await tally({ test: [file("test/a.unit.test.ts", [passed])] }, ["test=0"]);
  expect(exitCode).toBe(0);
  expect(lines).not.toContain("Failed");
  expect(lines.at(-1)).toBe("1 passed, 0 failed, 0 skipped");
});

test("the tally takes a test for skipped that no tier has run", async () => {
  const of = (fullName: string, status: string) => ({ status, fullName, failureMessages: [] });
  const { lines } = await tally(
    {
      test: [file("test/a.unit.test.ts", [passed, of("large", "skipped"), of("without Docker", "skipped")])],
      "test:slow": [file("test/a.unit.test.ts", [of("a passed test", "skipped"), of("large", "passed")])],
      "test:peers": [file("test/b.peers.test.ts", [of("large", "skipped")])],
    },
    ["test=0", "test:slow=0", "test:peers=0"],
  );
  expect(lines.slice(0, 3)).toEqual([
    "test           1 passed, 0 failed, 1 skipped.",
    "test:slow      1 passed, 0 failed, 0 skipped.",
    "test:peers     0 passed, 0 failed, 1 skipped.",
  ]);
  expect(lines.at(-1)).toBe("2 passed, 0 failed, 2 skipped");
});
