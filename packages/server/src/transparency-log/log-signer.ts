import type { ByteSigner, NoteSigner } from '@colophon/model';

/** The key of the logs. An implementation may call another process or machine. */
export interface LogSigner {
  /** Ed25519, 64 lower-case hex digits. */
  readonly publicKeyHex: string;
  /**
   * Returns the Ed25519 signature of the bytes (RFC 8032): 64 bytes, perhaps from a cache. `caller`: the id of a
   * project, or a value of `SIGNING_CALLERS`. Rejects with ServiceError `Unavailable` when the key is temporarily not
   * available, and when too many signatures of the caller wait. With `moves`, the caller must not use the buffer of the
   * bytes afterwards.
   */
  signBytes(bytes: Uint8Array, caller: string, options?: SigningOptions): Promise<Uint8Array>;
}

interface SigningOptions {
  moves?: boolean;
}

/** Values of `caller` for work that no project requested. */
export const SIGNING_CALLERS = { witnesses: 'witnesses', check: 'check', handover: 'handover' } as const;

/** Signs synchronously. `signLong` signs in another thread. */
type LocalSigner = Pick<LogSigner, 'publicKeyHex'> &
  Pick<ByteSigner, 'signBytes'> & { signLong?: LogSigner['signBytes'] };
type ModelSigner = NoteSigner & Pick<ByteSigner, 'signBytes'>;

const SIGNATURE_BYTES = 64;
/** Maximum length of a text that this thread signs itself. This takes less than a millisecond. */
const INLINE_BYTES = 2 ** 17;

export function toLogSigner({
  publicKeyHex,
  signBytes,
  signLong = async (bytes) => signBytes(bytes),
}: LocalSigner): LogSigner {
  return {
    publicKeyHex,
    signBytes: async (bytes, caller, options) =>
      bytes.length > INLINE_BYTES ? signLong(bytes, caller, options) : signBytes(bytes),
  };
}

/**
 * Builds a document with a function that needs a synchronous signer. Calls `build` twice: first to collect the bytes to
 * sign, then with their signatures. The bytes must not depend on the signatures.
 */
export async function buildSigned<Result>(
  { publicKeyHex, signBytes }: LogSigner,
  caller: string,
  build: (signer: ModelSigner) => Result,
): Promise<Result> {
  const asked = new Map<string, Uint8Array>();
  build(
    toModelSigner(publicKeyHex, (bytes) => {
      asked.set(nameOf(bytes), bytes);
      return new Uint8Array(SIGNATURE_BYTES);
    }),
  );
  const signed = [...asked].map(async ([name, bytes]) => [name, await signBytes(bytes, caller)] as const);
  const signatures = new Map(await Promise.all(signed));
  return build(
    toModelSigner(publicKeyHex, (bytes) => {
      const signature = signatures.get(nameOf(bytes));
      if (signature === undefined) throw new Error('The bytes to sign depend on a signature');
      return signature;
    }),
  );
}

function toModelSigner(publicKeyHex: string, signBytes: ByteSigner['signBytes']): ModelSigner {
  return {
    ...{ publicKeyHex, signBytes },
    sign: (text) => Buffer.from(signBytes(Buffer.from(text))).toString('hex'),
  };
}

function nameOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
