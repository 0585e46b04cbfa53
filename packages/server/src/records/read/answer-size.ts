/** Approximate limit of the JSON in one response, which is built in memory. */
export const MAX_ANSWER_BYTES = 32 * 2 ** 20;

/** Approximate limit of the JSON in one page of a list. The statement for a page takes some tens of milliseconds. */
export const MAX_PAGE_BYTES = 2 ** 20;

/** The main thread parses a long history in parts. A history with more JSON than about this size is truncated. */
export const MAX_PARSED_BYTES = 2 * 2 ** 20;

/** Maximum number of actions of a history in one response. */
export const MAX_ANSWER_ACTIONS = 10_000;

/**
 * Number of attributions after which the read of a history ends. The attributions of actions and those of contents
 * count separately. When a read ends there, the response has at most this number of records and contents.
 */
export const MAX_ANSWER_ITEMS = 50_000;
