import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { dryRunUpload, ResultsError, type Mapping } from "../../../src/experiments/index.ts";
import { systemClock } from "../../../src/http/clock.ts";
import { REQUEST } from "../request.ts";
import type { WrittenTable } from "./write-table.ts";

const Row = z.looseObject({
  row_id: z.string().optional(),
  inputs: z.unknown().optional(),
  actual_outputs: z.unknown().optional(),
  expected_outputs: z.unknown().optional(),
  start_time: z.string(),
  end_time: z.string(),
  evaluation_scores: z.array(z.looseObject({ key: z.string(), score: z.unknown() })).default([]),
  run_metadata: z.looseObject({}).default({}),
});
const Body = z.looseObject({ results: z.array(Row) });

/** A row as it would be sent. */
export type SentRow = z.infer<typeof Row>;

/** How a file was read: its rows, or the error. */
export interface TableReading {
  readonly rows: readonly SentRow[];
  readonly warnings: readonly string[];
  readonly error: string | undefined;
  /** Proposed beside the error. */
  readonly mapping: readonly string[] | undefined;
}

/** Reads a file as an upload does that sends nothing. */
export async function readTable(
  { name, text }: Pick<WrittenTable, "name" | "text">,
  mapping?: Mapping,
): Promise<TableReading> {
  const workspace = await mkdtemp(join(tmpdir(), "graph-deploy-table-"));
  const warnings: string[] = [];
  try {
    const path = join(workspace, name);
    await writeFile(path, text);
    const results = { files: [{ path, name }], format: undefined, mapping, workspace };
    const [request = ""] = await dryRunUpload(
      { ...REQUEST, results },
      {
        spoolDirectory: workspace,
        requestDirectory: workspace,
        clock: systemClock,
        signal: new AbortController().signal,
        emit: (event) => {
          if (event.type === "warning") warnings.push(event.message);
        },
      },
    );
    const { results: rows } = Body.parse(JSON.parse(await readFile(request, "utf8")));
    return { rows, warnings, error: undefined, mapping: undefined };
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    return { rows: [], warnings, error: error.message, mapping: error.mapping };
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
