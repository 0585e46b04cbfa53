export function transpile(root: string): Promise<number>;
