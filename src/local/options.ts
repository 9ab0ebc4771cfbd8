import * as z from "zod";
import { anyText, choice, flag, functionOf, somePath, someText, textsByName } from "../contract/call-arguments.ts";
import type { ShapesOf } from "../contract/call-arguments.ts";
import { fieldNamesShape, type FieldNames } from "../contract/field-names.ts";
import { type Edition, EDITIONS } from "../contract/source.ts";
import { isUuid } from "../contract/uuid.ts";
import type { CompareExperiments } from "../pages/experiment-comparison.ts";

/** All settings are optional. */
export interface LocalServiceOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number | undefined;
  /** The directory of the state, for one service at a time; in memory and a temporary directory if absent. */
  readonly dataDirectory?: string | undefined;
  /** The API key that requests need, in `X-Api-Key` or as a bearer token; without it there is no authentication. */
  readonly apiKey?: string | undefined;
  /**
   * The tenant that requests must name, a UUID; any if absent. With a key, either of the two suffices for the control
   * plane, as the contract says; experiments and runs need both.
   */
  readonly tenantId?: string | undefined;
  /** Offer only the sources of this edition; all if absent. */
  readonly edition?: Edition | undefined;
  /** How names are spelled on the wire. */
  readonly fieldNames?: FieldNames | undefined;
  /** Also accept what public clients send beyond the contract. */
  readonly compat?: boolean | undefined;
  /** The simulated rollout time of a revision, milliseconds; 1000 if absent. */
  readonly walkMilliseconds?: number | undefined;
  /**
   * Runs each uploaded project: `NAME=value … program argument …`, with `{port}`, `{dir}` and `{revision}` filled in.
   * Anyone who can deploy can then run programs as this user. If absent, the built-in agent server responds.
   */
  readonly agentCommand?: string | undefined;
  /** The environment of the agents, besides the secrets of their deployments; its PATH finds their programs. */
  readonly agentEnvironment?: Readonly<Record<string, string>> | undefined;
  /** Timeout for the start of an agent, milliseconds; 120,000 if absent. */
  readonly agentStartMilliseconds?: number | undefined;
  /** Time between SIGTERM and SIGKILL for an agent, milliseconds; 5,000 if absent. */
  readonly agentGraceMilliseconds?: number | undefined;
  /** Delay of the statistics of an uploaded experiment, milliseconds; 3000 if absent. */
  readonly experimentDelayMilliseconds?: number | undefined;
  /** The largest body of such an upload, bytes; 2 GiB if absent. */
  readonly experimentLimitBytes?: number | undefined;
  /** The largest body of a request with runs, before and after decoding, bytes; 20 MiB if absent. */
  readonly runLimitBytes?: number | undefined;
  /** Keeps the JSON bodies of the latest requests, for a test that looks at them in `requests`; not kept if absent. */
  readonly keepBodies?: boolean | undefined;
  /**
   * Compares two experiments for their page: `compareExperiments` of `graph-deploy/judgement`. If absent, the page shows
   * the numbers of both and no verdict.
   */
  readonly compare?: CompareExperiments | undefined;
  /** Called with each line of the log. */
  readonly log?: ((line: string) => void) | undefined;
}

const amount = z.number("must be a number").min(0, "must be 0 or more").optional();

/** The shape of the settings of a program. */
export const LocalServiceShape = z.strictObject({
  port: z.int("must be a whole number").min(0, "must be 0 or more").max(65_535, "must be 65535 or less").optional(),
  dataDirectory: somePath.optional(),
  apiKey: someText.optional(),
  tenantId: anyText.refine(isUuid, "must be a UUID").optional(),
  edition: choice(EDITIONS).optional(),
  fieldNames: fieldNamesShape.optional(),
  compat: flag.optional(),
  walkMilliseconds: amount,
  // What is wrong with it has an error of its own.
  agentCommand: anyText.optional(),
  agentEnvironment: textsByName.optional(),
  agentStartMilliseconds: amount,
  agentGraceMilliseconds: amount,
  experimentDelayMilliseconds: amount,
  experimentLimitBytes: amount,
  runLimitBytes: amount,
  keepBodies: flag.optional(),
  compare: functionOf<CompareExperiments>().optional(),
  log: functionOf<(line: string) => void>().optional(),
} satisfies ShapesOf<LocalServiceOptions>);
