import { ForeignText } from "./foreign-text.ts";

/**
 * One line in which the runner finds no workflow command. It runs `::name::` at the start of a line after blanks and
 * `##[name]` anywhere in it, from stdout and stderr alike (ActionCommand.cs in actions/runner). Both are broken by one
 * visible blank, `: :name::` and `## [name]`, so that a person still reads what was there and nothing else changes:
 * `std::vector` stays as it is. Marks that combine with a character count as part of it, as in a search by culture.
 */
export function commandFree(line: string): string {
  return line.replace(/^([\s\p{M}]*:\p{M}*)(?=:)/u, "$1 ").replace(/(#\p{M}*#\p{M}*)(?=\[)/gu, "$1 ");
}

const foreign = new ForeignText();

/** A line of a log that holds names from outside: one line, without escape sequences and workflow commands. */
export function logLine(text: string): string {
  return commandFree(foreign.line(text));
}
