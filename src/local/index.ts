/** The local service: a control plane with its agent servers, experiments and traces, on loopback. */
export { AgentCommandError } from "./agents/command.ts";
export { DataDirectoryError } from "./state/data-directory.ts";
export type { DeploymentView, RevisionView } from "./deployments/view.ts";
export type { ExperimentStatistics } from "./experiments/statistics.ts";
export type { Counted, DatasetView, ExperimentView } from "./experiments/view.ts";
export {
  experimentTooLarge,
  noDelete,
  noList,
  noLogs,
  uploadRefused,
  uploadUrlOnlyUnderV2,
  type FaultAction,
  type FaultHandle,
  type FaultMatch,
  type FaultMoment,
  type FaultRule,
  type Faults,
  type ServiceConditions,
} from "./faults/faults.ts";
export { machineEnvironment } from "./agents/machine-environment.ts";
export type { CompareExperiments, ShownComparison, StoredExperiment } from "../pages/experiment-comparison.ts";
export type { RevisionConfig } from "./state/revision-store.ts";
export type { LocalServiceOptions } from "./options.ts";
export type { RecordedRequest } from "./http/request-record.ts";
export type { RawJson } from "./http/raw-json.ts";
export type { RevisionFate, RunFate } from "./faults/fates.ts";
export { PortTakenError, startLocalService, type LocalRevision, type LocalService } from "./service.ts";
