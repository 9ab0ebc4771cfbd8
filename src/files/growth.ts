/** How many rows a table has room for that was full with so many: a quarter more, since what is free is taken as well. */
export function grown(rows: number): number {
  return Math.ceil(1.25 * rows);
}
