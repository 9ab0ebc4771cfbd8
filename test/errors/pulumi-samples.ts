import { join } from "node:path";
import { Connections } from "../../pulumi-provider/connections.ts";
import { remove } from "../../pulumi-provider/core/operations/delete.ts";
import { Journal } from "../../pulumi-provider/core/operations/journal.ts";
import { diff } from "../../pulumi-provider/core/operations/diff.ts";
import { importState } from "../../pulumi-provider/core/operations/read.ts";
import { PartialFailure } from "../../pulumi-provider/core/operations/outputs.ts";
import { checkDirectory, inputsOf } from "../../pulumi-provider/core/operations/request.ts";
import { create, update } from "../../pulumi-provider/core/operations/update.ts";
import { connectionOf } from "../../pulumi-provider/core/service/connection.ts";
import { findNamed } from "../../pulumi-provider/core/service/lookup.ts";
import { checkStateVersion, STATE_VERSION } from "../../pulumi-provider/core/state/internals.ts";
import type { Properties } from "../../pulumi-provider/core/state/state.ts";
import type { Host } from "../../pulumi-provider/host.ts";
import { ReadinessProvider } from "../../pulumi-provider/readiness-provider.ts";
import { Running } from "../../pulumi-provider/running.ts";
import type { ControlPlane } from "../../src/control-plane/client.ts";
import type { DeployDeps } from "../../src/deployment/deps.ts";
import { CreateUncertainError, NoListError } from "../../src/control-plane/errors.ts";
import { ApplyError } from "../../src/deployment/errors.ts";
import { HttpStatusError } from "../../src/http/errors.ts";
import { context, DIRECTORY, IMAGE, surroundings } from "../pulumi-provider/context.ts";
import { FastClock } from "../wire/clocks.ts";
import { temporaryFolder } from "../source/temporary-tree.ts";
import type { CALLS } from "./samples.ts";

const DEPLOYMENT = { id: "d-1", name: "support", source: "external_docker" } as const;
const INPUTS = { ...IMAGE, name: "support" };
const STATE = { ...INPUTS, stateVersion: STATE_VERSION, managedRevisionId: "r-1", status: "BUILDING", drift: [] };
const SETTING = context();

/** A service that has the deployment, and answers a delete without deleting. */
const SERVICE = {
  get: () => Promise.resolve(DEPLOYMENT),
  delete: () => Promise.resolve(true),
  findByName: () => Promise.resolve(DEPLOYMENT),
  pageOf: () => undefined,
  revision: () => Promise.resolve({ id: "r-1", status: "BUILDING" }),
};

function operation(service: object = SERVICE, signal = new AbortController().signal) {
  const own = { clock: new FastClock(), random: () => 0, emit: () => undefined, spoolDirectory: "/tmp" };
  const controlPlane = { ...service, within: () => controlPlane };
  const deps = { ...own, signal, controlPlane } as unknown as DeployDeps;
  return { ...SETTING, deps, log: () => undefined };
}

/** Ends the run with the first request of this kind. */
function cancelledAt(call: keyof typeof SERVICE) {
  const running = new Running();
  const answer = SERVICE[call];
  const service = {
    ...SERVICE,
    [call]: () => {
      running.cancel();
      return answer();
    },
  };
  return operation(service, running.signal);
}

/** Why an update failed that left something to keep. */
async function causeOf(work: Promise<unknown>): Promise<unknown> {
  const failure: unknown = await work.catch((error: unknown) => error);
  return failure instanceof PartialFailure ? failure.cause : failure;
}

const readiness = () => new ReadinessProvider({ answer: async (_, work) => await work() } as Host);
const deleting = (state: Properties, ...service: Parameters<typeof operation>) =>
  remove("d-1", { ...STATE, ...state }, operation(...service));
const finding = (source?: string) =>
  importState("support", {
    ...SERVICE,
    get: () => Promise.resolve({ ...DEPLOYMENT, source }),
  } as unknown as ControlPlane);

/** What only the Pulumi provider refuses or fails with. */
export const PULUMI: typeof CALLS = [
  ["no address and no key", () => connectionOf({}, surroundings({ config: {} }))],
  [
    "a credential that names nothing",
    () => connectionOf({ controlPlaneUrl: "https://control.example", credential: { env: "PROD_KEY" } }, surroundings()),
  ],
  [
    "a proxy that is not an address",
    () => new Connections({ clock: new FastClock() }).of({}, surroundings({ env: { HTTPS_PROXY: "http://:0:0" } })),
  ],
  [
    "a deployment that a program looks up in vain",
    () => findNamed("support", { findByName: () => Promise.resolve(undefined) } as unknown as ControlPlane),
  ],
  ["an import of a source that no program has", () => finding("internal_docker")],
  ["an import of an unknown source", () => finding()],
  ["a name that a deployment has already", () => create(INPUTS, operation())],
  [
    "a resource of which an earlier run may have made the deployment, at a service without a list",
    async () => {
      const cause = new NoListError("support", "GET https://control.example/v2/deployments returned 404", {
        kind: "missing",
      });
      const unanswered = new CreateUncertainError("support", { cause });
      const service = { findByName: () => Promise.reject(cause), create: () => Promise.reject(unanswered) };
      const file = join(temporaryFolder(), "entry.json");
      const run = () => create(INPUTS, { ...operation(service), journal: new Journal(file) });
      await run().catch(() => undefined);
      return await run();
    },
  ],
  [
    "a new resource, where the list of the service cannot be read",
    () => {
      const why = "GET https://control.example/v2/deployments returned 422";
      const cause = new NoListError("support", why, { kind: "undecided" });
      return create(INPUTS, operation({ findByName: () => Promise.reject(cause) }));
    },
  ],
  [
    "a replacement of what is retained",
    () => diff({ ...STATE, onDelete: "retain" }, { ...DIRECTORY, name: "support", onDelete: "retain" }, SETTING),
  ],
  ["a run that ended before an update wrote", () => causeOf(update("d-1", STATE, REVISED, cancelledAt("get")))],
  [
    "a run that ended in a wait",
    () => causeOf(update("d-1", { ...STATE, pending: "wait" }, INPUTS, cancelledAt("revision"))),
  ],
  [
    "an update that failed",
    () => {
      const cause = failed(503);
      const { advice } = cause;
      return new PartialFailure("d-1", {}, new ApplyError("The update of deployment d-1 failed.", { cause, advice }));
    },
  ],
  [
    "a run that ended before it wrote",
    () => {
      const running = new Running();
      running.cancel();
      return running.signal.reason as unknown;
    },
  ],
  ["a deployment that is protected", () => deleting({ deletionProtection: true })],
  ["a service that cannot delete", () => deleting({}, { ...SERVICE, delete: () => Promise.reject(failed(405)) })],
  ["a delete that takes too long", () => deleting({})],
  ["a run that ended in a delete", () => remove("d-1", STATE, cancelledAt("get"))],
  ["an agent without a revision", () => readiness().create({ name: "support", deploymentId: "d-1" })],
  ["a state that cannot be read", () => inputsOf({ ...STATE, wait: "yes" })],
  [
    "a revision of an imported deployment without its directory",
    () => {
      checkDirectory(inputsOf({ ...DIRECTORY, name: "support", directory: undefined }));
    },
  ],
  [
    "a state of a later version",
    () => {
      checkStateVersion({ ...STATE, stateVersion: STATE_VERSION + 1 });
    },
  ],
];

const REVISED = { ...INPUTS, imageUri: "registry/agent:2" };

function failed(status: number): HttpStatusError {
  return new HttpStatusError(status, [], { target: "PATCH https://control.example/v2/deployments/d-1" });
}
