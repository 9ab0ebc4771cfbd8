import type { SecretInput } from "../../../src/contract/deployment.ts";
import { isSecretName, RESERVED_SECRET_NAMES, secretFault } from "../../../src/contract/secret.ts";
import { isTooCommonToMask } from "../../../src/text/secret-mask.ts";
import { type Environment, ownVariable } from "../../environment.ts";
import { givenText, type Given, type InputReader } from "../../options/input-reader.ts";
import { listed, quoted, shortened } from "../../../src/text/quoted.ts";
import type { DeployInputName } from "./options.ts";

// A sentence with more of them would not be read.
const MOST_NAMES = 10;
// The last line of a value in base64 may look like `NAME=`, and hardly has letters of one case only.
const CONVENTIONAL = /^(?:[A-Z][A-Z0-9_]*|[a-z][a-z0-9_]*)$/;

/**
 * The secrets of the agent: lines `NAME=value`, kept literally after the first `=`, or `NAME` for the value that the
 * environment has. Undefined when there are none. An error gives the number of the line and repeats nothing of it,
 * since it may be a part of a value that had a line break; an empty one is named where no line looks like such a part.
 */
export function readSecrets(
  reader: InputReader<DeployInputName>,
  env: Environment,
): readonly SecretInput[] | undefined {
  const lines = secretLines(reader.text("secrets"), env);
  const reserved = readReservedNames(reader);
  const secrets = new Map<string, SecretInput & { readonly number: number }>();
  // A line that has no form is most likely a part of a value, and so may be a line beside it that looks like a name.
  const isWhole = lines.every(({ name }) => isSecretName(name));
  for (const { number, name, value } of lines) {
    const fault = faultOf(name, value, reserved);
    const earlier = secrets.get(name);
    const isNamed = value === "" && (ownVariable(env, name) !== undefined || (isWhole && CONVENTIONAL.test(name)));
    const which = `line ${String(number)}${isNamed ? ` (${shortened(name)})` : ""}`;
    if (fault !== undefined) reader.fault("secrets", `${which} ${fault}`);
    else if (earlier) {
      reader.fault("secrets", `line ${String(number)} sets the same name as line ${String(earlier.number)}`);
    } else secrets.set(name, { number, name, value: value ?? "" });
  }
  if (lines.length === 0) return undefined;
  noticeUnmasked(reader, [...secrets.values()]);
  return [...secrets.values()].map(({ name, value }) => ({ name, value }));
}

function noticeUnmasked(reader: InputReader<DeployInputName>, secrets: readonly SecretInput[]): void {
  const names = secrets.filter(({ value }) => isTooCommonToMask(value)).map(({ name }) => quoted(name));
  if (names.length === 0) return;
  const [what, whose] = names.length === 1 ? ["secret", "Its value is"] : ["secrets", "Their values are"];
  reader.notice(
    `A log may show the ${what} ${listed(names, { conjunction: "and", most: MOST_NAMES })}: ${whose} shorter than 4 characters or an ordinary word (true, false, null, none), which cannot be masked.`,
  );
}

/** Everything in the input that may be a secret: the values, and each line in neither form. */
export function secretsOfLines(given: Given): readonly string[] {
  return givenText(given, "secrets")
    .split(/\r?\n/)
    .flatMap((line) => [...secretLines(line, given.env)].map(({ name, value }) => (isSecretName(name) ? value : line)))
    .filter((value) => value !== undefined);
}

/** The lines that are not blank; a value is undefined when the line is a name alone and the environment does not hold it. */
function secretLines(text: string, env: Environment) {
  return text.split(/\r?\n/).flatMap((raw, index) => {
    const line = raw.trim();
    if (line === "") return [];
    const equals = line.indexOf("=");
    const name = equals < 0 ? line : line.slice(0, equals);
    return [{ number: index + 1, name, value: equals < 0 ? ownVariable(env, name) : line.slice(equals + 1) }];
  });
}

function faultOf(name: string, value: string | undefined, reserved: ReadonlySet<string>): string | undefined {
  const fault = secretFault(name, value ?? "", reserved);
  if (fault?.code === "NAME") {
    return "is not in NAME=value form; for a multi-line value, set it under `env` and list only its NAME";
  }
  if (fault?.code === "RESERVED")
    return `sets ${name}, which the platform sets itself; \`reserved-names\` changes that list`;
  if (value === undefined) return "is not set in the environment; add it under `env`, or write NAME=value";
  return fault && `${fault.message}; remove the line if that is intended`;
}

/** The default list, or the one that the input gives instead; `none` is the empty list. */
function readReservedNames(reader: InputReader<DeployInputName>): ReadonlySet<string> {
  const text = reader.text("reserved-names");
  if (text === "") return new Set(RESERVED_SECRET_NAMES);
  if (text === "none") return new Set();
  const names = text.split(/[,\n]/).flatMap((name) => name.trim() || []);
  const wrong = names.filter((name) => !isSecretName(name)).map(quoted);
  if (wrong.length > 0) {
    reader.fault(
      "reserved-names",
      `${listed(wrong, { most: MOST_NAMES })} cannot be a name; separate names by commas or lines, or write none`,
    );
  }
  return new Set(names);
}
