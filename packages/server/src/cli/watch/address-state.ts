import { createHash } from 'node:crypto';
import path from 'node:path';
import { makeDirectory } from '../../platform/files/make-directory.js';
import { readIfPresent, replaceFile } from '../../platform/files/text-file.js';
import { type CheckpointStore, openFilePerLog } from '../witness/file-per-log.js';

export interface AddressState {
  /** Stores the largest checkpoint that this address has shown. */
  checkpoints: CheckpointStore;
  /** Number of consecutive rounds with a smaller tree than in the largest checkpoint of the address. */
  readSmallerRounds(): Promise<number>;
  writeSmallerRounds(rounds: number): Promise<void>;
}

export async function openAddressState(directory: string, address: string): Promise<AddressState> {
  const name = createHash('sha256').update(address).digest('hex').slice(0, 32);
  const place = path.join(directory, 'addresses', name);
  await makeDirectory(place);
  const file = path.join(place, 'smaller-rounds');
  return {
    checkpoints: openFilePerLog(place),
    readSmallerRounds: async () => Number((await readIfPresent(file)) ?? 0),
    writeSmallerRounds: (rounds) => replaceFile(file, String(rounds)),
  };
}
