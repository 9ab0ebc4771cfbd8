import type { Reporter, TestModule } from "vitest/node";
import { projectRoot } from "./command.ts";
import { relative } from "node:path";

const SHOWN = 10;

/** A file of tests and how long it took. */
export interface TimedFile {
  readonly file: string;
  readonly milliseconds: number;
}

/** The ten files that took the longest, a line each. */
export function slowestLines(files: readonly TimedFile[]): readonly string[] {
  const slowest = files.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SHOWN);
  return slowest.map(({ file, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${file}`);
}

/** A reporter of vitest that ends a run of more than ten files with the slowest of them. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const files = modules.map((module) => ({
      file: relative(projectRoot, module.moduleId).replaceAll("\\", "/"),
      milliseconds: module.diagnostic().duration,
    }));
    console.log(["", "Slowest files", ...slowestLines(files)].join("\n"));
  }
}
