/** Number of tree levels in a tile. A full tile has 2^8 hashes (C2SP tlog-tiles, "Parameters"). */
export const TILE_HEIGHT = 8;
/** Number of hashes, or of entries, in a full tile. */
export const TILE_WIDTH = 2 ** TILE_HEIGHT;

/** A tile of hashes, or a tile of entries (C2SP: entry bundle). `width`: number of hashes or entries, at most 256. */
export interface Tile {
  /** 0 for leaf hashes. A hash of level n covers 256^n leaves. */
  level: number | 'entries';
  index: number;
  width: number;
}

const LEVEL = '(entries|0|[1-9]\\d?)';
const INDEX = '((?:x\\d{3}/){0,4}\\d{3})';
const TILE_PATH = new RegExp(`^${LEVEL}/${INDEX}(?:\\.p/([1-9]\\d{0,2}))?$`);
const MAX_LEVEL = 63;

/**
 * Parses the part of a tile's path after `tile/` (C2SP tlog-tiles, "Merkle Tree"): its level, its index in groups of
 * three digits, and `.p/<width>` when the tile is not full. Returns undefined for an invalid path.
 *
 * @example
 * parseTilePath('0/x001/x234/067'); // => { level: 0, index: 1234067, width: 256 }
 * parseTilePath('entries/003.p/17'); // => { level: 'entries', index: 3, width: 17 }
 * parseTilePath('0/3'); // => undefined
 */
export function parseTilePath(path: string): Tile | undefined {
  const [, level, groups = '', partial] = TILE_PATH.exec(path) ?? [];
  if (level === undefined || (level !== 'entries' && Number(level) > MAX_LEVEL)) return undefined;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(groups.replaceAll(/[x/]/g, '')),
    width: partial === undefined ? TILE_WIDTH : Number(partial),
  };
  return formatTilePath(tile) === path ? tile : undefined;
}

/**
 * Returns the part of a tile's path after `tile/`.
 *
 * @example
 * formatTilePath({ level: 1, index: 1234067, width: 5 }); // => '1/x001/x234/067.p/5'
 */
export function formatTilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const groups = padded.match(/\d{3}/g) ?? [];
  const name = groups.map((group, place) => (place < groups.length - 1 ? `x${group}` : group)).join('/');
  return `${level}/${name}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}
