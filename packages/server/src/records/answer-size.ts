/** About how much JSON one answer may hold: it is made in memory. */
export const MAX_ANSWER_BYTES = 32 * 2 ** 20;
