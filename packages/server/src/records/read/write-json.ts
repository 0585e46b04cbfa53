import { setImmediate as letOthersRun } from 'node:timers/promises';
import { canonicalJson, type JsonObject, type JsonValue } from '@colophon/model';

/** `plain` writes the same text as `JSON.stringify`, `canonical` the same as `canonicalJson`. */
type Form = 'plain' | 'canonical';

/** Number of characters between two yields. They take some milliseconds. */
const SLICE_CHARACTERS = 2 ** 16;
/** Objects and lists up to this depth are written member by member. The long lists of a proof are within it. */
const MAX_DEPTH = 4;

const WRITERS: Record<Form, (value: JsonValue) => string> = {
  plain: JSON.stringify,
  canonical: canonicalJson,
};

/** Writes a large value as JSON text and yields to other requests. Rejects with the signal's reason on abort. */
export async function writeJson(
  value: object,
  { form, signal }: { form: Form; signal?: AbortSignal | undefined },
): Promise<string> {
  let text = '';
  let sliceEnd = SLICE_CHARACTERS;
  for (const piece of write(value as JsonValue, form, MAX_DEPTH)) {
    text += piece;
    if (text.length < sliceEnd) continue;
    await letOthersRun();
    signal?.throwIfAborted();
    sliceEnd = text.length + SLICE_CHARACTERS;
  }
  return text;
}

function* write(value: JsonValue, form: Form, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null) yield WRITERS[form](value);
  else if (Array.isArray(value)) {
    yield '[';
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ',';
      yield* write(item, form, depth - 1);
    }
    yield ']';
  } else {
    yield '{';
    for (const [index, [name, member]] of membersOf(value, form).entries()) {
      yield `${index > 0 ? ',' : ''}${WRITERS[form](name)}:`;
      yield* write(member, form, depth - 1);
    }
    yield '}';
  }
}

function membersOf(value: JsonObject, form: Form): [string, JsonValue][] {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // RFC 8785 §3.2.3: a plain sort compares UTF-16 code units.
  return form === 'plain' ? members : members.sort(([a], [b]) => (a < b ? -1 : 1));
}
