import { join } from "node:path";
import { FieldNames } from "../src/contract/field-names.ts";
import { machineEnvironment } from "../src/local/index.ts";
import { FIELD_NAMES, PEER_INPUTS, jsCommand, jsPeer, pythonCommand, pythonPeer } from "../test/peers/tools.ts";
import { projectRoot } from "./command.ts";

/** What the demo deploys, and what answers for it. */
export interface DemoAgent {
  /** Runs the agent; the built-in agent server answers when undefined. */
  readonly command: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly state: string;
  readonly fieldNames: FieldNames | undefined;
  /** Inputs of the step that depend on the project. The workspace is this repository, or a copy of examples/ for the built-in agent. */
  readonly inputs: Readonly<Record<string, string>>;
}

const BUILT_IN: DemoAgent = {
  command: undefined,
  environment: {},
  state: join(projectRoot, ".graph-deploy", "demo"),
  fieldNames: undefined,
  inputs: { path: "agent" },
};

/**
 * Reads the demo's arguments. With `--real-agent`, the public Python agent server runs the example where Python 3.11
 * is there, and else the JS one a project of its own. Undefined when neither can be had, which was said then.
 */
export async function chooseAgent(
  args: readonly string[],
  say: (line: string) => void,
): Promise<DemoAgent | undefined> {
  const unknown = args.find((arg) => arg !== "--real-agent");
  if (unknown !== undefined) {
    say(`Unknown option "${unknown}". The demo accepts --real-agent.`);
    return undefined;
  }
  if (args.length === 0) return BUILT_IN;
  const environment = machineEnvironment(process.env);
  const python = await pythonPeer(say);
  if ("program" in python) {
    const inputs = { path: "examples/agent" };
    return { ...BUILT_IN, environment, inputs, command: pythonCommand(python, "graph.json") };
  }
  const js = await jsPeer(say);
  if ("missing" in js) return undefined;
  return {
    environment,
    command: jsCommand(js),
    // Below the directory whose packages the agent needs.
    state: join(projectRoot, "test", "peers", ".graph-deploy", "demo"),
    fieldNames: FieldNames.parse(FIELD_NAMES),
    inputs: { path: "test/peers/projects/js", ...PEER_INPUTS },
  };
}
