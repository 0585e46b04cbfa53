import { createHmac, webcrypto } from 'node:crypto';

type Data = string | ArrayBuffer | ArrayBufferView;

/** SHA-256 and HMAC-SHA-256 for the client library. Computes SHA-256 outside the main thread. */
export class ThreadedSha256 {
  #chunks: Buffer[] = [];
  readonly #secret: Data | undefined;

  constructor(secret?: Data) {
    this.#secret = secret;
  }

  update(data: Data): void {
    this.#chunks.push(toBuffer(data));
  }

  async digest(): Promise<Uint8Array> {
    const [only, ...more] = this.#chunks;
    const bytes = only !== undefined && more.length === 0 ? only : Buffer.concat(this.#chunks);
    if (this.#secret !== undefined)
      return createHmac('sha256', toBuffer(this.#secret)).update(bytes).digest();
    return new Uint8Array(await webcrypto.subtle.digest('SHA-256', bytes));
  }

  reset(): void {
    this.#chunks = [];
  }
}

function toBuffer(data: Data): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}
