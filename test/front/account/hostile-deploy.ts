import fc from "fast-check";
import { InputsError } from "../../../front/options/inputs-error.ts";
import { ApplyError, RevisionFailedError } from "../../../src/deployment/errors.ts";
import type { DeployEvent } from "../../../src/deployment/events.ts";
import { archive, beat, deployment, ended, revision, seen, STARTED, tree } from "./deploy-events.ts";
import { hostileText } from "./hostile-text.ts";

/** A secret that some of the hostile texts hold. */
export const SECRET = "s3cr3t-value";

/** A deploy that fails, in which every text from outside is hostile. */
export const hostileDeploy: fc.Arbitrary<readonly DeployEvent[]> = fc
  .array(hostileText, { minLength: 12, maxLength: 12 })
  .map((texts) => {
    const [a = "", b = "", c = "", d = "", e = "", f = "", g = "", h = "", i = "", j = "", k = "", l = ""] = texts;
    return [
      { type: "source-read", tree: hostileTree(a, b, c) },
      {
        type: "deployment-found",
        deployment: deployment({
          id: l,
          name: d,
          source: e,
          active_revision_id: k,
          source_revision_config: { graph_config_path: f, image_uri: g },
          secrets: [{ name: h }],
        }),
      },
      { type: "rollback", revision: revision(a, { id: b, created_at: c }), from: d },
      { type: "image-tagged", image: e, tag: f },
      { type: "source-packed", archive: archive({ warnings: [a] }), milliseconds: 10 },
      { type: "recalled", verdict: "new", reason: g },
      { type: "source-hashed", digest: h },
      { ...STARTED, type: "revision-started", deploymentId: l, revisionId: i, status: l, resumed: true },
      seen(j, 1, { status_message: k, source_revision_config: { graph_config_path: l, image_uri: a } }),
      beat(j, 31),
      { type: "look-failed", message: b },
      { type: "agent-waiting", url: c, reason: d, elapsedMilliseconds: 1_000 },
      { type: "agent-running", url: c, graph: a, elapsedMilliseconds: 30_000 },
      { type: "agent-answered", url: c, milliseconds: 84, graphs: undefined, version: e },
      { type: "revision-live", deployment: deployment({ secrets: [{ name: g }] }), url: c },
      {
        type: "retry",
        notice: { target: e, attempt: 1, mostAttempts: 4, delayMilliseconds: 10, reason: f },
      },
      { type: "revision-logs", kind: "build", lines: texts.map((message) => ({ message })) },
      ...texts.map((message): DeployEvent => ({ type: "warning", message })),
      hostileEnd(texts),
    ];
  });

function hostileTree(a: string, b: string, c: string) {
  return tree({
    root: a,
    graphConfigPath: b,
    graphs: [{ id: c, file: a, exportName: b }],
    envFile: a,
    entries: [
      { path: b, type: "file", size: 1, mode: 0o644 },
      { path: c, type: "symlink", size: 0, mode: 0o644, target: a },
    ],
    leftOut: [
      { what: a, reason: "secret", files: 1, atLeast: false },
      { what: b, reason: "built-in", files: 2, atLeast: true },
      { what: c, reason: "rule", files: 3, atLeast: false },
    ],
    warnings: [c],
  });
}

function hostileEnd(texts: readonly string[]): DeployEvent {
  const [a = "", b = "", c = "", d = ""] = texts;
  const errors = [
    new RevisionFailedError("build-failed", a, { advice: b }),
    new ApplyError(a, { advice: b, cause: new Error(c) }),
    new InputsError([
      { input: a, message: b },
      { input: c, message: d },
    ]),
    new Error(a),
  ];
  return ended("build-failed", 60, errors[a.length % errors.length]);
}

/** The dry run of a deploy, in which every text from outside is hostile. */
export const hostileDryRun: fc.Arbitrary<readonly DeployEvent[]> = fc
  .array(hostileText, { minLength: 8, maxLength: 8 })
  .map(([a = "", b = "", c = "", d = "", e = "", f = "", g = "", h = ""]) => [
    {
      type: "planned",
      change: {
        target: "update",
        name: a,
        source: "internal_source",
        deployment: deployment({ id: b }),
        latestRevision: revision(c, { id: d }),
        fields: [{ name: e, before: f, after: g }],
        secretNames: [h],
      },
    },
    ended("dry-run", 1),
  ]);
