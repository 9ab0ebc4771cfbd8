import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { EvaluationCase } from "../../src/scoring/dataset.ts";
import type { Trial } from "../../src/scoring/trial.ts";
import { Journal, type JournalRequest } from "../../src/evaluation/journal.ts";

const caseOf = (id: string): EvaluationCase => ({
  id,
  digest: "0",
  row: {},
  inputs: {},
  expected: undefined,
  turns: [{}],
  cluster: undefined,
});
const trialOf = (id: string, attempt = 1): Trial => ({ case: caseOf(id), repetition: 0, attempt });

/** Opens journals beside the same results, one after the other. */
function place() {
  const directory = mkdtempSync(join(tmpdir(), "graph-deploy-journal-"));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  const resultsPath = join(directory, "out", "results.jsonl");
  return {
    path: `${resultsPath}.journal`,
    open: (more: Partial<JournalRequest> = {}) =>
      new Journal({ resultsPath, digest: "d", nonce: undefined, resume: true, keepsEnded: true, ...more }),
  };
}

test("a journal gives back the row of each trial, and its last one where it was asked again", () => {
  const { open } = place();
  using journal = open();
  journal.end(trialOf("a"), "timeout", { answer: "none" }, false);
  journal.end(trialOf("é\u2028"), "answered", { answer: "one\n\u{1f600}" }, true);
  journal.end(trialOf("a", 2), "answered", { answer: 12_345 }, true);
  const rows = ["a", "é\u2028"].map((id) => {
    const ended = journal.ended(id, 0);
    return ended && [ended.attempt, ended.outcome, journal.row(ended)];
  });
  expect(rows).toEqual([
    [2, "answered", { answer: 12_345 }],
    [1, "answered", { answer: "one\n\u{1f600}" }],
  ]);
  expect(journal.ended("a", 1)).toBeUndefined();
});

describe("a journal whose process was killed", () => {
  test("is taken up with all that it knew, as the same evaluation", () => {
    const { open } = place();
    const first = open();
    first.begin(trialOf("a"));
    first.end(trialOf("a"), "answered", { answer: 1 }, true);
    first.end(trialOf("b"), "timeout", {}, false);
    first[Symbol.dispose]();
    using second = open({ nonce: "of another run", keepsEnded: false });
    expect([second.evaluation, second.aside, second.isResumed]).toEqual([first.evaluation, "", true]);
    const ended = second.ended("a", 0);
    expect(ended && second.row(ended)).toEqual({ answer: 1 });
    expect(second.ended("b", 0)).toMatchObject({ outcome: "timeout", left: "" });
  });

  test("drops the line that was being written, wherever it was cut, and goes on behind the one before", () => {
    const { path, open } = place();
    const first = open();
    first.end(trialOf("a"), "answered", { answer: "é" }, true);
    const { length } = readFileSync(path);
    first.end(trialOf("b"), "answered", { answer: "é" }, true);
    first[Symbol.dispose]();
    const whole = readFileSync(path);
    for (let end = length; end < whole.length; end++) {
      writeFileSync(path, whole.subarray(0, end));
      const second = open();
      expect(second.ended("b", 0)).toBeUndefined();
      second.end(trialOf("c"), "answered", { answer: end }, true);
      second[Symbol.dispose]();
      using third = open();
      const [kept, added] = [third.ended("a", 0), third.ended("c", 0)];
      expect([kept && third.row(kept), added && third.row(added)]).toEqual([{ answer: "é" }, { answer: end }]);
    }
  });

  test("is put aside if not even its first line was written", () => {
    const { path, open } = place();
    open()[Symbol.dispose]();
    truncateSync(path, 5);
    using second = open();
    expect([second.aside, readFileSync(second.aside).length, second.isResumed]).toEqual([`${path}.aside`, 5, false]);
  });

  test("asks what was cancelled again, also if it was killed before it wrote that it was over", () => {
    const { open } = place();
    const first = open();
    first.end(trialOf("a", 3), "cancelled", {}, false);
    first[Symbol.dispose]();
    using second = open();
    expect(second.ended("a", 0)).toMatchObject({ attempt: 3, left: "ask" });
  });
});

test("an answer that was not scored to the end is to be scored, over or not", () => {
  const { open } = place();
  const first = open();
  first.end(trialOf("a"), "answered", { actual_outputs: { state: {} } }, false);
  first[Symbol.dispose]();
  const second = open();
  expect(second.ended("a", 0)).toMatchObject({ attempt: 1, left: "score" });
  second.close(false);
  second[Symbol.dispose]();
  using third = open();
  expect(third.ended("a", 0)).toMatchObject({ attempt: 1, left: "score" });
});

test("an answer that was not scored is asked again where its state is not there, which scorers look at", () => {
  const { open } = place();
  const first = open();
  first.end(trialOf("a"), "answered", { actual_outputs: { output: "Answer" } }, false);
  first[Symbol.dispose]();
  using second = open();
  expect(second.ended("a", 0)).toMatchObject({ attempt: 1, left: "ask" });
});

describe("a journal that is over", () => {
  const over = (isFinished: boolean) => {
    const { open } = place();
    using first = open({ nonce: "workflow 7" });
    first.end(trialOf("a"), "answered", {}, true);
    first.end(trialOf("b"), "unreachable", {}, false);
    first.close(isFinished);
    return { open, evaluation: first.evaluation };
  };

  test("is put aside once it is finished, except by its own nonce", () => {
    const { open, evaluation } = over(true);
    const same = open({ nonce: "workflow 7" });
    same[Symbol.dispose]();
    expect([same.aside, same.evaluation]).toEqual(["", evaluation]);
    using other = open({ nonce: "workflow 8" });
    expect(other.aside).not.toBe("");
    expect(other.ended("a", 0)).toBeUndefined();
  });

  test("is put aside once it is finished, if no nonce is given", () => {
    using other = over(true).open();
    expect(other.aside).not.toBe("");
  });

  test("is put aside where what has ended is not kept, finished or not", () => {
    for (const isFinished of [false, true]) {
      using other = over(isFinished).open({ keepsEnded: false });
      expect([other.aside === "", other.ended("a", 0)]).toEqual([false, undefined]);
    }
  });

  test("keeps what is settled and asks the rest again, if it is not finished", () => {
    const { open } = over(false);
    const second = open();
    expect([second.ended("a", 0)?.left, second.ended("b", 0)?.left]).toEqual(["", "ask"]);
    second.end(trialOf("b", 2), "unreachable", {}, false);
    second[Symbol.dispose]();
    using third = open();
    expect(third.ended("b", 0)).toMatchObject({ attempt: 2, left: "" });
  });
});

test.each([
  ["of another digest", { digest: "e" }],
  ["that is not to be taken up", { resume: false }],
])("a journal %s is put aside", (_what, more) => {
  const { path, open } = place();
  const first = open();
  first.end(trialOf("a"), "answered", {}, true);
  first[Symbol.dispose]();
  using second = open(more);
  expect([second.aside, second.ended("a", 0)]).toEqual([`${path}.aside`, undefined]);
  expect(second.evaluation).not.toBe(first.evaluation);
});

test("a file that is no journal is put aside", () => {
  const { path, open } = place();
  open()[Symbol.dispose]();
  appendFileSync(path, Buffer.from([0xff, 0x0a]));
  using journal = open({ digest: "e" });
  expect(journal.aside).toBe(`${path}.aside`);
});

test("a journal whose lines another process took away says so", () => {
  const { path, open } = place();
  using journal = open();
  journal.end(trialOf("a"), "answered", { answer: 1 }, true);
  const ended = journal.ended("a", 0);
  writeFileSync(path, "");
  expect(() => ended && journal.row(ended)).toThrow(expect.objectContaining({ code: "EVALUATION_JOURNAL", path }));
});

test("a journal that cannot be written says so, with its path", () => {
  const { path, open } = place();
  writeFileSync(join(path, "../../out"), "a file, no directory");
  expect(() => open()).toThrow(
    expect.objectContaining({ code: "EVALUATION_JOURNAL", path, message: expect.stringContaining("(EEXIST)") }),
  );
});
