/** Approximate limit of the JSON in one response, which is built in memory. */
export const MAX_ANSWER_BYTES = 32 * 2 ** 20;

/** Approximate limit of the JSON in one page of a list. The statement for a page takes some tens of milliseconds. */
export const MAX_PAGE_BYTES = 2 ** 20;

/** The main thread parses a long history in parts. A history with more JSON than about this size is truncated. */
export const MAX_PARSED_BYTES = 2 * 2 ** 20;

/** Maximum number of actions of a history in one response. */
export const MAX_ANSWER_ACTIONS = 10_000;

/**
 * Maximum number of attributions of actions that a read of a history collects. The same maximum applies separately to
 * the attributions of contents. If one of the two numbers exceeds it, the read of these attributions ends, and the
 * response has at most this number of records and contents together.
 */
export const MAX_ANSWER_ITEMS = 50_000;
