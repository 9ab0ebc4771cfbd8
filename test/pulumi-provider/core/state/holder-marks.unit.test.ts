import { chmodSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HolderMarks, MOST_MARKS } from "../../../../pulumi-provider/core/state/holder-marks.ts";
import { temporaryFolder } from "../../../source/temporary-tree.ts";

const ID = "0d5e6b1c-1111-4222-8333-444455556666";
const OLD = { key: "old", name: "billing" };
const NEW = { key: "new", name: "billing", urn: "urn:pulumi:dev::agents::graph-deploy:index:Deployment::invoices" };

/** What the processes of a machine share. */
function machine() {
  const directory = join(temporaryFolder(), "journal");
  const process_ = (engine: string | undefined, programDirectory = "/program") =>
    new HolderMarks({ directory, owner: process.getuid?.(), engine, programDirectory, process });
  const files = () => readdirSync(directory).map((name) => join(directory, name));
  return { directory, process: process_, files };
}

const old = new Date(Date.now() - 25 * 60 * 60_000);

test("what one process of a run has noted, the others of the run see, and no later run", () => {
  const own = machine();
  own.process("127.0.0.1:1").note(ID, NEW);
  expect(own.process("127.0.0.1:1").others(ID.toUpperCase(), OLD.key)).toMatchObject([
    { isLasting: false, isAlive: true },
  ]);
  expect(own.process("127.0.0.1:1").others(ID, NEW.key)).toEqual([]);
  expect(own.process("127.0.0.1:1").others(`${ID}0`, OLD.key)).toEqual([]);
  expect(own.process("127.0.0.1:2").others(ID, OLD.key)).toEqual([]);
  expect(own.process(undefined).others(ID, OLD.key)).toEqual([]);
});

test("the mark of what was adopted lasts beyond the run, and says whose it is", () => {
  const own = machine();
  const first = own.process("127.0.0.1:1");
  first.note(ID, NEW);
  first.keep(ID, NEW);
  first.end();
  const [file = ""] = own.files();
  expect(own.files()).toHaveLength(1);
  expect(own.process("127.0.0.1:2").others(ID, OLD.key)).toEqual([
    { file, isLasting: true, isAlive: true, urn: NEW.urn, program: "/program" },
  ]);
  own.process("127.0.0.1:3").release(ID, NEW.key);
  expect(own.files()).toEqual([]);
});

test("a mark that a run left which was killed is replaced by that of the same resource", () => {
  const own = machine();
  own.process("127.0.0.1:1").keep(ID, { ...NEW, key: "killed" });
  const [file = ""] = own.files();
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), pid: 2 ** 30 }));
  own.process("127.0.0.1:2", "/elsewhere").keep(ID, { ...NEW, key: "elsewhere" });
  expect(own.files()).toHaveLength(2);
  own.process("127.0.0.1:3").keep(ID, NEW);
  expect(own.process("127.0.0.1:4").others(ID, NEW.key)).toMatchObject([{ program: "/elsewhere" }]);
});

test("who made a deployment has left it as long as the process runs that says so", () => {
  const own = machine();
  const leaving = own.process("127.0.0.1:1");
  leaving.noteLeft(ID, OLD.key);
  expect(own.process("127.0.0.1:1").isLeft(ID)).toBe(true);
  expect(own.process("127.0.0.1:2").isLeft(ID)).toBe(false);
  const [file = ""] = own.files();
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), pid: 2 ** 30 }));
  expect(own.process("127.0.0.1:1").isLeft(ID)).toBe(false);
  leaving.forgetLeft(ID, OLD.key);
  expect(own.files()).toEqual([]);
});

test.each(["", "{", "null", '{"pid":', "x".repeat(20_000)])(
  "a mark that is torn still shows that there is one: %#",
  (text) => {
    const own = machine();
    own.process("127.0.0.1:1").keep(ID, NEW);
    const [file = ""] = own.files();
    writeFileSync(file, text);
    expect(own.process("127.0.0.1:2").others(ID, OLD.key)).toEqual([
      { file, isLasting: true, isAlive: false, urn: undefined, program: undefined },
    ]);
  },
);

test("what killed writers left is no mark, and goes after a day, as the marks of their runs do", () => {
  const own = machine();
  const first = own.process("127.0.0.1:1");
  first.note(ID, OLD);
  first.keep(ID, NEW);
  const [mark = ""] = own.files();
  writeFileSync(`${mark}.5f0e.draft`, "{");
  writeFileSync(join(own.directory, "notes.json"), "{}");
  expect(own.process("127.0.0.1:1").others(ID, "third")).toHaveLength(2);
  for (const file of own.files()) utimesSync(file, old, old);
  // A run that is as old as that is over, wherever its port went.
  expect(own.process("127.0.0.1:1").others(ID, OLD.key)).toMatchObject([{ isLasting: true }]);
  const later = own.process("127.0.0.1:2");
  later.note(ID, { key: "third" });
  const kinds = own.files().map((file) => file.replace(/^.*\//, "").replaceAll(/[\da-f]{24}/g, "*"));
  expect(kinds.sort()).toEqual(["held.*.*.*.json", "held.*.*.lasting.json", "notes.json"]);
});

test("there are never more marks than the bound for long, and the oldest go first", { tags: "slow" }, () => {
  const own = machine();
  const first = own.process("127.0.0.1:1");
  first.keep(ID, OLD);
  const [oldest = ""] = own.files();
  utimesSync(oldest, old, old);
  const template = oldest.replace(/[\da-f]{24}\.lasting\.json$/, "");
  for (let at = 0; at < MOST_MARKS; at += 1)
    writeFileSync(`${template}${at.toString(16).padStart(24, "0")}.lasting.json`, "");
  own.process("127.0.0.1:2").keep(ID, NEW);
  expect(own.files()).toHaveLength(MOST_MARKS + 1);
  expect(own.files()).not.toContain(oldest);
});

test("where nothing can be written, it says so, and a directory that others can write to shows nothing", () => {
  const own = machine();
  own.process("127.0.0.1:1").keep(ID, NEW);
  chmodSync(own.directory, 0o777);
  const unsafe = own.process("127.0.0.1:1");
  expect(unsafe.others(ID, OLD.key)).toEqual([]);
  expect(unsafe.note(ID, OLD)).toBe(false);
  expect(unsafe.keep(ID, OLD)).toBe(false);
  const nowhere = new HolderMarks({
    directory: "/dev/null/journal",
    owner: undefined,
    engine: "e",
    programDirectory: "/",
    process,
  });
  expect(nowhere.note(ID, OLD)).toBe(false);
  expect(nowhere.isLeft(ID)).toBe(false);
});
