import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nameChunks } from "../../scripts/chunk-names.ts";
import { writeFiles } from "../write-files.ts";

const asked = (moduleName: string, userRequest: string) => [{ type: "import()", moduleName, userRequest }];
const joined = "./src/work.js + 2 modules";

const STATS = {
  chunks: [
    { id: 8, names: ["main"], origins: [{ moduleName: "", request: "./main.js" }] },
    { id: 27, names: [], origins: [{ moduleName: "./main.js", request: "./work.js" }] },
    { id: 463, names: [], origins: [{ moduleName: "./main.js", request: "./work.js" }] },
    { id: 99, names: [], origins: [{ moduleName: joined, request: "@scope/kit" }] },
  ],
  modules: [
    { id: 1, name: "./main.js", size: 9, chunks: [8], reasons: [] },
    { id: 2818, name: joined, size: 5, chunks: [27], reasons: asked("./main.js", "./work.js") },
    { id: 700, name: "./src/text/words.js", size: 90, chunks: [27, 463] },
    { id: 701, name: "./src/text/long.js", size: 91, chunks: [463], reasons: asked("./other.js", "./long.js") },
    {
      id: 703,
      name: "../node_modules/@scope/kit/index.js",
      size: 1,
      chunks: [99],
      reasons: asked(joined, "@scope/kit"),
    },
    { id: null, name: "./src/inner.js", size: 1, chunks: [] },
  ],
};

const MAIN = `__nccwpck_require__.e(27).then(__nccwpck_require__.bind(__nccwpck_require__, 2818));
f(27, "2818");
`;
const WORK = `export const id = 27;
export const ids = [27];
export const modules = {

/***/ 2818:
/***/ ((module, exports, __webpack_require__) => {
var words = __webpack_require__(700);
const kit = __webpack_require__.e(/* import() */ 99).then(__webpack_require__.t.bind(__webpack_require__, 703, 23));
`;

async function named(stats: unknown, files: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> {
  const target = await mkdtemp(join(tmpdir(), "chunk-names-"));
  onTestFinished(() => rm(target, { recursive: true, force: true }));
  await writeFiles(target, { ...files, "stats.json": JSON.stringify(stats) });
  await nameChunks(target, join(target, "stats.json"));
  const names = (await readdir(target)).filter((name) => name.endsWith(".js")).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(target, name), "utf8")] as const)),
  );
}

const FILES = { "index.js": MAIN, "27.index.js": WORK, "463.index.js": "", "99.index.js": "" };

test("a chunk has the name of what is imported by it, or of its largest module, in its file and wherever it is loaded", async () => {
  const files = await named(STATS, FILES);
  expect([...files.keys()]).toEqual(["index.js", "scope.kit.index.js", "src.text.long.index.js", "src.work.index.js"]);
  expect(files.get("index.js")).toMatch(
    /^__nccwpck_require__\.e\("src\.work"\)\.then\(__nccwpck_require__\.bind\(__nccwpck_require__, \d+\)\);\nf\(27, "2818"\);\n$/,
  );
  expect(files.get("src.work.index.js")).toMatch(
    /^export const id = "src\.work";\nexport const ids = \["src\.work"\];\n/,
  );
  expect(files.get("src.work.index.js")).toContain('__webpack_require__.e(/* import() */ "scope.kit")');
});

test("a module keeps its number when one more is joined to it, and the bundler numbers all of them anew", async () => {
  const before = await named(STATS, FILES);
  const other = (text: string) =>
    text.replaceAll("2818", "55").replaceAll("2 modules", "3 modules").replaceAll("700", "56");
  const stats: unknown = JSON.parse(other(JSON.stringify(STATS)));
  const after = await named(stats, { ...FILES, "index.js": other(MAIN), "27.index.js": other(WORK) });
  expect(after.get("src.work.index.js")).toBe(before.get("src.work.index.js"));
});

test("two chunks of one module are kept apart, and an unknown number ends the build", async () => {
  const twin = { ...STATS.chunks[1], id: 28 };
  const modules = STATS.modules.map((module) => ({ ...module, chunks: [...module.chunks, 28] }));
  const files = await named({ chunks: [...STATS.chunks, twin], modules }, { "27.index.js": "", "28.index.js": "" });
  expect([...files.keys()]).toEqual(["src.work.2.index.js", "src.work.index.js"]);
  await expect(named(STATS, { "index.js": "__webpack_require__(5)" })).rejects.toThrow(/do not have 5/);
});
