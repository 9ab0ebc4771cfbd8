import { hostOf } from "../../hosted.ts";
import fc from "fast-check";
import { propertyRuns } from "../../../property-runs.ts";
import { describe, expect, test } from "vitest";
import { RESERVED_SECRET_NAMES } from "../../../../src/contract/secret.ts";
import { deployStep } from "../../../../front/steps/deploy/step.ts";
import { secretsOf as maskedIn } from "../../../../front/steps/run-step.ts";
import { environment, errorOf, faults, read } from "../../options/step.ts";

const secretsOf = async (secrets: string, more: Record<string, string> = {}) =>
  (await read({ secrets }, more)).request.secrets;

describe("the secrets of the agent", () => {
  test("are left alone when the input is empty", async () => {
    expect(await secretsOf(" \n")).toBeUndefined();
  });

  test("are lines NAME=value whose value is literal after the first equals sign", async () => {
    expect(await secretsOf('A=1\r\n\n  B="quoted"\nC=x=y==\nD= $A #no comment')).toEqual([
      { name: "A", value: "1" },
      { name: "B", value: '"quoted"' },
      { name: "C", value: "x=y==" },
      { name: "D", value: " $A #no comment" },
    ]);
  });

  test("may be a name alone, whose value is taken from the environment as it is", async () => {
    const key = "-----BEGIN KEY-----\nabc=\n-----END KEY-----\n";
    expect(await secretsOf("PRIVATE_KEY\nA=1", { PRIVATE_KEY: key })).toEqual([
      { name: "PRIVATE_KEY", value: key },
      { name: "A", value: "1" },
    ]);
  });

  test("carry any value of one line, and it is known as a secret", { tags: "slow" }, async () => {
    const line = fc
      .string({ minLength: 1, unit: "grapheme" })
      .filter((text) => text.trim() === text && !/[\r\n]/.test(text));
    await fc.assert(
      fc.asyncProperty(line, async (value) => {
        expect(await secretsOf(`NAME=${value}`)).toEqual([{ name: "NAME", value }]);
        expect(maskedIn(deployStep, hostOf(environment({ secrets: `NAME=${value}` })))).toEqual([value]);
      }),
      { numRuns: propertyRuns(0.5) },
    );
  });

  test("that are no lines of this form are faults by their number, which repeat nothing of them", async () => {
    const multiline =
      "KEY=-----BEGIN KEY-----\nMIIEvQIBADAN\nBgkqhki/G9w0\nBAQEFAASC==\nq83vEjRWeJA=\n-----END KEY-----";
    const error = await errorOf({ secrets: multiline });
    expect(error.faults.map(({ message }) => /^line \d+ is/.exec(message)?.[0] ?? message.slice(0, 10))).toEqual([
      "line 2 is",
      "line 3 is",
      "line 5 is",
      "line 6 is",
    ]);
    expect(JSON.stringify([error.message, error.faults])).not.toMatch(/MIIE|Bgkq|BAQE|q83v|BEGIN|END/);
  });

  test("repeat nothing of any broken line", async () => {
    const word = fc.stringMatching(/^[A-Za-z0-9+/_-]{8,40}$/);
    await fc.assert(
      fc.asyncProperty(word, word, async (first, second) => {
        const error = await errorOf({ secrets: `A=1\n${first} ${second}` });
        const report = JSON.stringify([error.message, error.faults]);
        expect(report).not.toContain(first);
        expect(report).not.toContain(second);
        expect(error.faults[0]?.message).toMatch(/^line 2 is not in NAME=value form/);
      }),
      { numRuns: propertyRuns(0.5) },
    );
  });

  test("need a value: a secret that is not set reads as empty", async () => {
    const said = "is empty, which usually means the secret is not set; remove the line if that is intended";
    expect(await faults({ secrets: "OPENAI_API_KEY=\nEmpty" }, { Empty: "" })).toEqual([
      `secrets: line 1 (OPENAI_API_KEY) ${said}`,
      `secrets: line 2 (Empty) ${said}`,
    ]);
    expect((await errorOf({ secrets: "A=1\nOPENAI_API_KEY=" })).message).toMatch(
      /^The input secrets is invalid: line 2 \(OPENAI_API_KEY\) is empty, which usually means the secret is not set/,
    );
  });

  test("that are empty have no name in the fault where it may be a part of a value", async () => {
    const said = "is empty, which usually means the secret is not set; remove the line if that is intended";
    expect(await faults({ secrets: "A=1\nq83vEjRWeJA=" })).toEqual([`secrets: line 2 ${said}`]);
    expect((await faults({ secrets: "A=1\nJUST A PART\nVALUE=" }))[1]).toBe(`secrets: line 3 ${said}`);
  });

  test("that the environment does not hold are faults", async () => {
    expect(await faults({ secrets: "A=1\n\nMISSING" })).toEqual([
      expect.stringMatching(/^secrets: line 3 .*not set in the environment/),
    ]);
  });

  test("cannot set a name twice", async () => {
    expect(await faults({ secrets: "A=1\nB=2\nA=1" })).toEqual(["secrets: line 3 sets the same name as line 1"]);
  });

  test.each(["1A=x", "A-B=x", "A B=x", "=x", "export A=x", "É=x"])("cannot have a name as in %s", async (secrets) => {
    expect(await faults({ secrets })).toEqual([expect.stringMatching(/^secrets: line 1 is not in NAME=value form/)]);
  });
});

describe("reserved names", () => {
  test.each(RESERVED_SECRET_NAMES)("refuse %s by default", async (name) => {
    expect(await faults({ secrets: `${name}=x` })).toEqual([
      `secrets: line 1 sets ${name}, which the platform sets itself; \`reserved-names\` changes that list`,
    ]);
  });

  test("are replaced by the input, with commas or lines between them", async () => {
    const given = { "reserved-names": "MINE, OURS\nTHEIRS", secrets: "PORT=1" };
    expect((await read(given)).request.secrets).toEqual([{ name: "PORT", value: "1" }]);
    expect(await faults({ ...given, secrets: "MINE=1\nOURS=1\nTHEIRS=1" })).toHaveLength(3);
  });

  test("are none with the word none", async () => {
    expect((await read({ "reserved-names": "none", secrets: "PATH=/bin" })).request.secrets).toHaveLength(1);
  });

  test("that cannot be names are a fault", async () => {
    expect(await faults({ "reserved-names": "A,B-C" })).toEqual([
      'reserved-names: "B-C" cannot be a name; separate names by commas or lines, or write none',
    ]);
  });
});
