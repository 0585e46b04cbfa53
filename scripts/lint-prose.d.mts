export function lintProse(root?: string): string[];
