import * as z from "zod";

/** What the built-in agent takes and gives: any object. */
export const ECHO_SCHEMA = {
  type: "object",
  description: "Any object; the built-in agent gives it back.",
  properties: {
    messages: { type: "array", description: "The echo is one more message at the end." },
    fail: { type: "string", description: "Lets the run fail with this message." },
  },
  additionalProperties: true,
} as const;

/** The one node of the built-in agent. */
export const ECHO_GRAPH = {
  nodes: [
    { id: "__start__", type: "runnable" },
    { id: "echo", type: "runnable" },
    { id: "__end__", type: "runnable" },
  ],
  edges: [
    { source: "__start__", target: "echo" },
    { source: "echo", target: "__end__" },
  ],
} as const;

/** How a run of the built-in agent ends: a state, and what of it is new; or a failure in the form of agent servers. */
export type EchoEnding =
  | { readonly ok: true; readonly state: EchoState; readonly update: EchoState }
  | { readonly ok: false; readonly failure: { readonly error: string; readonly message: string } };

type EchoState = Readonly<Record<string, unknown>>;

const WHO = "This is the built-in agent of the local service. It runs no project and repeats what it is given";

const State = z.record(z.string(), z.unknown());
const Failing = z.looseObject({ fail: z.string() });
const Chat = z.looseObject({ messages: z.array(z.unknown()) });
const Message = z.looseObject({ content: z.unknown() });

/**
 * Stands in for the graphs of a project that nobody runs: gives its input back with `echo`, or with one more message
 * where it is a chat. An input `{"fail": "MESSAGE"}` lets it fail, and so does one that is no object.
 */
export function runEcho(input: unknown): EchoEnding {
  const state = State.safeParse(input);
  if (!state.success) return failure("InvalidInputError", "The input must be an object.");
  const failing = Failing.safeParse(input);
  if (failing.success) return failure("EchoError", failing.data.fail);
  const chat = Chat.safeParse(input);
  const update = chat.success ? { messages: [replyTo(chat.data.messages)] } : { echo: `${WHO}.` };
  const messages = chat.success ? { messages: [...chat.data.messages, ...(update.messages ?? [])] } : {};
  return { ok: true, state: { ...state.data, ...update, ...messages }, update };
}

function replyTo(messages: readonly unknown[]) {
  const last = Message.safeParse(messages.at(-1));
  const said = last.success ? last.data.content : undefined;
  const content = typeof said === "string" ? said : JSON.stringify(said ?? null);
  return { type: "ai", content: `${WHO}: ${content}` };
}

function failure(error: string, message: string): EchoEnding {
  return { ok: false, failure: { error, message } };
}
