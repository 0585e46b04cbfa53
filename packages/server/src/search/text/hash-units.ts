const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** Returns the FNV-1a state after a prefix, the `start` for `hashUnits`. */
export function startAfter(prefix: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < prefix.length; at++) hash = Math.imul(hash ^ prefix.charCodeAt(at), FNV_PRIME);
  return hash;
}

/** FNV-1a with the final mixing of murmur3. Returns a signed number of 32 bits. */
export function hashUnits(units: Uint16Array, from: number, to: number, start = FNV_OFFSET): number {
  let hash = start;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (units[at] ?? 0), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Returns an unsigned number of 32 bits. */
export function hashText(text: string): number {
  const units = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return hashUnits(units, 0, units.length) >>> 0;
}
