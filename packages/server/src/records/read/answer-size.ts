/** Approximate limit of the JSON in one response, which is built in memory. */
export const MAX_ANSWER_BYTES = 32 * 2 ** 20;

/** Approximate limit of the JSON in one page of a list. */
export const MAX_PAGE_BYTES = 2 ** 20;

/** The main thread parses a long history in parts, truncated to about this size. */
export const MAX_PARSED_BYTES = 2 * 2 ** 20;

/** Maximum number of actions of a history in one response. */
export const MAX_ANSWER_ACTIONS = 10_000;

/**
 * Maximum number of attributions of actions, and separately of contents, that a read of a history collects. Beyond it,
 * the response has at most this number of records and contents together.
 */
export const MAX_ANSWER_ITEMS = 50_000;
