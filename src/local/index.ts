/** The embedded service: what a control plane and its agent servers do, and what takes experiments and traces, on loopback. */
export { AgentCommandError } from "./agent-command.ts";
export { DataDirectoryError } from "./database.ts";
export type { DeploymentView, RevisionView } from "./deployment-view.ts";
export type { DatasetView, ExperimentView } from "./experiment-view.ts";
export { experimentTooLarge, noDelete, noList, noLogs, uploadRefused, uploadUrlOnlyUnderV2 } from "./fault-rules.ts";
export type {
  FaultAction,
  FaultHandle,
  FaultMatch,
  FaultMoment,
  FaultRule,
  Faults,
  ServiceConditions,
} from "./faults.ts";
export { machineEnvironment } from "./machine-environment.ts";
export type { LocalServiceOptions } from "./options.ts";
export type { RecordedRequest } from "./request-record.ts";
export type { RevisionFate } from "./revision-fate.ts";
export { PortTakenError, startLocalService, type LocalRevision, type LocalService } from "./service.ts";
