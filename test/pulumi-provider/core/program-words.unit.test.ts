import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { INPUT_NAMES } from "../../../pulumi-provider/core/inputs/fields.ts";
import { inProgramWords } from "../../../pulumi-provider/core/program-words.ts";
import { projectRoot } from "../../../scripts/command.ts";
import { HttpStatusError } from "../../../src/http/errors.ts";

const { inputs } = z
  .object({ inputs: z.record(z.string(), z.unknown()) })
  .parse(parse(readFileSync(join(projectRoot, "action.yml"), "utf8")));
const ofTheAction = Object.keys(inputs).filter((name) => !INPUT_NAMES.includes(name));

/** What the strings of a file hold: without comments, and each sentence that is written on two lines as one. */
function stringsOf(file: string): string {
  const code = readFileSync(join(projectRoot, file), "utf8").replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  return code.replaceAll(/["`] \+\s+["`]/g, "").replaceAll("\\`", "`");
}

test("no sentence of the house names an input that only the action has", () => {
  const files = globSync("src/{contract,http,source,control-plane,agent-server,deployment}/**/*.ts", {
    cwd: projectRoot,
  });
  const strings = files.map(stringsOf).join("\n");
  const namedIn = (text: string) => ofTheAction.filter((name) => new RegExp(`\`${name}(: [a-z]+)?\``).test(text));
  expect(namedIn(strings).length).toBeGreaterThan(5);
  expect(namedIn(inProgramWords(strings))).toEqual([]);
});

test("a refused key is said to be the one of the last up, as a refresh and a destroy take it", () => {
  const { advice = "" } = new HttpStatusError(401, [], { target: "GET /v2/deployments" });
  const said = inProgramWords(advice);
  expect(said).toContain("run `pulumi up` first, or name --run-program");
  expect(said.match(/A refresh or a destroy/g)).toHaveLength(1);
});
