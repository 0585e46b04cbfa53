import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../../errors.js';
import { parseJson } from './parse-json.js';

/** Most nesting of a JSON text: that of a stored value, and of the lists and records around it. */
const MAX_DEPTH = 64;
/** Array elements and members together, for each member that is allowed. */
const VALUES_PER_MEMBER = 4;
/** A text of many records may have so many times what one record may have. */
const MANY = 20;
/** The shortest member, with the comma before it: `,"":0`. */
const MEMBER_BYTES = 5;

/** A JSON text, and how it is named in messages. */
export interface SentJson {
  bytes: Uint8Array;
  what: string;
  /** It holds many records, as a batch does. */
  holdsMany?: boolean | undefined;
}

/** Reads every JSON text that a caller sends. */
export interface JsonReader {
  /**
   * The value of a text. `ValidationError` when it has too many values or is nested too deeply, `InvalidField` when it is
   * empty or not UTF-8 (RFC 8259 §8.1); else as `parseJson`.
   */
  read(text: SentJson): unknown;
  /** Texts that were refused since the start, by the bound that they exceed. */
  readonly refused: Record<Excess, number>;
}

type Excess = 'members' | 'values' | 'depth';

/** A reader of texts whose records have at most so many members. */
export function createJsonReader(maxMembers: number): JsonReader {
  const refused = { members: 0, values: 0, depth: 0 };
  return {
    refused,
    read({ bytes, what, holdsMany = false }) {
      const bounds = { maxMembers: holdsMany ? MANY * maxMembers : maxMembers, maxInObject: maxMembers };
      // A short text has no room for more members, and its depth is left to its schema.
      const excess = bytes.length > MEMBER_BYTES * maxMembers ? findExcess(bytes, bounds) : undefined;
      if (excess !== undefined) {
        refused[excess] += 1;
        throw toRefusal(excess, what, bounds);
      }
      if (!isUtf8(bytes)) throw new ServiceError('InvalidField', 'The JSON is not valid UTF-8.');
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
      if (text === '') throw new ServiceError('InvalidField', `There is no JSON in ${what}: it is empty.`);
      return parseJson(text, what);
    },
  };
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** `maxInObject`: of one object, which costs more than many small ones. */
interface JsonBounds {
  maxMembers: number;
  maxInObject: number;
}

/** The first bound that a text exceeds; it is read no further. Whether it is well-formed is not looked at. */
function findExcess(bytes: Uint8Array, { maxMembers, maxInObject }: JsonBounds): Excess | undefined {
  const maxValues = VALUES_PER_MEMBER * maxMembers;
  /** By depth, the members of the innermost object or array there. */
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
  return undefined;
}

/** Where the quote is that ends a string. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** As for any other body that no schema takes. */
function toRefusal(excess: Excess, what: string, bounds: JsonBounds): ServiceError {
  const fault = faultOf(excess, bounds);
  return new ServiceError('ValidationError', `The JSON in ${what} ${fault}.`, {
    recovery:
      excess === 'depth'
        ? 'Send flatter JSON.'
        : 'Store large content as a file and name it by its CID, split the request, or have the operator raise MAX_JSON_MEMBERS.',
    details: [{ path: '', message: `It ${fault}` }],
  });
}

function faultOf(excess: Excess, { maxMembers, maxInObject }: JsonBounds): string {
  if (excess === 'depth') return `is nested deeper than ${MAX_DEPTH} levels`;
  if (excess === 'members') {
    const ofOne = maxInObject < maxMembers ? `, or ${maxInObject} in one object` : '';
    return `has more than ${maxMembers} members${ofOne} (MAX_JSON_MEMBERS)`;
  }
  return `has more than ${VALUES_PER_MEMBER * maxMembers} members and elements (by MAX_JSON_MEMBERS)`;
}
