import { describe, expect, it } from "vitest";
import { fanOut, type Reporter } from "../../../front/account/reporters.ts";
import type { DeployEvent } from "../../../src/deployment/events.ts";
import { ended, NEW, STARTED } from "./deploy-events.ts";

class Listener implements Reporter<DeployEvent> {
  readonly name: string;
  readonly heard: DeployEvent[] = [];
  readonly #fault: unknown;

  constructor(name: string, fault?: unknown) {
    this.name = name;
    this.#fault = fault;
  }

  report(event: DeployEvent): void {
    this.heard.push(event);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- libraries throw anything
    if (this.#fault !== undefined) throw this.#fault;
  }
}

const EVENTS = [NEW, STARTED, ended("deployed", 1)];

describe("reporters", () => {
  it("all hear every event in order", () => {
    const listeners = [new Listener("log"), new Listener("outputs")];
    const emit = fanOut(listeners, "deploy");
    for (const event of EVENTS) emit(event);
    for (const { heard } of listeners) expect(heard).toEqual(EVENTS);
  });

  it("that throw still receive events, and the others get one warning", () => {
    const [log, faulty, outputs] = [
      new Listener("log"),
      new Listener("comment", new Error("no access")),
      new Listener("outputs"),
    ];
    const emit = fanOut([log, faulty, outputs], "deploy");
    for (const event of EVENTS) emit(event);
    const warning = { type: "warning", message: "The comment is incomplete: no access. The deploy continues." };
    expect(log.heard).toEqual([NEW, warning, ...EVENTS.slice(1)]);
    expect(outputs.heard).toEqual([warning, ...EVENTS]);
    expect(faulty.heard).toEqual(EVENTS);
  });

  it("never fail the deploy, not even when all of them throw, and whatever they throw", () => {
    const listeners = [
      new Listener("a", "text"),
      new Listener("b", Object.create(null)),
      new Listener("c", new Error("x")),
    ];
    const emit = fanOut(listeners, "deploy");
    for (const event of EVENTS) expect(() => emit(event)).not.toThrow();
    for (const { heard } of listeners) expect(heard).toEqual(expect.arrayContaining(EVENTS));
  });
});
