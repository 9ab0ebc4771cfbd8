import "./json-imports.ts";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { TextDocument } from "vscode-languageserver-textdocument";
import { DiagnosticSeverity } from "vscode-languageserver-types";
import { parse } from "yaml";
import * as z from "zod";
import { projectRoot } from "./command.ts";

const { registerLogger, validate } = await import("@actions/languageservice");
const { parseAction } = await import("@actions/workflow-parser/actions/action-parser");
const { NoOperationTraceWriter } = await import("@actions/workflow-parser/templates/trace-writer");

// The language service logs its own failures and then reports no faults: a failure must not look like a pass.
registerLogger({
  error: (message) => {
    throw new Error(message);
  },
  warn: () => undefined,
  info: () => undefined,
  log: () => undefined,
});

/** Another user's action: without a list of inputs nothing is compared. */
const notOurs = { name: "", description: "" };

const input = z
  .strictObject({
    description: z.string().min(1),
    required: z.boolean().default(false),
    default: z.union([z.string(), z.boolean(), z.number()]).transform(String).optional(),
    deprecationMessage: z.string().optional(),
  })
  // The language service asks whether there is a default at all.
  .transform(({ default: value, description, required }) => {
    return { description, required, ...(value === undefined ? {} : { default: value }) };
  });
const actionMetadata = z.object({
  name: z.string(),
  description: z.string(),
  inputs: z.record(z.string(), input).default({}),
  outputs: z.record(z.string(), z.strictObject({ description: z.string().min(1) })).default({}),
});

/** What an action.yml declares, as far as a workflow that uses it is concerned. */
export type ActionMetadata = z.infer<typeof actionMetadata>;

/** Reads the action.yml of `folder` (relative to the project); undefined if it is missing or invalid. */
export async function readAction(folder: string): Promise<ActionMetadata | undefined> {
  const text = await readFile(join(projectRoot, folder, "action.yml"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : actionMetadata.safeParse(parse(text)).data;
}

/** The faults of an action.yml by GitHub's own schema, and by ours, which knows every key of an input. */
export function actionFaults(name: string, text: string): string[] {
  const { context } = parseAction({ name, content: text }, new NoOperationTraceWriter());
  const faults = context.errors.getErrors().map((error) => error.message);
  if (faults.length > 0) return faults;
  const { error } = actionMetadata.safeParse(parse(text));
  return error === undefined ? [] : [z.prettifyError(error)];
}

/**
 * The faults of a workflow by GitHub's own language service. A use of this project's actions, by `OWNER/graph-deploy@…`
 * or by a local path, is compared with what `action` says of that folder: an unknown input is a fault, so is a
 * required one that is missing. `line` is added to the numbers of the lines.
 */
export async function workflowFaults(
  text: string,
  action: (folder: string) => Promise<ActionMetadata | undefined>,
  line = 1,
): Promise<string[]> {
  // The language service looks up published actions only, so a local path takes the shape of one. Lines stay.
  const published = text.replace(/uses:\s*(["']?)\.\/?([^\s"'@]*)\1\s*$/gm, (_whole, _quote: string, path: string) => {
    return `uses: OWNER/graph-deploy${path === "" ? "" : `/${path}`}@main`;
  });
  // Documents are cached by their address, so each gets one of its own.
  const document = TextDocument.create(`file:///.github/workflows/${randomUUID()}.yml`, "yaml", 1, published);
  const diagnostics = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ name, path }) => (name === "graph-deploy" ? action(path ?? ".") : notOurs),
    },
  });
  // What the parser finds carries no severity.
  const { Error, Warning } = DiagnosticSeverity;
  return diagnostics
    .filter(({ severity }) => severity === undefined || severity === Error || severity === Warning)
    .map(({ range, message }) => {
      return `line ${range.start.line + line}: ${typeof message === "string" ? message : message.value}`;
    });
}
