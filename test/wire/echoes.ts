import { expect } from "vitest";
import type { WireAnswer } from "./faults.ts";

/** What people wrote, in results and in runs. */
export const PRIVATE = {
  input: "My patient Alice Okafor has had a fever since Tuesday",
  output: "Give her 500 mg of paracetamol, and call Dr. Sørensen",
  short: "Okafor",
  number: 83.4127,
} as const;

// Each is a part of it that nobody else would write, also where a service has cut or changed it.
const TRACES = [/alice/i, /okafor/i, /fever/i, /tuesday/i, /paracetamol/i, /s\S{1,8}rensen/i, /83\.41/, /mg of/];

/** Nothing of it stands in this text. */
export function expectNothingPrivate(text: string): void {
  for (const trace of TRACES) expect(text).not.toMatch(trace);
}

type Body = Omit<WireAnswer, "status">;

const { input, output, short, number } = PRIVATE;
const said = `refused: ${input}`;
const page = (title: string): Body => ({
  headers: { "content-type": "text/html" },
  body: `<!doctype html><html><head><title>${title}</title></head></html>`,
});
const entry = (msg: string, ...loc: readonly (number | string)[]) => ({ loc: ["body", ...loc], type: "x", msg });

/** The bodies of services that repeat what they refuse, each in its way. */
export const ECHOES: readonly (readonly [string, Body])[] = [
  ["a msg", { body: { detail: [entry(`${input} is not allowed`, "results", 0, "inputs")] } }],
  [
    "a msg that is cut",
    {
      body: {
        detail: [
          entry(`Input should be shorter [input_value='${input.slice(0, 21)}...${input.slice(-21)}', input_type=str]`),
        ],
      },
    },
  ],
  [
    "a msg with a dictionary",
    { body: { detail: [entry(`got {'question': '${input}', 'weight': ${String(number)}}`)] } },
  ],
  ["a msg with a short value", { body: { detail: [entry(`${short} is not one of the labels`)] } }],
  ["a msg with a number", { body: { detail: [entry(`${String(number)} is too large`)] } }],
  ["a loc", { body: { detail: [entry("Extra inputs are not permitted", "results", 0, input)] } }],
  ["a text detail", { body: { detail: said } }],
  ["a message", { body: { message: `refused: ${output}` } }],
  ["an error with a message", { body: { error: { message: said.toUpperCase() } } }],
  ["a title", { body: { title: said, detail: output } }],
  ["plain text", { headers: { "content-type": "text/plain" }, body: said }],
  ["text without a type", { headers: {}, body: `refused ${JSON.stringify({ question: input, answer: output })}` }],
  ["a page's title", page(`400 ${input}`)],
  ["a page's title with entities", page(`400 &quot;${output.replaceAll(" ", "&#32;")}&quot;`)],
  [
    "a store's message",
    {
      headers: { "content-type": "application/xml" },
      body: `<Error><Code>${short}</Code><Message>${input}</Message></Error>`,
    },
  ],
  ["a request id", { headers: { "x-request-id": input, "content-type": "application/json" }, body: "{}" }],
];
