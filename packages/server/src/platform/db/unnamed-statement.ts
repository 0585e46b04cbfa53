/**
 * The begin of a text that the databases never prepare. For statements whose text depends on a combination of options of
 * a caller: otherwise, one project could use up all prepared statements of the process.
 */
export const UNNAMED = '/* unnamed */ ';
