/** About how much JSON one answer may hold: it is made in memory. */
export const MAX_ANSWER_BYTES = 32 * 2 ** 20;

/** About how much JSON of a history the main thread parses: it takes some tens of milliseconds. */
export const MAX_PARSED_BYTES = 2 * 2 ** 20;

/** Most actions of a history that is read at once. */
export const MAX_ANSWER_ACTIONS = 10_000;
