import { constants } from "node:fs";

/**
 * How a file of the tree is opened: a name that became a link since we looked is refused, and one that became a FIFO
 * does not block. Windows has neither flag: undefined there, which counts as 0.
 */
export const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
