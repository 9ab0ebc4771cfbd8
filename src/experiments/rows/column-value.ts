/** A value in a column, as it is compared: as a text without blanks around it, in its own case. */
export interface ColumnValue {
  readonly column: string;
  readonly value: string;
}
