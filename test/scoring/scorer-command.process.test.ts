import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/files/json/value.ts";
import { systemClock } from "../../src/http/clock.ts";
import { Redactor } from "../../src/http/redactor.ts";
import { answered, scoreOf, scoring } from "./scoring.ts";

let workspace = "";
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), "scorer-"));
});
afterEach(async () => {
  await rm(workspace, { recursive: true });
});

const NODE = { PATH: process.env["PATH"], NODE: process.execPath };

/** A command that runs this program, which has the text of each row as `line`, and what it holds as `row`. */
async function judging(eachRow: string, options: JsonObject = {}): Promise<JsonObject> {
  const program = `
    const say = (value) => console.log(typeof value === "string" ? value : JSON.stringify(value));
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const row = JSON.parse(line);
      const score = (score, comment) => say({ id: row.id, scores: [{ key: "it", score, comment }] });
      ${eachRow}
    });`;
  await writeFile(join(workspace, "judge.cjs"), program);
  return { command: '"$NODE" judge.cjs', env: ["NODE"], ...options };
}

const deps = (more: object = {}) => ({ workspace, env: NODE, ...more });

test("a command gets what is known of a trial, and its score and comment are taken", async () => {
  const definition = await judging("score(row.tokens === undefined ? 1 : 0, line);");
  const row = answered({
    row: { answer: "a" },
    output: "b",
    state: { messages: [] },
    toolCalls: [{ name: "search", args: { q: 1 } }],
    runMilliseconds: 12,
  });
  const score = await scoreOf(definition, row, deps());
  expect(score).toMatchObject({ key: "it", score: 1 });
  expect(JSON.parse("comment" in score ? (score.comment ?? "") : "")).toEqual({
    id: "case-1/0",
    row: { answer: "a" },
    output: "b",
    state: { messages: [] },
    tool_calls: [{ name: "search", args: { q: 1 } }],
    run_ms: 12,
  });
});

test("one process scores all rows, and answers in any order", async () => {
  const definition = await judging(
    `(globalThis.rows ??= []).push(row);
     if (rows.length === 3) for (const { id, output } of rows.reverse())
       say({ id, scores: [{ key: "it", score: output / 10, comment: String(process.pid) }] });`,
  );
  await using scorers = scoring({ it: definition }, deps());
  const all = await Promise.all([1, 2, 3].map(async (output) => scorers.score(answered({ id: `${output}`, output }))));
  expect(all.flat().map((score) => "score" in score && score.score)).toEqual([0.1, 0.2, 0.3]);
  expect(new Set(all.flat().map((score) => "score" in score && score.comment)).size).toBe(1);
});

test("a command may give several scores, each of them or a reason", async () => {
  const definition = await judging(
    `say({ id: row.id, scores: [{ key: "tone", score: 0.5 }, { key: "taste", score: null, comment: "no taste" }] });`,
    { keys: ["taste", "tone", "touch"] },
  );
  await using scorers = scoring({ it: definition }, deps());
  await expect(scorers.score(answered())).resolves.toEqual([
    { key: "taste", missing: "no taste", isBroken: false },
    { key: "tone", score: 0.5 },
    { key: "touch", missing: "the command gave nothing in place of a number from 0 to 1", isBroken: true },
  ]);
});

test.for([
  ["score(1.01);", 'the command gave "1.01" in place of a number from 0 to 1'],
  ['score("1");', String.raw`the command gave "\"1\"" in place of a number from 0 to 1`],
  ["score(true);", 'the command gave "true" in place of a number from 0 to 1'],
  ["say({ id: row.id });", "the command gave nothing in place of a number from 0 to 1"],
  ['say("debug");', 'the command wrote a line that answers no row: "debug"'],
  ['say({ id: "other" });', String.raw`the command wrote a line that answers no row: "{\"id\":\"other\"}"`],
  ['process.stdout.write("x".repeat(1_100_000));', "the command wrote a line of more than 1 MB"],
  ["process.exit(0);", "the command ended with exit code 0"],
  ['console.error("one\\ntwo"); process.exit(3);', "the command ended with exit code 3: one: two"],
  ["process.kill(process.pid, 'SIGKILL');", /^the command (was ended by SIGKILL|ended with exit code 137)/],
] as const)("a command is broken that does this: %s", async ([eachRow, reason]) => {
  const score = await scoreOf(await judging(eachRow), answered(), deps());
  const missing = typeof reason === "string" ? reason : expect.stringMatching(reason);
  expect(score).toEqual({ key: "it", missing, isBroken: true });
});

test("a command that cannot be started is broken, and so are all rows after it", async () => {
  await using scorers = scoring({ it: { command: "no-such-judge" } }, deps());
  const first = await scorers.score(answered());
  expect(first).toEqual([{ key: "it", missing: expect.stringContaining("exit code 127"), isBroken: true }]);
  await expect(scorers.score(answered({ id: "case-2/0" }))).resolves.toEqual(first);
});

test("a command that is silent for longer than it may is broken, and ends with its children", async () => {
  const definition = await judging(
    `require("node:child_process").spawn("sleep", ["1000"], { stdio: "inherit" }).once("spawn", function () {
       require("node:fs").writeFileSync("child", String(this.pid));
     });`,
    { timeout: "90s" },
  );
  const alarms: { milliseconds: number; ring: () => void }[] = [];
  const alarm = (milliseconds: number, ring: () => void) => {
    alarms.push({ milliseconds, ring });
    return () => undefined;
  };
  await using scorers = scoring({ it: definition }, deps({ clock: { ...systemClock, alarm } }));
  const waiting = scorers.score(answered());
  const childId = async () => readFile(join(workspace, "child"), "utf8").catch(() => "");
  await expect.poll(childId).not.toBe("");
  expect(alarms.map(({ milliseconds }) => milliseconds)).toEqual([90_000]);
  alarms[0]?.ring();
  await expect(waiting).resolves.toEqual([
    { key: "it", missing: "the command gave no answer for 90 s", isBroken: true },
  ]);
  const child = Number(await childId());
  await expect.poll(() => isRunning(child)).toBe(false);
});

test("what a command leaves running ends with the evaluation", async () => {
  const definition = await judging(
    `require("node:child_process").spawn("sleep", ["1000"], { stdio: "ignore" }).once("spawn", function () {
       score(1, String(this.pid));
     });`,
  );
  const score = await scoreOf(definition, answered(), deps());
  const child = Number("comment" in score ? score.comment : "");
  expect(child).toBeGreaterThan(0);
  await expect.poll(() => isRunning(child)).toBe(false);
});

test("a command that is cancelled ends with its children and theirs", async () => {
  const definition = await judging(
    `require("node:child_process").spawn("sleep 1000 & echo $! > child; wait", { shell: true, stdio: "inherit" });`,
  );
  const cancel = new AbortController();
  await using scorers = scoring({ it: definition }, deps({ signal: cancel.signal }));
  const waiting = scorers.score(answered());
  const childId = async () => Number(await readFile(join(workspace, "child"), "utf8").catch(() => ""));
  await expect.poll(childId).toBeGreaterThan(0);
  const child = await childId();
  expect(isRunning(child)).toBe(true);
  cancel.abort();
  await waiting;
  await expect.poll(() => isRunning(child)).toBe(false);
});

test("a row that waits when the evaluation is cancelled has no score, and neither has one after it", async () => {
  const cancel = new AbortController();
  await using scorers = scoring({ it: await judging("") }, deps({ signal: cancel.signal }));
  const waiting = scorers.score(answered());
  cancel.abort();
  const cancelled = [{ key: "it", missing: "the evaluation was cancelled", isBroken: true }];
  await expect(waiting).resolves.toEqual(cancelled);
  await expect(scorers.score(answered({ id: "case-2/0" }))).resolves.toEqual(cancelled);
});

test("a command has PATH, HOME and the variables that it names, and no other", async () => {
  const definition = await judging("score(1, Object.keys(process.env).join());", { env: ["NODE", "JUDGE", "UNSET"] });
  const env = { ...NODE, HOME: workspace, JUDGE: "judge's key", OTHER: "other" };
  const score = await scoreOf(definition, answered(), deps({ env }));
  // PWD and the like are set by the shell.
  const names = "comment" in score ? (score.comment ?? "").split(",") : [];
  expect(names.filter((name) => name in env || name === "UNSET").sort()).toEqual(["HOME", "JUDGE", "NODE", "PATH"]);
  expect(names.filter((name) => !(name in env) && !["PWD", "OLDPWD", "SHLVL", "_"].includes(name))).toEqual([]);
});

test("no secret that a command says is in a comment or a reason", async () => {
  const env = { ...NODE, JUDGE: "key-of-the-judge" };
  const redact = (text: string) => text.replaceAll("key-of-the-agent", "***");
  for (const say of [
    'score(1, "SECRET")',
    'score("SECRET")',
    "say('SECRET')",
    "console.error('SECRET'), process.exit(1)",
  ]) {
    for (const secret of ["key-of-the-judge", "key-of-the-agent"]) {
      const definition = await judging(say.replace("SECRET", secret), { env: ["NODE", "JUDGE"] });
      const score = await scoreOf(definition, answered(), deps({ env, redact }));
      expect(JSON.stringify(score)).toContain("***");
      expect(JSON.stringify(score)).not.toContain(secret);
    }
  }
});

test.for([
  ["key-of-the-agent", "key-of-the-agent"],
  ["key-of-the-agent", "Bearer key-of-the-agent"],
  ["key-of-the-agent", "https://me:key-of-the-agent@judge.example"],
  ["key", "key"],
] as const)("a command never gets the agent's key %s, whatever the variable is named: %s", async ([key, value]) => {
  const definition = await judging("score(1);", { env: ["NODE", "MINE"] });
  const redactor = new Redactor();
  redactor.add(key);
  const isSecret = (text: string) => redactor.holds(text);
  await using scorers = scoring({ it: definition }, deps({ env: { ...NODE, MINE: value }, isSecret }));
  const reason = "its variable MINE holds a secret of the evaluation itself";
  await expect(scorers.digest()).rejects.toMatchObject({
    code: "SCORER",
    message: `The scorer "it" cannot be used: ${reason}.`,
  });
  await expect(scorers.score(answered())).resolves.toEqual([{ key: "it", missing: reason, isBroken: true }]);
});

test("the digest changes with the program of a command and the file of a schema", async () => {
  const definitions = { it: await judging("score(1);"), shape: { "json-schema": "schema.json" } };
  await writeFile(join(workspace, "schema.json"), '{"type":"object"}');
  const digests = [await scoring(definitions, deps()).digest()];
  await judging("score(0);");
  digests.push(await scoring(definitions, deps()).digest());
  await writeFile(join(workspace, "schema.json"), '{"type":"array"}');
  digests.push(await scoring(definitions, deps()).digest(), await scoring(definitions, deps()).digest());
  expect(new Set(digests).size).toBe(3);
  expect(digests[3]).toBe(digests[2]);
});

test.for<[string, RegExp]>([
  ["absent.json", /"absent\.json" cannot be read \(ENOENT\)/],
  ["../schema.json", /"\.\.\/schema\.json" is outside of the workspace/],
  ["text.json", /the schema is not a JSON object/],
  ["wrong.json", /type must be/],
])("a schema that cannot be used is an error before the first run: %s", async ([file, reason]) => {
  await writeFile(join(workspace, "text.json"), "text");
  await writeFile(join(workspace, "wrong.json"), '{"type":"texts"}');
  const unusable = scoring({ shape: { "json-schema": file } }, deps());
  await expect(unusable.digest()).rejects.toMatchObject({
    code: "SCORER",
    message: expect.stringMatching(new RegExp(`^The scorer "shape" cannot be used: .*${reason.source}`)),
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
