import { GatesError } from "../../../src/judgement/gates/errors.ts";
import { Gates } from "../../../src/judgement/gates/gates.ts";
import { quoted } from "../../../src/text/quoted.ts";
import type { InputReader } from "../../options/input-reader.ts";
import { readWorkspaceFile } from "../../options/workspace.ts";

/**
 * The rules that the input holds, or the file that it names; undefined after an error, which the reader has. Errors of
 * the rules are returned and not thrown, because they are shown with their lines.
 */
export async function readGates(
  reader: InputReader<"gates">,
  workspace: string | undefined,
): Promise<Gates | GatesError | undefined> {
  const text = await readText(reader, workspace);
  if (text === undefined) return undefined;
  try {
    const gates = Gates.parse(text);
    if (!gates.isEmpty || !reader.isChanged("gates")) return gates;
    reader.fault("gates", `${quoted(reader.text("gates"))} contains no rule; to judge without rules, write \`none\``);
    return undefined;
  } catch (error) {
    if (error instanceof GatesError) return error;
    throw error;
  }
}

async function readText(reader: InputReader<"gates">, workspace: string | undefined): Promise<string | undefined> {
  const text = reader.text("gates");
  if (text === "" || text.includes("\n") || workspace === undefined) return text;
  const file = await readWorkspaceFile(text, workspace);
  if (!file) {
    // A rule has a blank or an operator.
    if (/[\s<>=≤≥]/u.test(text)) return text;
    const example = "`accuracy not regressed`";
    reader.fault("gates", `${quoted(text)} is neither a file in the workspace nor a rule, such as ${example}`);
  } else if (file.text === undefined) reader.fault("gates", `${quoted(text)} ${file.fault}`);
  return file?.text;
}

/** The errors of rules as those of the input, for a report that has errors of other inputs too. */
export function reportGates(reader: InputReader<"gates">, { faults }: GatesError): void {
  for (const { line, text, message, hint } of faults) {
    const said = hint === undefined ? "" : `; ${hint}`;
    // Without a line the gates as a whole are wrong.
    reader.fault("gates", `${text === "" ? "" : `line ${String(line)}: \`${text.trim()}\` `}${message}${said}`);
  }
}
