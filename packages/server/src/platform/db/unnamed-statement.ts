/**
 * The databases never prepare a statement whose text begins with this comment. It is for statements whose text depends
 * on a combination of options of a caller. Otherwise, one project could use up all prepared statements of the process.
 */
export const UNNAMED = '/* unnamed */ ';
