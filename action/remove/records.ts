import * as z from "zod";
import type { GitHub } from "../github/client.ts";
import { isStatus } from "../github/errors.ts";

const Record = z.object({ id: z.int(), task: z.string() });

const MOST_PAGES = 10;

/** The task of the deployment records of a deployment. */
function taskOf(name: string): string {
  return `deploy:${name}`;
}

/** True if this repository has a deployment record of the name. */
export async function hasRecord(github: GitHub, name: string): Promise<boolean> {
  return (await recordsOf(github, name)).length > 0;
}

/** Retires and deletes every deployment record of the name. */
export async function removeRecords(github: GitHub, name: string): Promise<void> {
  for (const id of await recordsOf(github, name)) {
    const parameters = { deployment_id: id };
    const route = "POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
    // A record that is active cannot be deleted.
    await github.request(route, { ...parameters, state: "inactive" });
    await github.request("DELETE /repos/{owner}/{repo}/deployments/{deployment_id}", parameters).catch(ignoreMissing);
  }
}

async function recordsOf(github: GitHub, name: string): Promise<readonly number[]> {
  const task = taskOf(name);
  const ids: number[] = [];
  const route = "GET /repos/{owner}/{repo}/deployments";
  for await (const page of github.pages(route, { task }, { mostPages: MOST_PAGES })) {
    for (const item of page) {
      const { success, data } = Record.safeParse(item);
      if (success && data.task === task) ids.push(data.id);
    }
  }
  return ids;
}

function ignoreMissing(error: unknown): void {
  if (!isStatus(error, 404)) throw error;
}
