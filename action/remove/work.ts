import { connectTo } from "../../src/connection.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
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

export async function carryOut(inputs: RemoveInputs, surroundings: Surroundings<RemoveStepEvent>): Promise<void> {
  const { clock } = surroundings;
  const begin = clock.now();
  if (inputs.task !== "skip") {
    const { service, fieldNames } = inputs.connection;
    await using reached = await reachService(service, surroundings.host.place, fieldNames);
    await removeAt(reached.endpoint, inputs, surroundings);
  }
  surroundings.emit({ type: "ended", milliseconds: clock.now() - begin, error: undefined });
}

async function removeAt(
  endpoint: Endpoint,
  inputs: RemovalInputs,
  { redactor, signal, emit, clock, random = Math.random }: Surroundings<RemoveStepEvent>,
): Promise<void> {
  const onRetry = retriesTo(emit);
  await using connection = connectTo(endpoint, { ...inputs.connection, redactor, signal, clock, random, onRetry });
  const { controlPlane } = connection;
  const { stem, which, isOnlyOwner, environment } = inputs;
  const { url } = endpoint;
  const { tenantId } = inputs.connection;
  const { service } = marksOf(url, tenantId);
  await using github = connectGitHub(inputs.github, { redactor, signal, clock, random, onRetry });
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
