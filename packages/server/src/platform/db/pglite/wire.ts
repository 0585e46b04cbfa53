// Messages of PostgreSQL's protocol 3.0: PostgreSQL's manual, chapter "Message Formats".

/** Collects messages in a buffer. `take` returns the messages since its last call. */
export interface MessageWriter {
  parse(name: string, text: string): void;
  describe(name: string): void;
  /** Each value is the text form of a parameter. Null means NULL. */
  bind(name: string, values: readonly (string | null)[]): void;
  execute(): void;
  sync(): void;
  query(text: string): void;
  take(): Uint8Array;
}

const FIRST_BYTES = 65_536;
const LENGTH_BYTES = 4;

export function createMessageWriter(): MessageWriter {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let end = 0;
  let lengthAt = 0;

  const reserve = (bytes: number) => {
    if (end + bytes <= buffer.length) return;
    // Do not double the buffer: after a long text, only short messages follow.
    const larger = Buffer.allocUnsafe(Math.max(Math.ceil(1.25 * buffer.length), end + bytes) + FIRST_BYTES);
    buffer.copy(larger, 0, 0, end);
    buffer = larger;
  };
  const begin = (code: string) => {
    reserve(1 + LENGTH_BYTES);
    buffer[end] = code.charCodeAt(0);
    lengthAt = end + 1;
    end += 1 + LENGTH_BYTES;
  };
  const finish = () => buffer.writeInt32BE(end - lengthAt, lengthAt);
  const int16 = (value: number) => {
    reserve(2);
    end = buffer.writeUInt16BE(value, end);
  };
  const int32 = (value: number) => {
    reserve(4);
    end = buffer.writeInt32BE(value, end);
  };
  const text = (value: string) => {
    reserve(maxBytesOf(value) + 1);
    end += buffer.write(value, end);
  };
  const name = (value: string) => {
    text(value);
    buffer[end++] = 0;
  };
  const value = (given: string | null) => {
    if (given === null) return int32(-1);
    const at = end;
    int32(0);
    text(given);
    buffer.writeInt32BE(end - at - LENGTH_BYTES, at);
  };

  return {
    parse(statement, sql) {
      begin('P');
      name(statement);
      name(sql);
      int16(0);
      finish();
    },
    describe(statement) {
      begin('D');
      text('S');
      name(statement);
      finish();
    },
    bind(statement, values) {
      begin('B');
      name('');
      name(statement);
      int16(0);
      int16(values.length);
      for (const one of values) value(one);
      int16(0);
      finish();
    },
    execute() {
      begin('E');
      name('');
      int32(0);
      finish();
    },
    sync() {
      begin('S');
      finish();
    },
    query(sql) {
      begin('Q');
      name(sql);
      finish();
    },
    take() {
      const length = end;
      end = 0;
      if (buffer.length <= 16 * FIRST_BYTES) return Uint8Array.prototype.slice.call(buffer, 0, length);
      // A large buffer is not reused, so the messages need no copy.
      const written = buffer.subarray(0, length);
      buffer = Buffer.allocUnsafe(FIRST_BYTES);
      return written;
    },
  };
}

/** Returns an upper limit in UTF-8: a UTF-16 code unit takes at most three bytes. Measures a long text exactly. */
function maxBytesOf(text: string): number {
  return text.length > FIRST_BYTES ? Buffer.byteLength(text) : 3 * text.length;
}

export interface ResultColumn {
  name: string;
  type: number;
}

/** Fields of an error by their codes: M message, C SQLSTATE, n constraint, R routine. */
export type EngineRefusal = Readonly<Record<string, string>>;

/** The answer to all messages up to a `sync` or a `query`. */
export interface EngineAnswer {
  bytes: Buffer;
  /** Offsets of the rows in `bytes`, for `readRow`. */
  rows: readonly number[];
  parameterTypes: readonly number[];
  columns: readonly ResultColumn[];
  /** The first error, if any. */
  refusal: EngineRefusal | undefined;
  /** `I`: idle, `T`: in a transaction, `E`: in a failed transaction. */
  status: string;
}

export function readAnswer(bytes: Buffer): EngineAnswer {
  const rows: number[] = [];
  const answer: EngineAnswer = {
    bytes,
    rows,
    parameterTypes: [],
    columns: [],
    refusal: undefined,
    status: 'I',
  };
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const body = at + 1 + LENGTH_BYTES;
    const code = String.fromCharCode(bytes[at] ?? 0);
    if (code === 'D') rows.push(body);
    else if (code === 'E') answer.refusal ??= readRefusal(bytes, body);
    else if (code === 'T') answer.columns = readColumns(bytes, body);
    else if (code === 't') answer.parameterTypes = readTypes(bytes, body);
    else if (code === 'Z') answer.status = String.fromCharCode(bytes[body] ?? 0);
  }
  return answer;
}

export function readRow(
  answer: Buffer,
  at: number,
  onValue: (text: string | null, column: number) => void,
): void {
  const count = answer.readUInt16BE(at);
  let place = at + 2;
  for (let column = 0; column < count; column++) {
    const length = answer.readInt32BE(place);
    place += 4;
    if (length < 0) {
      onValue(null, column);
      continue;
    }
    onValue(answer.toString('utf8', place, place + length), column);
    place += length;
  }
}

function readTypes(answer: Buffer, at: number): number[] {
  return Array.from({ length: answer.readUInt16BE(at) }, (_, i) => answer.readUInt32BE(at + 2 + 4 * i));
}

/** A column has 18 bytes after its name. The type begins at byte 6 of these, counted from 0. */
function readColumns(answer: Buffer, at: number): ResultColumn[] {
  let place = at + 2;
  return Array.from({ length: answer.readUInt16BE(at) }, () => {
    const end = answer.indexOf(0, place);
    const name = answer.toString('utf8', place, end);
    const type = answer.readUInt32BE(end + 7);
    place = end + 19;
    return { name, type };
  });
}

function readRefusal(answer: Buffer, at: number): EngineRefusal {
  const fields: Record<string, string> = {};
  for (let place = at; answer[place] !== 0; ) {
    const end = answer.indexOf(0, place);
    fields[String.fromCharCode(answer[place] ?? 0)] = answer.toString('utf8', place + 1, end);
    place = end + 1;
  }
  return fields;
}
