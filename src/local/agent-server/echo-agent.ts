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

/** The result of a run: its states and what it adds, or a failure in the form of agent servers. */
export type EchoEnding =
  | {
      readonly ok: true;
      /** The state with the input in it. */
      readonly begin: EchoState;
      /** What the run adds to that. */
      readonly update: EchoState;
      /** The final state. */
      readonly state: EchoState;
    }
  | { readonly ok: false; readonly failure: { readonly error: string; readonly message: string } };

export type EchoState = Readonly<Record<string, unknown>>;

const WHO = "This is the built-in agent of the local service. It does not run the project; it repeats its input";

const State = z.record(z.string(), z.unknown());
const Failing = z.looseObject({ fail: z.string() });
const Chat = z.looseObject({ messages: z.array(z.unknown()) });
const Message = z.looseObject({ content: z.unknown() });

/**
 * Stands in for the graphs of a project: adds to the state `before` it what is `recorded` for the input; else returns the
 * input with `echo`, or with one more message if it is a chat. Then it fails for the input `{"fail": "MESSAGE"}`. Anything
 * but an object is an error.
 */
export function runEcho(input: unknown, before: EchoState, recorded?: EchoState): EchoEnding {
  const given = State.safeParse(input);
  if (!given.success) return failure("InvalidInputError", "The input must be an object.");
  if (recorded) {
    const after = (added: EchoState) => ({ ...before, ...added, ...messagesOf(before, added) });
    return { ok: true, begin: after(given.data), update: recorded, state: after(recorded) };
  }
  const failing = Failing.safeParse(input);
  if (failing.success) return failure("EchoError", failing.data.fail);
  const said = Chat.safeParse(input);
  if (!said.success) {
    const begin = { ...before, ...given.data };
    const update = { echo: `${WHO}.` };
    return { ok: true, begin, update, state: { ...begin, ...update } };
  }
  const messages = [...(Chat.safeParse(before).data?.messages ?? []), ...said.data.messages];
  const reply = replyTo(messages);
  const begin = { ...before, ...given.data, messages };
  return { ok: true, begin, update: { messages: [reply] }, state: { ...begin, messages: [...messages, reply] } };
}

// A thread keeps all messages of its runs.
function messagesOf(before: EchoState, added: EchoState) {
  const earlier = Chat.safeParse(before);
  const said = Chat.safeParse(added);
  return earlier.success && said.success ? { messages: [...earlier.data.messages, ...said.data.messages] } : {};
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
