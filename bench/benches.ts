import type { Bench } from "./options.ts";

/** All benches by name. Each is loaded when it is asked for: together they load half of what is installed. */
export const BENCHES: ReadonlyMap<string, () => Promise<Bench>> = new Map(
  Object.entries({
    archive: async () => (await import("./archive.ts")).archive,
    "comment-races": async () => (await import("./comment-races.ts")).races,
    "preview-races": async () => (await import("./preview-races.ts")).previews,
    polling: async () => (await import("./polling.ts")).polling,
    evaluate: async () => (await import("./evaluate.ts")).evaluate,
    experiments: async () => (await import("./experiments.ts")).experiments,
    import: async () => (await import("./import.ts")).imports,
    judge: async () => (await import("./judge.ts")).judge,
    "judge-errors": async () => (await import("./judge-error-run.ts")).judgeErrors,
    pulumi: async () => (await import("./pulumi.ts")).pulumi,
    "pulumi-kills": async () => (await import("./pulumi-kills.ts")).kills,
    "results-tables": async () => (await import("./results-tables.ts")).resultTables,
    start: async () => (await import("./start.ts")).start,
    tracing: async () => (await import("./tracing.ts")).tracing,
    unchanged: async () => (await import("./unchanged.ts")).unchanged,
    upload: async () => (await import("./upload.ts")).upload,
  }),
);
