import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dirname, "..");
// Inside of the repository, so that packages are found from there.
const OUTPUT = join(ROOT, "build/bench");

/**
 * Writes a program and what it imports of this repository as plain JavaScript, and returns the path. Node needs 20 MB to
 * strip types, which the built action does not.
 */
export function plainProgram(file: string): string {
  const waiting = [file];
  for (const each of waiting) {
    const text = readFileSync(each, "utf8");
    const { outputText } = ts.transpileModule(text, { fileName: each, compilerOptions: COMPILER_OPTIONS });
    const target = targetOf(each);
    mkdirSync(dirname(target), { recursive: true });
    // The compiler leaves the calls as they are.
    writeFileSync(target, outputText.replaceAll(/\bimport\("(\.[^"]+)\.ts"\)/g, 'import("$1.js")'));
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const imported = join(dirname(each), fileName);
      if (fileName.startsWith(".") && !waiting.includes(imported)) waiting.push(imported);
    }
  }
  return targetOf(file);
}

const COMPILER_OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2023,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
};

function targetOf(file: string): string {
  return join(OUTPUT, relative(ROOT, file)).replace(/\.ts$/, ".js");
}
