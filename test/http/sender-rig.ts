import { testWith } from "../test-with.ts";
import { onTestFinished } from "vitest";
import { Redactor } from "../../src/http/redactor.ts";
import type { RetryNotice } from "../../src/http/retry.ts";
import type { SendRequest } from "../../src/http/sender.ts";
import { Sender } from "../../src/http/sender.ts";
import { Transport, type TransportAnswer } from "../../src/http/transport.ts";
import { FastClock } from "../wire/clocks.ts";
import { startFaultServer, type Handler } from "../wire/fault-server.ts";

/** A sender in front of a fault server, and what it does. */
export async function senderRig(handler: Handler = () => ({ status: 200, body: "well" })) {
  const server = await startFaultServer(handler);
  const transport = new Transport();
  onTestFinished(() => transport[Symbol.asyncDispose]());
  const clock = new FastClock();
  const notices: RetryNotice[] = [];
  const redactor = new Redactor();
  // Without jitter, so that a pause that nobody asked for takes half of its ceiling.
  const onRetry = (notice: RetryNotice) => notices.push(notice);
  const sender = new Sender({ transport, redactor, clock, random: () => 0.5, onRetry });
  const cancel = new AbortController();
  const request = (change: Partial<SendRequest> = {}): SendRequest => ({
    method: "GET",
    url: new URL(`${server.url}/thing?signature=sealed`),
    headers: {},
    stallMilliseconds: 20_000,
    attemptMilliseconds: 10_000,
    deadlineMilliseconds: 60_000,
    signal: cancel.signal,
    ...change,
  });
  const textOf = ({ body }: TransportAnswer) => body.toString("utf8");
  return {
    server,
    clock,
    notices,
    redactor,
    cancel,
    request,
    send: (change: Partial<SendRequest> = {}, read = textOf) => sender.send(request(change), read),
  };
}

export const withSender = testWith(senderRig);
