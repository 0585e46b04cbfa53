/** About how much JSON one answer may hold: it is made in memory. */
export const MAX_ANSWER_BYTES = 32 * 2 ** 20;

/** Most actions of a history that is read at once. */
export const MAX_ANSWER_ACTIONS = 10_000;
