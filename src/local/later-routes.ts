import { Refusal } from "./refusal.ts";

// service.md §4.2 and §4.3, with and without the prefix of §9.
const AREA_B = /^(?:\/api\/v1)?\/(?:runs(?:\/.*)?|datasets\/upload-experiment)$/;

/** Throws 501 for what service.md has and this service does not do yet. */
export function refuseWhatComesLater(path: string): void {
  if (!AREA_B.test(path)) return;
  throw new Refusal(501, "This local service does not take runs and experiments; it has deployments only.");
}
