import type { SourceArchive } from "../../../src/source/archive/archive.ts";
import type { SourceTree } from "../../../src/source/tree/tree.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import { durationText } from "../../../src/text/duration.ts";
import type { Printer } from "../../report/printer.ts";
import { fileLines, graphsText, leftOutText, shortDigest, sourceFolder, sourceSize } from "./source-words.ts";

/** What will be packed and what stays out. */
export function printSource(print: Printer, tree: SourceTree, workspace: string | undefined): void {
  const folder = sourceFolder(tree, workspace);
  print.line("Source", `${folder === "" ? "" : `${folder}: `}${sourceSize(tree)}`);
  const leftOut = leftOutText(tree);
  if (leftOut !== "") print.more(`left out: ${leftOut}`);
  const { envFile } = tree;
  if (envFile !== undefined) print.more(`env file ${envFile} is not sent; give its values as \`secrets\``);
  print.line("Graphs", graphsText(tree));
  print.group(`Files (${String(tree.entries.length)})`, fileLines(tree));
  for (const warning of tree.warnings) print.warning(warning);
}

/** What came out of packing. */
export function printArchive(print: Printer, archive: SourceArchive, milliseconds: number): void {
  print.line("Packed", `${bytesText(archive.bytes)} in ${durationText(milliseconds)}, ${shortDigest(archive)}…`);
  for (const warning of archive.warnings) print.warning(warning);
}
