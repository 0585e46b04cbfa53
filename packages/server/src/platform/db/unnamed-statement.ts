/**
 * The databases never prepare a statement that begins with this comment. Use it for a text that depends on options of
 * the caller: one project could otherwise use up all prepared statements.
 */
export const UNNAMED = '/* unnamed */ ';
