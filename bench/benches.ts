import { archive } from "./archive.ts";
import { races } from "./comment-races.ts";
import { evaluate } from "./evaluate.ts";
import { experiments } from "./experiments.ts";
import { imports } from "./import.ts";
import { judge } from "./judge.ts";
import { judgeErrors } from "./judge-error-run.ts";
import type { Bench } from "./options.ts";
import { polling } from "./polling.ts";
import { previews } from "./preview-races.ts";
import { kills } from "./pulumi-kills.ts";
import { pulumi } from "./pulumi.ts";
import { resultTables } from "./results-tables.ts";
import { start } from "./start.ts";
import { tracing } from "./tracing.ts";
import { unchanged } from "./unchanged.ts";
import { upload } from "./upload.ts";

/** All benches by name. */
export const BENCHES: ReadonlyMap<string, Bench> = new Map(
  Object.entries({
    archive,
    "comment-races": races,
    "preview-races": previews,
    polling,
    evaluate,
    experiments,
    import: imports,
    judge,
    "judge-errors": judgeErrors,
    pulumi,
    "pulumi-kills": kills,
    "results-tables": resultTables,
    start,
    tracing,
    unchanged,
    upload,
  }),
);
