import { connectTo } from "../../src/connection.ts";
import { withoutFullStop } from "../../src/text/reasons.ts";
import { BestEffort } from "../github/best-effort.ts";
import { connectGitHub, type GitHub } from "../github/client.ts";
import { GitHubError } from "../github/errors.ts";
import { marksOf } from "../github/records/place.ts";
import { repositoryIdOf } from "../github/repository-id.ts";
import { reachService } from "../../front/steps/rehearsal.ts";
import { retriesTo, type Surroundings } from "../../front/steps/run-step.ts";
import { UnknownStateError } from "./errors.ts";
import type { RemoveStepEvent } from "./events.ts";
import type { RemovalInputs, RemoveInputs } from "./inputs.ts";
import { findPreviews } from "./previews.ts";
import { Remover } from "./remover.ts";

export async function carryOut(
  inputs: RemoveInputs,
  { host, redactor, signal, emit, clock, random = Math.random }: Surroundings<RemoveStepEvent>,
): Promise<void> {
  const begin = clock.now();
  if (inputs.task !== "skip") {
    const { stem, which, isOnlyOwner, environment, connection } = inputs;
    await using reached = await reachService(connection.service, host.place, connection.fieldNames);
    const onRetry = retriesTo(emit);
    const shared = { redactor, signal, clock, random, onRetry };
    await using control = connectTo(reached.endpoint, { ...connection, ...shared });
    const { controlPlane } = control;
    const { url } = reached.endpoint;
    const { tenantId } = connection;
    const { service } = marksOf(url, tenantId);
    await using github = connectGitHub(inputs.github, shared);
    const names = { ...stem, repository: await repositoryOf(github, inputs) };
    const previews = await findPreviews(which, { controlPlane, names });
    emit({ type: "previews-found", name: stem.stem, previews });
    const bestEffort = new BestEffort((message) => {
      emit({ type: "warning", message });
    });
    const look = { controlPlane, github, bestEffort, names, isOnlyOwner, service, environment, url, tenantId };
    const redact = (text: string): string => redactor.text(text);
    await new Remover(inputs, { ...look, clock, random, signal, emit, redact }).run(previews);
  }
  emit({ type: "ended", milliseconds: clock.now() - begin, error: undefined });
}

async function repositoryOf(github: GitHub, inputs: RemovalInputs): Promise<string> {
  try {
    return await repositoryIdOf(github, inputs.github);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    throw new UnknownStateError(`The id of the repository could not be read: ${withoutFullStop(error.message)}.`, {
      cause: error,
      advice: "Nothing was removed.",
    });
  }
}
