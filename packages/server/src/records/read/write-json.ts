import { setImmediate as letOthersRun } from 'node:timers/promises';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '@colophon/model';

/** `plain` writes the same text as `JSON.stringify`. `canonical` writes the same text as `canonicalJson`. */
type Form = 'plain' | 'canonical';

/** Number of characters between two yields. */
const SLICE_CHARACTERS = 2 ** 16;
/** Objects up to this depth are written member by member. The large lists of a proof are within it. */
const MAX_DEPTH = 4;

const WRITERS: Record<Form, (value: JsonValue) => string> = {
  plain: JSON.stringify,
  canonical: writeCanonical,
};

/** `pieces`: the text before `text`, as UTF-8 outside the JavaScript heap. */
interface TextInPieces {
  pieces: Buffer[];
  text: string;
  form: Form;
  signal: AbortSignal | undefined;
}

/** Yields to other requests. Rejects with the signal's reason on abort. */
export async function writeJson(
  value: object,
  { form, signal }: { form: Form; signal?: AbortSignal | undefined },
): Promise<Buffer[]> {
  const written: TextInPieces = { pieces: [], text: '', form, signal };
  await write(written, value as JsonValue, MAX_DEPTH);
  written.pieces.push(Buffer.from(written.text));
  return written.pieces;
}

async function write(written: TextInPieces, value: JsonValue, depth: number): Promise<void> {
  if (Array.isArray(value)) await writeList(written, value);
  else if (depth > 0 && isJsonObject(value)) await writeMembers(written, value, depth);
  else written.text += WRITERS[written.form](value);
}

async function writeList(written: TextInPieces, items: readonly JsonValue[]): Promise<void> {
  const toText = WRITERS[written.form];
  for (const [index, item] of items.entries()) {
    written.text += `${index === 0 ? '[' : ','}${toText(item)}`;
    if (written.text.length >= SLICE_CHARACTERS) await yieldFrom(written);
  }
  written.text += items.length === 0 ? '[]' : ']';
}

async function writeMembers(written: TextInPieces, value: JsonObject, depth: number): Promise<void> {
  const toText = WRITERS[written.form];
  const members = membersOf(value, written.form);
  for (const [index, [name, member]] of members.entries()) {
    written.text += `${index === 0 ? '{' : ','}${toText(name)}:`;
    // The last depth can have thousands of members. To await a promise for each would take longer than to write it.
    if (depth > 1) await write(written, member, depth - 1);
    else written.text += toText(member);
    if (written.text.length >= SLICE_CHARACTERS) await yieldFrom(written);
  }
  written.text += members.length === 0 ? '{}' : '}';
}

async function yieldFrom(written: TextInPieces): Promise<void> {
  written.pieces.push(Buffer.from(written.text));
  written.text = '';
  await letOthersRun();
  written.signal?.throwIfAborted();
}

function membersOf(value: JsonObject, form: Form): [string, JsonValue][] {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // RFC 8785 §3.2.3: a plain sort compares UTF-16 code units.
  return form === 'plain' ? members : members.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A member that needs no sorting takes one native call. */
function writeCanonical(value: JsonValue): string {
  if (!isJsonObject(value)) return writeMember(value);
  const members = membersOf(value, 'canonical');
  return `{${members.map(([name, member]) => `${canonicalJson(name)}:${writeMember(member)}`).join(',')}}`;
}

/**
 * For sorted names and finite numbers, `JSON.stringify` writes canonical JSON, except that it escapes lone surrogates
 * (RFC 8785 §3.2.2.2).
 */
function writeMember(value: JsonValue): string {
  if (!isInOrder(value)) return canonicalJson(value);
  const text = JSON.stringify(value);
  return text.includes('\\') ? canonicalJson(value) : text;
}

/** Whether all names are sorted, and all numbers are finite. */
function isInOrder(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let before = '';
  for (const name in value) {
    const member = value[name];
    if (name < before || (member !== undefined && !isInOrder(member))) return false;
    before = name;
  }
  return true;
}
