import * as z from "zod";
import type { ControlPlane } from "../../src/control-plane/client.ts";
import { faultsIn, toFailures, type CheckFailure } from "../core/inputs/failures.ts";
import { LOOKUP_KEYS, lookUp, ONE_KEY, type FoundDeployment } from "../core/service/lookup.ts";
import { meaningful, type Properties } from "../core/state/state.ts";

/** A function of the provider. It reads, and never writes. */
interface ProviderFunction<Args extends z.ZodType> {
  readonly description: string;
  readonly args: Args;
  readonly result: z.ZodObject;
  /** What the service does not say is null. */
  readonly read: (args: z.output<Args>, controlPlane: ControlPlane) => Promise<object>;
}

function define<Args extends z.ZodType>({ description, args, result, read }: ProviderFunction<Args>) {
  return {
    description,
    args,
    result,
    /** All that is wrong with what a program gives. */
    failuresIn: (given: Properties): readonly CheckFailure[] => {
      const parsed = args.safeParse(given);
      return parsed.success ? [] : toFailures(given, faultsIn(parsed.error));
    },
    call: async (given: Properties, controlPlane: ControlPlane): Promise<Properties> =>
      meaningful({ ...(await read(args.parse(given), controlPlane)) }),
  };
}

const text = z.string("must be a string").refine((value) => value.trim() !== "", "must not be empty");
const known = z.string().optional();
const Found = z
  .object({
    id: z.string().describe("The id of the deployment."),
    name: z.string().describe("The name of the deployment."),
    source: known.describe("Where its code comes from: `internal_source`, `github` or `external_docker`."),
    latestRevisionId: known.describe("Its newest revision."),
  })
  .meta({ title: "FoundDeployment" });

/** The functions by their tokens. */
export const FUNCTIONS = {
  "graph-deploy:index:getDeployment": define({
    description: "Reads a deployment by its id or its exact name. Fails if it does not exist.",
    args: z.strictObject(LOOKUP_KEYS).refine(...ONE_KEY),
    result: Found.extend({
      status: known.describe("The status of its newest revision: DEPLOYED when that is live."),
      url: known.describe("Address of the agent, if the service returns it."),
      createdAt: known.describe("When it was created, ISO 8601."),
    } satisfies Record<Exclude<keyof FoundDeployment, keyof typeof Found.shape>, z.ZodType>),
    read: async ({ id, name }, controlPlane) => await lookUp(id ?? name ?? "", controlPlane),
  }),
  "graph-deploy:index:getDeployments": define({
    description: "Lists the deployments that the provider can read.",
    args: z.strictObject({
      nameContains: text.optional().describe("Only those whose name contains this text."),
    }),
    result: z.object({ deployments: z.array(Found).describe("In the order of the service.") }),
    read: async ({ nameContains = "" }, controlPlane) => {
      const query: Readonly<Record<string, string>> = nameContains === "" ? {} : { name_contains: nameContains };
      const deployments: Properties[] = [];
      for await (const { id, name, source, latest_revision_id: latest } of controlPlane.list(query)) {
        // A service may not know the query.
        if ((name ?? "").includes(nameContains)) {
          deployments.push(meaningful({ id, name: name ?? id, source, latestRevisionId: latest }));
        }
      }
      return { deployments };
    },
  }),
  "graph-deploy:index:getRevision": define({
    description: "Reads a revision of a deployment. Fails if it does not exist.",
    args: z.strictObject({
      deploymentId: text.describe("The id of the deployment."),
      revisionId: text.describe("The id of the revision."),
    }),
    result: z.object({
      revisionId: z.string().describe("The id of the revision."),
      status: z.string().describe("DEPLOYED when it is live."),
      source: known.describe("Where its code comes from."),
      createdAt: known.describe("When it was created, ISO 8601."),
      repoRef: known.describe("The branch or tag, if the source is a repository."),
      repoCommitSha: known.describe("The commit, if the source is a repository."),
      graphConfigPath: known.describe("The configuration file."),
      imageUri: known.describe("The image, if the source is an image."),
    }),
    read: async ({ deploymentId, revisionId }, controlPlane) => {
      const revision = await controlPlane.revision(deploymentId, revisionId);
      const { id, status, source, created_at: createdAt, source_revision_config: config } = revision;
      return {
        revisionId: id,
        status,
        source,
        createdAt,
        repoRef: config?.repo_ref,
        repoCommitSha: config?.repo_commit_sha,
        graphConfigPath: config?.graph_config_path,
        imageUri: config?.image_uri,
      };
    },
  }),
};
