import {
  committedBody,
  isJsonObject,
  type JsonValue,
  type Receipt,
  toTransparentStatement,
  toVerifierKey,
} from '@colophon/model';
import { requireSigner } from '../../transparency-log/checkpoint.js';
import type { TransparencyLogDeps } from '../../transparency-log/deps.js';
import { buildSigned } from '../../transparency-log/log-signer.js';
import { writeJson } from './write-json.js';

/** The signing of a receipt for a larger record waits in the fair queue. */
const LARGE_CHARACTERS = 64 * 1024;

/** Signs with the key of the log. Writes the canonical JSON of the record once, in steps. */
export async function writeStatement(
  deps: Pick<TransparencyLogDeps, 'signer' | 'limitConcurrency'>,
  projectId: string,
  { receipt, signal }: { receipt: Receipt; signal?: AbortSignal | undefined },
): Promise<Buffer> {
  const signer = requireSigner(deps);
  const { keyId } = toVerifierKey(receipt.log.origin, Buffer.from(signer.publicKeyHex, 'hex'));
  const { kind, body, salts } = receipt.record;
  const build = async () => {
    const pieces = await writeJson(committedBody(kind, body, salts), { form: 'canonical', signal });
    const payload = Buffer.concat(pieces);
    const statement = await buildSigned(signer, projectId, ({ signBytes }) =>
      toTransparentStatement(receipt, { keyId: Buffer.from(keyId, 'hex'), signBytes }, payload),
    );
    return Buffer.from(statement);
  };
  const isLarge = countCharacters(body, LARGE_CHARACTERS) > LARGE_CHARACTERS;
  return isLarge ? deps.limitConcurrency(projectId, build, signal) : build();
}

/** Stops when the number exceeds `limit`. */
function countCharacters(value: JsonValue | undefined, limit: number): number {
  if (typeof value === 'string') return value.length + 3;
  let count = 4;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (count > limit) break;
      count += countCharacters(item, limit - count);
    }
  } else if (isJsonObject(value)) {
    for (const name in value) {
      if (count > limit) break;
      count += name.length + 4 + countCharacters(value[name], limit - count);
    }
  }
  return count;
}
