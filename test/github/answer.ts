/** What is sent back for a request, before it is bytes. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Thrown where a request is refused: the status and the words that GitHub uses. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, message: string, more: { headers?: Record<string, string>; errors?: unknown[] } = {}) {
    super(message);
    const { headers = {}, errors } = more;
    const body = { message, ...(errors === undefined ? {} : { errors }), documentation_url: DOCUMENTATION };
    this.answer = { status, headers, body: { ...body, status: String(status) } };
  }
}

const DOCUMENTATION = "https://docs.github.com/rest";

/** A field of a body that cannot be used. */
export function invalid(resource: string, field: string, message: string): Refusal {
  return new Refusal(422, "Validation Failed", { errors: [{ resource, code: "custom", field, message }] });
}

export function notFound(): Refusal {
  return new Refusal(404, "Not Found");
}
