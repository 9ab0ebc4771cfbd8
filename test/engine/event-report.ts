import type { DiagnosticEvent, EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { diagnostic } from "./diagnostic.ts";
import { STACK_TYPE } from "./resource-state.ts";
import type { OpenStep, RunReport } from "./run-report.ts";
import type { Diagnostic } from "./stack.ts";

// How the engine prints a refused resource; the value that follows the property is not worth a group.
const REFUSAL =
  /^\S+ resource '(?<name>[^']*)'(?:: property (?<property>\S+) value .*?)? has a problem: (?<reason>.*)$/su;

// The engine marks colours by name, for a terminal to come.
const COLOUR = /<\{%.*?%\}>/gu;

/** Turns the real engine's events into a report in the words of both engines. */
export class EventReport {
  readonly #report: RunReport;
  readonly #open = new Map<string, OpenStep>();

  constructor(report: RunReport) {
    this.#report = report;
  }

  take(event: EngineEvent): void {
    const { resourcePreEvent, resOutputsEvent, resOpFailedEvent, diagnosticEvent } = event;
    if (resourcePreEvent !== undefined) this.#start(resourcePreEvent.metadata);
    if (resOutputsEvent !== undefined) this.#end(resOutputsEvent.metadata);
    if (resOpFailedEvent !== undefined) {
      const step = this.#step(resOpFailedEvent.metadata);
      if (step !== undefined) step.failed = true;
    }
    if (diagnosticEvent !== undefined) this.#log(diagnosticEvent);
  }

  #log({
    severity,
    message: coloured,
    urn = "",
    ephemeral = false,
  }: Omit<DiagnosticEvent, "severity"> & { severity: string }): void {
    const message = coloured.replace(COLOUR, "").trimEnd();
    // The log of events has what --debug would show as well, and an error that only says that there were others.
    if (!isShown(severity) || /^(?:update|preview) failed$/u.test(message)) return;
    this.#report.log(diagnostic(severity, message, { urn: urn.includes(`::${STACK_TYPE}::`) ? "" : urn, ephemeral }));
    const refusal = severity === "error" ? REFUSAL.exec(message)?.groups : undefined;
    if (refusal === undefined) return;
    const { name = "", property = "", reason = "" } = refusal;
    this.#report.refuse({ name, property, reason });
  }

  #start(metadata: StepEventMetadata): void {
    if (metadata.type === STACK_TYPE || metadata.type.startsWith("pulumi:providers:")) return;
    const { op, urn, type } = metadata;
    const name = urn.slice(urn.lastIndexOf("::") + 2);
    const step = this.#report.step(op, { urn, type, name });
    this.#open.set(`${op} ${urn}`, step);
  }

  #end(metadata: StepEventMetadata): void {
    const step = this.#open.get(`refresh ${metadata.urn}`);
    // The end of a refresh is reported with what it found.
    if (step?.op === "refresh" && isFinding(metadata.op)) step.found = metadata.op;
  }

  #step({ op, urn }: StepEventMetadata): OpenStep | undefined {
    return this.#open.get(`${op} ${urn}`);
  }
}

function isShown(severity: string): severity is Diagnostic["severity"] {
  return severity === "info" || severity === "info#err" || severity === "warning" || severity === "error";
}

function isFinding(op: string): op is "same" | "update" | "delete" {
  return op === "same" || op === "update" || op === "delete";
}
