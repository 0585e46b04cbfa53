/** What this process receives, by project: uploads, or bytes of bodies. */
export interface OpenUploads {
  /** Most of one project at a time. */
  limit: number;
  /**
   * Counts an upload, or so many bytes, until `end` is called; undefined when the project would have more than it may, by
   * `own` if given.
   */
  begin(projectId: string, own?: number, count?: number): { end(): void } | undefined;
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
    begin(projectId, own = limit, count = 1) {
      if ((open.get(projectId) ?? 0) + count > own) return undefined;
      add(projectId, count);
      let isOpen = true;
      const end = () => {
        if (isOpen) add(projectId, -count);
        isOpen = false;
      };
      return { end };
    },
  };
}
