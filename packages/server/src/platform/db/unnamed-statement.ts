/**
 * The databases never prepare a statement whose text begins with this comment. Use it for a statement whose text
 * depends on options of the caller: each combination of options is another text, so a single project could use up all
 * prepared statements of the process.
 */
export const UNNAMED = '/* unnamed */ ';
