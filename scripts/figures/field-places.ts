import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

const SCHEMAS = "src/contract/deployment.ts";
const FIELD = "region_of_the_figures";

/** Where each schema of a deployment has room for one more field, and what a text is there. */
const DECLARATIONS: readonly (readonly [RegExp, string])[] = [
  [/export const DeploymentCreate = z\.(?:loose|strict)?[oO]bject\(\{\n/, `${FIELD}: z.string().nullish(),`],
  [/export const Deployment = z\.looseObject\(\{\n/, `${FIELD}: spare(z.string()),`],
  [/export const DeploymentPatch = z\.(?:loose|strict)?[oO]bject\(\{\n/, `${FIELD}: z.string().nullish(),`],
];

/**
 * The places for one more optional text of a deployment, in create, patch and response: the three schemas, and where the
 * compiler then says that the text is missing. `forgotten` are its errors where only the schema of a create has it.
 */
export function fieldPlaces(
  root: string,
): { readonly places: readonly string[]; readonly forgotten: number } | undefined {
  const path = join(root, SCHEMAS);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (DECLARATIONS.some(([begin]) => !begin.test(text))) return undefined;
  const withField = (declarations: typeof DECLARATIONS) =>
    declarations.reduce((schemas, [begin, field]) => schemas.replace(begin, (found) => found + field), text);
  const named = errorsWith(root, path, withField(DECLARATIONS));
  const schemas = DECLARATIONS.map(([begin]) => `${SCHEMAS} ${/const (\w+)/.exec(begin.source)?.[1] ?? ""}`);
  const forgotten = errorsWith(root, path, withField(DECLARATIONS.slice(0, 1)));
  return { places: [...schemas, ...named], forgotten: forgotten.length };
}

/** The places that the compiler names where one file has another text. */
function errorsWith(root: string, changed: string, text: string): readonly string[] {
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, "tsconfig.json"), (file) => ts.sys.readFile(file)).config,
    ts.sys,
    root,
  );
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (file) => (relative(changed, file) === "" ? text : readFile(file));
  host.getSourceFile = (file, language) => {
    const source = host.readFile(file);
    return source === undefined ? undefined : ts.createSourceFile(file, source, language);
  };
  const wanted = fileNames.filter((file) => /^(?:src|front|action|pulumi-provider)\//.test(relative(root, file)));
  const program = ts.createProgram(wanted, { ...options, noEmit: true }, host);
  return program.getSemanticDiagnostics().flatMap(({ file, start }) => {
    if (!file) return [];
    const { line } = file.getLineAndCharacterOfPosition(start ?? 0);
    return [`${relative(root, file.fileName)}:${String(line + 1)}`];
  });
}
