import * as z from "zod";

/** Input and output of the built-in agent: any object. */
export const ECHO_SCHEMA = {
  type: "object",
  description: "Any object; the built-in agent returns it.",
  properties: {
    messages: { type: "array", description: "The echo is appended as one more message." },
    fail: { type: "string", description: "Makes the run fail with this message." },
  },
  additionalProperties: true,
} as const;

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

/** The result of a run: the final state and what the run added to it, or a failure in the form of agent servers. */
export type EchoEnding =
  | { readonly ok: true; readonly state: EchoState; readonly update: EchoState }
  | { readonly ok: false; readonly failure: { readonly error: string; readonly message: string } };

type EchoState = Readonly<Record<string, unknown>>;

const WHO = "This is the built-in agent of the local service. It does not run the project; it repeats its input";

const State = z.record(z.string(), z.unknown());
const Failing = z.looseObject({ fail: z.string() });
const Chat = z.looseObject({ messages: z.array(z.unknown()) });
const Message = z.looseObject({ content: z.unknown() });

/**
 * Stands in for the graphs of a project: returns the input with `echo`, or with one more message if it is a chat. It
 * fails for the input `{"fail": "MESSAGE"}`, and for anything but an object.
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
  const text = last.success ? last.data.content : undefined;
  const content = typeof text === "string" ? text : JSON.stringify(text ?? null);
  return { type: "ai", content: `${WHO}: ${content}` };
}

function failure(error: string, message: string): EchoEnding {
  return { ok: false, failure: { error, message } };
}
