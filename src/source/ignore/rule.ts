/** Why something is left out, kept with each decision so that a message can name it. */
export interface Rule {
  readonly reason: LeftOutReason;
  /** What people see in the list of what was left out: `node_modules`, `*.pem`, `.gitignore`. */
  readonly name: string;
  /** The rule as a phrase: `.gitignore line 3 (*.json)`. */
  readonly label: string;
}

/** `secret`: could leak a credential. `built-in`: what no deployment needs. `rule`: what the user wrote. */
export type LeftOutReason = "built-in" | "rule" | "secret";
