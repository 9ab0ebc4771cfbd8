import { link, mkdtemp, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getActiveResourcesInfo } from "node:process";
import { expect, test } from "vitest";
import { sameFiles } from "../../src/files/same-files.ts";

test("files are the same by their path, or as links of one file, and not by their content", async () => {
  const directory = await mkdtemp(join(tmpdir(), "same-files-"));
  const file = (name: string) => ({ name, path: join(directory, name) });
  for (const name of ["a", "equal", "other"]) await writeFile(file(name).path, name === "other" ? "x" : "a");
  await link(file("a").path, file("linked").path);
  const files = ["a", "linked", "equal", "other"].map(file);
  expect((await sameFiles(files, [file("a")])).map(({ name }) => name)).toEqual(["a", "linked"]);
  expect(await sameFiles(files, [])).toEqual([]);
  expect(await sameFiles([], files)).toEqual([]);
});

test("a file that is gone is the same by its path alone", async () => {
  const directory = await mkdtemp(join(tmpdir(), "same-files-"));
  const [gone, here] = ["gone", "here"].map((name) => ({ name, path: join(directory, name) }));
  if (gone === undefined || here === undefined) throw new Error("two files");
  await writeFile(gone.path, "");
  await rename(gone.path, here.path);
  expect(await sameFiles([gone, here], [gone])).toEqual([gone]);
});

test("few of many files are looked at together: a run may have ten thousand", async () => {
  const files = Array.from({ length: 500 }, (_, index) => ({
    name: String(index),
    path: join(tmpdir(), String(index)),
  }));
  const looks = () => getActiveResourcesInfo().filter((resource) => resource === "FSReqPromise").length;
  const same = sameFiles(files, files);
  expect(looks()).toBeLessThan(20);
  expect(await same).toEqual(files);
});
