interface Entry {
  link?: boolean;
  resolved?: string;
}

export function reachable(packages: Record<string, Entry>, workspaces: readonly string[]): string[];
export function find(packages: Record<string, Entry>, path: string, name: string): string | undefined;
