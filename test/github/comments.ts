import { invalid, notFound } from "./answer.ts";
import { Lag } from "./lag.ts";
import type { World } from "./world.ts";

/** A comment below a pull request. */
export interface Comment {
  readonly id: number;
  readonly pull: number;
  readonly login: string;
  readonly createdAt: string;
  updatedAt: string;
  body: string;
  isMinimized: boolean;
}

/** From here GitHub says 422. */
const LONGEST_BODY = 65_536;

/** The comments of a repository. */
export class Comments {
  readonly lag: Lag;
  /** Bodies come back with CRLF, as those that a person edited on the page do. */
  crlf = false;
  readonly #world: World;
  readonly #comments = new Map<number, Comment>();

  constructor(world: World) {
    this.#world = world;
    this.lag = new Lag(() => world.now().getTime());
  }

  /** All of a pull request, oldest first, whether or not they are listed yet. */
  of(pull: number): readonly Comment[] {
    return [...this.#comments.values()].filter((comment) => comment.pull === pull);
  }

  /** One answer to a request for the list. */
  list(pull: number): readonly Comment[] {
    return this.lag.listed(this.of(pull));
  }

  find(id: number): Comment {
    const comment = this.#comments.get(id);
    if (comment === undefined) throw notFound();
    return comment;
  }

  create(pull: number, login: string, body: string): Comment {
    const now = this.#world.timestamp();
    const text = this.#stored(body);
    const comment = { id: this.#world.nextId(), pull, login, createdAt: now, updatedAt: now, body: text };
    const created: Comment = { ...comment, isMinimized: false };
    this.#comments.set(created.id, created);
    this.lag.made(created.id);
    return created;
  }

  edit(id: number, body: string): Comment {
    const comment = this.find(id);
    comment.body = this.#stored(body);
    comment.updatedAt = this.#world.timestamp();
    return comment;
  }

  delete(id: number): void {
    this.find(id);
    this.#comments.delete(id);
  }

  #stored(body: string): string {
    if (body.length > LONGEST_BODY) {
      throw invalid("IssueComment", "data", `Body is too long (maximum is ${LONGEST_BODY} characters)`);
    }
    if (body.trim() === "") throw invalid("IssueComment", "data", "Body cannot be blank");
    return this.crlf ? body.replaceAll(/\r?\n/g, "\r\n") : body;
  }

  /** As the REST API shows it. */
  view(comment: Comment): object {
    const { id, pull, login, body, createdAt, updatedAt } = comment;
    const url = `${this.#world.address}/issues/comments/${String(id)}`;
    return {
      id,
      node_id: `IC_${String(id)}`,
      url,
      html_url: `${this.#world.page}/pull/${String(pull)}#issuecomment-${String(id)}`,
      issue_url: `${this.#world.address}/issues/${String(pull)}`,
      user: this.#world.user(login),
      body,
      created_at: createdAt,
      updated_at: updatedAt,
      author_association: "NONE",
    };
  }
}
