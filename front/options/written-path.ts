import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../../src/files/inside.ts";
import type { InputReader } from "./input-reader.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { Place } from "../host.ts";
import { writeWholeFile } from "../../src/files/whole-file.ts";
import { HostFileError } from "../host-file-error.ts";

// No system opens a longer one, and each of its directories is looked at.
const LONGEST_PATH = 4_096;

// What switches something on or off elsewhere, also in the words of older YAML.
const SWITCH = /^(?:true|false|yes|no|on|off)$/i;

/**
 * The file that a step writes, absolute and without links above it; undefined when the input is empty or invalid. A link
 * of the checkout may not lead it to another place. `besides` follows where `true` or `false` stands in place of the path: a
 * clause that begins with its punctuation.
 */
export async function readWrittenPath<const Name extends string>(
  reader: InputReader<Name>,
  input: Name,
  { workspace, temp, names }: Place,
  { besides = "" }: { readonly besides?: string } = {},
): Promise<string | undefined> {
  const text = reader.text(input);
  if (text === "") return undefined;
  if (SWITCH.test(text)) {
    reader.fault(
      input,
      `${quoted(text)} is not a path of a file to write${besides}; for a file of that name, write ./${text}`,
    );
    return undefined;
  }
  if (workspace === undefined) {
    reader.fault(input, `cannot be resolved: ${names.workspace} is not set`);
    return undefined;
  }
  const given = resolve(workspace, text);
  if (given.length > LONGEST_PATH) {
    reader.fault(input, `${quoted(text)} is longer than any path`);
    return undefined;
  }
  const path = await withoutLinks(given);
  const homes = await Promise.all([workspace, temp].map((home) => realpath(home).catch(() => home)));
  if (!homes.some((home) => isInside(home, path))) {
    reader.fault(input, `${quoted(text)} is outside the workspace and ${names.temp}`);
  } else if (/[\\/]$/.test(text) || (await stat(path).catch(() => undefined))?.isDirectory() === true) {
    reader.fault(input, `${quoted(text)} is a directory; write the path of a file in it`);
  }
  return path;
}

// The file itself may be a link or not be there yet: only what lies above it is followed.
async function withoutLinks(path: string): Promise<string> {
  const directory = dirname(path);
  if (directory === path) return path;
  return join(await realpath(directory).catch(() => withoutLinks(directory)), basename(path));
}

/**
 * Writes a file that the input `what` names, with the directories above it: a reader sees the one that was there before,
 * or all of the new one.
 */
export function writeWhole(path: string, text: string, what: string): void {
  try {
    writeWholeFile(path, [text]);
  } catch (error) {
    throw new HostFileError(`\`${what}\``, path, error);
  }
}
