import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { projectRoot } from "../../scripts/command.ts";

const names = z.record(z.string(), z.string());
const entry = z.looseObject({
  version: z.string().optional(),
  integrity: z.string().optional(),
  dev: z.boolean().optional(),
  dependencies: names.optional(),
  optionalDependencies: names.optional(),
  peerDependencies: names.optional(),
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).optional(),
});
const lockFile = z.object({ packages: z.record(z.string(), entry) });
const manifestFile = z.object({ overrides: names.default({}) });

/** What a lock says of one package. */
export type LockedPackage = z.infer<typeof entry>;

/** The project's own lock: paths such as `node_modules/zod` to what is installed there. */
export class LockedPackages {
  /** What the lock says of the project itself. */
  readonly own: LockedPackage;
  /** The project's overrides, which a project with the same packages needs too. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly #packages: ReadonlyMap<string, LockedPackage>;

  private constructor(packages: ReadonlyMap<string, LockedPackage>, overrides: Readonly<Record<string, string>>) {
    this.own = packages.get("") ?? {};
    this.#packages = packages;
    // `$undici` is the project's own undici.
    const resolve = (to: string) =>
      to.startsWith("$") ? (packages.get(`node_modules/${to.slice(1)}`)?.version ?? to) : to;
    this.overrides = Object.fromEntries(Object.entries(overrides).map(([name, to]) => [name, resolve(to)]));
  }

  static async read(): Promise<LockedPackages> {
    const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(join(projectRoot, file), "utf8"));
    const { packages } = lockFile.parse(await read("package-lock.json"));
    const { overrides } = manifestFile.parse(await read("package.json"));
    return new LockedPackages(new Map(Object.entries(packages)), overrides);
  }

  /** The entries that these packages of the top level need, theirs among them; nothing in it is for development only. */
  closureOf(roots: readonly string[]): Readonly<Record<string, LockedPackage>> {
    const found = new Map<string, LockedPackage>();
    const waiting = roots.map((name) => this.#find("", name));
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const from = path;
      const locked = this.#packages.get(from);
      if (locked === undefined || found.has(from)) continue;
      // The marks say what a package is for in this project.
      const { dev: _dev, devOptional: _devOptional, peer: _peer, ...kept } = locked;
      found.set(from, kept);
      waiting.push(...needsOf(locked).map((name) => this.#find(from, name)));
    }
    return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Where Node finds a package from another one; "" where the lock has none, as for a peer that nobody has to have. */
  #find(from: string, name: string): string {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
      const path = `${at}${at === "" ? "" : "/"}node_modules/${name}`;
      if (this.#packages.has(path)) return path;
      if (at === "") return "";
    }
  }
}

function needsOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockedPackage) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}
