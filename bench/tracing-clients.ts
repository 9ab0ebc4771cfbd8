import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { jsPeer, pythonPeer } from "../test/peers/tools.ts";
import { plainProgram } from "./plain-program.ts";

const PEERS = join(import.meta.dirname, "../test/peers");

/** A client that traces runs, as a program that takes url, count, size and a file of text. */
export interface TracingClient {
  readonly name: string;
  readonly kind: "js" | "ours" | "python";
  readonly command: readonly [program: string, script: string];
}

/** The clients that can be had here: ours first, and the public ones, which are installed when they are not. */
export async function tracingClients(): Promise<readonly TracingClient[]> {
  const ours = plainProgram(join(import.meta.dirname, "tracing-child.ts"));
  const clients: TracingClient[] = [{ name: "ours", kind: "ours", command: [process.execPath, ours] }];
  if ("program" in (await jsPeer())) {
    const script = join(import.meta.dirname, "tracing-js-case.js");
    clients.push({ name: `public JS SDK ${jsVersion()}`, kind: "js", command: [process.execPath, script] });
  }
  const python = await pythonPeer();
  if (!("program" in python)) return clients;
  const name = `public Python SDK ${pythonVersion()}`;
  const command = [join(dirname(python.program), "python"), join(import.meta.dirname, "tracing-case.py")] as const;
  return [...clients, { name, kind: "python", command }];
}

function jsVersion(): string {
  const text = readFileSync(join(PEERS, "node_modules/langsmith/package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

function pythonVersion(): string {
  return /^langsmith==(.*)$/m.exec(readFileSync(join(PEERS, "requirements.txt"), "utf8"))?.[1] ?? "";
}
