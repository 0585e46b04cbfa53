export interface LabelledCounts<Label extends string> {
  add(labels: Readonly<Record<Label, string>>): void;
  read(): { labels: Readonly<Record<Label, string>>; count: number }[];
}

export function createLabelledCounts<Label extends string>(): LabelledCounts<Label> {
  const counts = new Map<string, { labels: Readonly<Record<Label, string>>; count: number }>();
  return {
    add(labels) {
      const name = Object.values(labels).join(' ');
      counts.set(name, { labels, count: (counts.get(name)?.count ?? 0) + 1 });
    },
    read: () => [...counts.values()],
  };
}
