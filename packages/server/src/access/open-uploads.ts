/** Uploads that this process receives, by project. */
export interface OpenUploads {
  /** Most of one project at a time. */
  limit: number;
  /** Counts an upload until `end` is called; undefined when the project has as many as it may, by `own` if given. */
  begin(projectId: string, own?: number): { end(): void } | undefined;
}

export function createOpenUploads(limit: number): OpenUploads {
  const open = new Map<string, number>();
  const add = (projectId: string, change: number) => {
    const count = (open.get(projectId) ?? 0) + change;
    if (count === 0) open.delete(projectId);
    else open.set(projectId, count);
  };
  return {
    limit,
    begin(projectId, own = limit) {
      if ((open.get(projectId) ?? 0) >= own) return undefined;
      add(projectId, 1);
      return { end: () => add(projectId, -1) };
    },
  };
}
