import { type Content, isRereadable, readContent, sizeOf, slices, toBlob } from './content.js';

export interface FilePart {
  name: string;
  fileName: string;
  content: Content;
}

export interface Form {
  json?: unknown;
  files: readonly FilePart[];
}

/** Returns undefined when a file is a stream or a function. */
export function filesSize({ files }: Form): number | undefined {
  return files
    .map(({ content }) => sizeOf(content))
    .reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0);
}

export function isRepeatable({ files }: Form): boolean {
  return files.every(({ content }) => isRereadable(content));
}

export async function toFormData({ json, files }: Form): Promise<FormData> {
  const data = new FormData();
  if (json !== undefined) data.set('json', JSON.stringify(json));
  for (const { name, fileName, content } of files) data.set(name, await toBlob(content), fileName);
  return data;
}

/**
 * Encodes a form (RFC 7578), and reads the files while it is sent. `onSent` receives the length of each sent chunk of a
 * file.
 */
export function toMultipart(
  { json, files }: Form,
  onSent: (sizeBytes: number) => void,
): { type: string; body: AsyncGenerator<Uint8Array> } {
  const boundary = `colophon-${randomHex(16)}`;
  const head = (fields: string) => utf8(`--${boundary}\r\ncontent-disposition: form-data; ${fields}\r\n\r\n`);
  async function* body(): AsyncGenerator<Uint8Array> {
    if (json !== undefined) yield concat(head('name="json"'), utf8(`${JSON.stringify(json)}\r\n`));
    for (const { name, fileName, content } of files) {
      yield head(`name="${name}"; filename="${escapeFileName(fileName)}"`);
      for await (const piece of readContent(content)) {
        for (const slice of slices(piece)) {
          yield slice;
          onSent(slice.length);
        }
      }
      yield utf8('\r\n');
    }
    yield utf8(`--${boundary}--\r\n`);
  }
  return { type: `multipart/form-data; boundary=${boundary}`, body: body() };
}

/** Escapes a file name in the same way as browsers (WHATWG HTML, multipart/form-data encoding algorithm). */
function escapeFileName(name: string): string {
  return name.replace(/[\r\n"]/g, encodeURIComponent);
}

/** Pages without TLS have no `crypto.randomUUID`. */
export function randomHex(sizeBytes: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(sizeBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function concat(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
