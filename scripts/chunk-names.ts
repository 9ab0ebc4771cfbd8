import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

const Id = z.union([z.number(), z.string()]);
const Stats = z.object({
  chunks: z.array(
    z.object({
      id: Id,
      names: z.array(z.string()),
      origins: z.array(z.object({ moduleName: z.string().optional(), request: z.string().optional() })),
    }),
  ),
  modules: z.array(
    z.object({
      id: Id.nullish(),
      name: z.string(),
      size: z.number(),
      chunks: z.array(Id),
      reasons: z
        .array(
          z.object({ type: z.string().nullish(), moduleName: z.string().nullish(), userRequest: z.string().nullish() }),
        )
        .nullish(),
    }),
  ),
});
type Chunk = z.infer<typeof Stats>["chunks"][number];
type Module = z.infer<typeof Stats>["modules"][number];

/** As many as keep two modules apart, in most cases. */
const MODULE_NUMBERS = 1_000_000;
// What webpack writes before an id: `__webpack_require__.e(27)` is of a chunk, and all others are of modules.
const MODULE_KEY = /^(\/\*{3}\/ )(\d+)(?=:)/gm;
const CALL =
  /(\b__(?:nccwpck|webpack)_require__)(\.e)?((?:\.t)?(?:\.bind)?\((?:\/\*[^*]*\*\/ )?(?:__\w+__, )?)(\d+)(?=[,)])/g;
const CHUNK_ID = /(^export const ids? = \[?)(\d+)/gm;

/**
 * Gives the chunks of a bundle the names of what they hold, and its modules numbers that come from their own paths. The
 * bundler's numbers come from all that a chunk or a module is made of: one more import would change them wherever they stand.
 */
export async function nameChunks(target: string, statsFile: string): Promise<void> {
  const { chunks, modules } = Stats.parse(JSON.parse(await readFile(statsFile, "utf8")));
  const names = chunkNames(chunks, modules);
  const numbers = moduleNumbers(modules);
  const renamed = (ids: ReadonlyMap<string, string>, id: string): string => {
    const found = ids.get(id);
    if (found === undefined) throw new Error(`the statistics of the bundler do not have ${id}`);
    return found;
  };
  for (const file of (await readdir(target)).filter((name) => name.endsWith(".js"))) {
    const text = (await readFile(join(target, file), "utf8"))
      .replaceAll(MODULE_KEY, (_, before: string, id: string) => before + renamed(numbers, id))
      .replaceAll(CHUNK_ID, (_, before: string, id: string) => before + JSON.stringify(renamed(names, id)))
      .replaceAll(CALL, (_, require: string, chunk: string | undefined, open: string, id: string) =>
        chunk === undefined
          ? require + open + renamed(numbers, id)
          : require + chunk + open + JSON.stringify(renamed(names, id)),
      );
    await rm(join(target, file));
    const name = /^\d+(?=\.index\.js$)/.exec(file)?.[0];
    await writeFile(join(target, name === undefined ? file : file.replace(name, renamed(names, name))), text);
  }
}

/** The path of the module that an `import()` asks for, and of a chunk that several of them share its largest module. */
function chunkNames(chunks: readonly Chunk[], modules: readonly Module[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const { id, origins } of chunks.filter((chunk) => chunk.names.length === 0)) {
    const held = modules.filter((module) => module.chunks.includes(id));
    const isAskedFor = ({ reasons }: Module) =>
      reasons?.some(
        ({ type, moduleName, userRequest }) =>
          type === "import()" &&
          origins.some((origin) => origin.moduleName === moduleName && origin.request === userRequest),
      ) === true;
    const largest = held.toSorted((a, b) => b.size - a.size)[0];
    const name = pathName((held.find(isAskedFor) ?? largest)?.name ?? "");
    const others = taken.get(name) ?? 0;
    taken.set(name, others + 1);
    names.set(String(id), others === 0 ? name : `${name}.${String(others + 1)}`);
  }
  return names;
}

/** `src.http.retry` of `./src/http/retry.js + 3 modules`, and `yaml` of what is in that package. */
function pathName(name: string): string {
  const [path = ""] = name.split(" ");
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return (inPackage ?? path.replace(/^(?:\.\/)+|\.\w+$/g, "")).replaceAll("@", "").replaceAll("/", ".");
}

/** A number from the path of each module, without what was joined to it; the next free one where two have the same. */
function moduleNumbers(modules: readonly Module[]): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  const taken = new Set<number>();
  const named = modules.flatMap(({ id, name }) =>
    id === null || id === undefined ? [] : [{ id: String(id), path: name.replace(/ \+ \d+ modules$/, "") }],
  );
  for (const { id, path } of named.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    let number = createHash("sha256").update(path).digest().readUInt32BE() % MODULE_NUMBERS;
    while (taken.has(number)) number = (number + 1) % MODULE_NUMBERS;
    taken.add(number);
    numbers.set(id, String(number));
  }
  return numbers;
}
