import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../../errors.js';
import { parseJson } from './parse-json.js';

/** Maximum nesting of a JSON text: 32 levels of a stored value, and the lists and records around it. */
const MAX_DEPTH = 64;
/** Maximum number of values of a text for each allowed member. Each member and each array element is a value. */
const VALUES_PER_MEMBER = 4;
/** A batch may have this many times the members of one record. */
const MANY = 20;
/** Length of the shortest member with its comma, `,"":0`. */
const MEMBER_BYTES = 5;
/** Estimated memory per value that `scan` counts, without its text. */
const VALUE_BYTES = 32;

export interface SentJson {
  bytes: Uint8Array;
  name: string;
  /** Whether the text can have many records. Such a text may have more members. */
  holdsMany?: boolean | undefined;
  /** Gets the estimated memory of the values before the parse, in bytes; 0 for a short text. */
  onMeasured?: ((bytes: number) => void) | undefined;
}

export interface JsonReader {
  /**
   * Throws `ValidationError` for a long text with too many members or values, or with too deep nesting. Throws
   * `InvalidField` for an empty text or invalid UTF-8 (RFC 8259 §8.1). Also throws the errors of `parseJson`.
   */
  read(text: SentJson): unknown;
  /** Number of texts rejected since the start, by the limit that they exceed. */
  readonly refused: Record<Excess, number>;
}

type Excess = 'members' | 'values' | 'depth';

export function createJsonReader(maxMembers: number): JsonReader {
  const refused = { members: 0, values: 0, depth: 0 };
  return {
    refused,
    read({ bytes, name, holdsMany = false, onMeasured }) {
      const bounds = { maxMembers: holdsMany ? MANY * maxMembers : maxMembers, maxInObject: maxMembers };
      // A short text cannot have too many members, and its schema checks its depth.
      const found = bytes.length > MEMBER_BYTES * maxMembers ? scan(bytes, bounds) : 0;
      if (typeof found !== 'number') {
        refused[found] += 1;
        throw toRefusal(found, name, bounds);
      }
      onMeasured?.(VALUE_BYTES * found);
      if (!isUtf8(bytes)) throw new ServiceError('InvalidField', 'The JSON is not valid UTF-8.');
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
      if (text === '') throw new ServiceError('InvalidField', `There is no JSON in ${name}: it is empty.`);
      return parseJson(text, name);
    },
  };
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** `maxInObject`: members of one object. One large object costs more than many small ones. */
interface JsonBounds {
  maxMembers: number;
  maxInObject: number;
}

/**
 * Returns the first limit that a text exceeds, or else the number of its commas, arrays and objects. Does not check
 * that the text is well-formed.
 */
function scan(bytes: Uint8Array, { maxMembers, maxInObject }: JsonBounds): Excess | number {
  const maxValues = VALUES_PER_MEMBER * maxMembers;
  /** Members of the open object or array at each depth. */
  const inObject = new Uint32Array(MAX_DEPTH + 1);
  let [depth, members, values] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at + 1);
        break;
      case COLON:
        inObject[depth] = (inObject[depth] ?? 0) + 1;
        if (++members > maxMembers || (inObject[depth] ?? 0) > maxInObject) return 'members';
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        if (++depth > MAX_DEPTH) return 'depth';
        inObject[depth] = 0;
        if (++values > maxValues) return 'values';
        break;
      case COMMA:
        if (++values > maxValues) return 'values';
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth = Math.max(0, depth - 1);
    }
  }
  return values;
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function toRefusal(excess: Excess, name: string, bounds: JsonBounds): ServiceError {
  const fault = faultOf(excess, bounds);
  return new ServiceError('ValidationError', `The JSON in ${name} ${fault}.`, {
    recovery:
      excess === 'depth'
        ? `Send JSON of at most ${MAX_DEPTH} levels.`
        : 'Store large content as a file and name it by its CID, split the request, or ask the operator to raise MAX_JSON_MEMBERS.',
    details: [{ path: '', message: `It ${fault}` }],
  });
}

function faultOf(excess: Excess, { maxMembers, maxInObject }: JsonBounds): string {
  if (excess === 'depth') return `is nested deeper than ${MAX_DEPTH} levels`;
  if (excess === 'members') {
    const ofOne = maxInObject < maxMembers ? `, or ${maxInObject} in one object` : '';
    return `has more than ${maxMembers} members${ofOne} (MAX_JSON_MEMBERS)`;
  }
  return `has more than ${VALUES_PER_MEMBER * maxMembers} members and elements (a multiple of MAX_JSON_MEMBERS)`;
}
