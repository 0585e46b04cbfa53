export function addToCount<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  const left = (counts.get(key) ?? 0) + change;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
