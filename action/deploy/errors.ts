import { PlanError } from "../../src/deployment/errors.ts";

/** A deployment has the name of the preview, and nothing proves that it belongs to this repository. */
export class NotOursError extends PlanError {}
