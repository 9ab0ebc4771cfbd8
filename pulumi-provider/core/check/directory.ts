import { resolve } from "node:path";
import { DEFAULT_GRAPH_CONFIG } from "../../../src/contract/graph-config.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import { countOf } from "../../../src/text/number.ts";
import type { InputFault } from "../inputs/failures.ts";
import type { GivenInputs } from "./source-rules.ts";
import type { SourceLook, SourceLooks } from "./source-looks.ts";
import type { Properties } from "../state/state.ts";
import { findUnknown, type IsUnknown } from "../state/unknown-values.ts";
import { withoutFullStop } from "../../../src/text/reasons.ts";

/** What a look at the directory of a deployment needs. */
export interface DirectoryContext {
  /** Absolute; what the paths of a program are relative to. */
  readonly programDirectory: string;
  readonly sources: SourceLooks;
  readonly isUnknown: IsUnknown;
  /** Sentences for the user that stop nothing. */
  readonly log: (severity: "info" | "warning", message: string) => void;
}

/** What the directory adds to the inputs, and what keeps it from being packed. */
export interface CheckedDirectory {
  readonly filled: Properties;
  readonly faults: readonly InputFault[];
}

const NOTHING = { filled: {}, faults: [] } as const;

/** Looks at the directory of a deployment and hashes what would be packed; nothing for a source without one. */
export async function checkDirectory(
  { inputs, given, olds }: GivenInputs & { readonly olds: Properties },
  context: DirectoryContext,
): Promise<CheckedDirectory> {
  const { source, directory, graphConfigPath = DEFAULT_GRAPH_CONFIG } = inputs;
  if (source !== "internal_source") return NOTHING;
  const unknown = findUnknown([given["directory"], graphConfigPath], context.isUnknown);
  if (unknown !== undefined) {
    return { filled: { sourceHash: unknown, sourceSummary: unknown }, faults: [] };
  }
  if (directory === undefined) return NOTHING;
  try {
    const look = await context.sources.look({
      directory: resolve(context.programDirectory, directory.path),
      graphConfig: graphConfigPath,
      include: directory.include ?? [],
      exclude: directory.exclude ?? [],
    });
    for (const warning of look.warnings) context.log("warning", warning);
    // An earlier version wrote it in other words: those stay while the files are the same, so that nothing changes.
    const sourceSummary = look.hash === olds["sourceHash"] ? olds["sourceSummary"] : summaryOf(look);
    return { filled: { sourceHash: look.hash, sourceSummary }, faults: [] };
  } catch (error) {
    if (!(error instanceof GraphDeployError)) throw error;
    return {
      filled: {},
      faults: [{ path: ["directory"], message: `cannot be used: ${withoutFullStop(error.message)}` }],
    };
  }
}

function summaryOf({ files, bytes }: SourceLook): string {
  return `${countOf(files, "file")}, ${bytesText(bytes)}`;
}
