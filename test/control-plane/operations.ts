import type { Deployment } from "../../src/contract/deployment.ts";
import type { ControlPlane } from "../../src/control-plane/client.ts";
import type { Match } from "../wire/fault-server.ts";
import { freshName, imageDeployment, sourceDeployment, type World } from "./rig.ts";

/** What an operation works on: made without faults, before they are scripted. */
export interface Subject {
  readonly world: World;
  readonly plane: ControlPlane;
  readonly deployment: Deployment;
}

/** One operation of the client, and the request in which things go wrong. */
export interface Operation {
  readonly name: string;
  /** The request that the faults hit. */
  readonly hit: Match;
  /** The server that the faults hit. */
  readonly at?: "front" | "store";
  /** How many such requests a call makes when all goes well. */
  readonly usual: number;
  /** Endings that differ from the rule, by fault: `fine` is a success without another request of this kind. */
  readonly except?: Readonly<Record<string, string>>;
  readonly prepare: (plane: ControlPlane) => Promise<Deployment>;
  readonly run: (subject: Subject, options: { readonly attemptMilliseconds: number }) => Promise<unknown>;
}

const existing = async (plane: ControlPlane) => (await plane.create(imageDeployment(freshName()))).deployment;
const fromSource = async (plane: ControlPlane) => (await plane.create(sourceDeployment(freshName()))).deployment;
const idOf = ({ deployment }: Subject) => deployment.id;
const revisionOf = ({ deployment }: Subject) => deployment.latest_revision_id ?? "";

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const gone = { "404": "fine", "405": "fine", "501": "fine" };

/** Operations that do no harm when they are sent twice. */
export const REPEATABLE: readonly Operation[] = [
  {
    name: "get",
    hit: { method: "GET", path: /^\/v2\/deployments\/[^/]+$/ },
    usual: 1,
    prepare: existing,
    run: (subject, options) => subject.plane.get(idOf(subject), options),
  },
  {
    name: "list",
    hit: { method: "GET", path: /^\/v2\/deployments$/ },
    usual: 2,
    prepare: existing,
    run: ({ plane, deployment }, options) => collect(plane.list({ name: deployment.name ?? "" }, options)),
  },
  {
    name: "findByName",
    hit: { method: "GET", path: /^\/v2\/deployments$/ },
    usual: 2,
    // What is no list shows nothing, and a 404 may be that of a gateway.
    except: {
      "204 without a body": "NO_LIST",
      "400": "NO_LIST",
      "404": "retried",
      "405": "NO_LIST",
      "422": "NO_LIST",
      "501": "NO_LIST",
    },
    prepare: existing,
    run: ({ plane, deployment }, options) => plane.findByName(deployment.name ?? "", options),
  },
  {
    name: "patch of settings that make no revision",
    hit: { method: "PATCH" },
    usual: 1,
    prepare: existing,
    run: (subject, options) =>
      subject.plane.patch(idOf(subject), { source_config: {} }, { source: "external_docker" }, options),
  },
  {
    name: "delete",
    hit: { method: "DELETE" },
    usual: 1,
    except: { "404": "fine", "204 without a body": "fine", "half of some JSON": "fine" },
    prepare: existing,
    run: (subject, options) => subject.plane.delete(idOf(subject), options),
  },
  {
    name: "revision",
    hit: { method: "GET", path: /\/revisions\/[^/]+$/ },
    usual: 1,
    prepare: existing,
    run: (subject, options) => subject.plane.revision(idOf(subject), revisionOf(subject), options),
  },
  {
    name: "revisions",
    hit: { method: "GET", path: /\/revisions$/ },
    usual: 2,
    prepare: existing,
    run: (subject, options) => collect(subject.plane.revisions(idOf(subject), options)),
  },
  {
    name: "uploadUrl",
    hit: { method: "POST", path: /^\/deployments\/[^/]+\/upload-url$/ },
    usual: 1,
    // What the service rejects may be the field that the contract does not know: it is left out then.
    except: { "404": "fine", "405": "fine", "400": "retried", "422": "retried" },
    prepare: fromSource,
    run: (subject, options) => subject.plane.uploadUrl(idOf(subject), options),
  },
  {
    name: "upload",
    hit: { method: "PUT" },
    at: "store",
    usual: 1,
    // A store's success needs no body, and a refusal of the signed address renews it.
    except: {
      "204 without a body": "fine",
      "half of some JSON": "fine",
      "400": "retried",
      "401": "retried",
      "403": "retried",
    },
    prepare: fromSource,
    run: (subject, options) => subject.plane.upload(idOf(subject), subject.world.tarball, options),
  },
  {
    name: "logs",
    hit: { method: "POST", path: /_logs$/ },
    usual: 1,
    except: gone,
    prepare: existing,
    run: (subject, options) => subject.plane.logs(idOf(subject), revisionOf(subject), "build", options),
  },
];
