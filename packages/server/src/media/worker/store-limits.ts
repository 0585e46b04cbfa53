import { ServiceError } from '../../errors.js';

/** `read`: reads a file for a caller. `verify`: verifies a copy that was just signed. */
export type Pass = 'read' | 'verify';

const MAX_STORE_CHARACTERS = 16 * 1024 * 1024;
/**
 * Maximum number of objects and arrays in a store. It limits the result too: the main thread takes about 0.1 s to
 * receive 100,000 of them.
 */
const MAX_STORE_CONTAINERS = 100_000;
/** Maximum length of the result for the main thread, as JSON. */
const MAX_DESCRIPTION_CHARACTERS = 4 * 1024 * 1024;

const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;

const RECOVERY: Readonly<Record<Pass, string>> = {
  read: 'Send a copy of the file without its manifest, or read the manifest with another C2PA program.',
  verify: 'Sign a copy of the file without its manifest, and leave out ingredients with large manifests.',
};

/** Throws `PayloadTooLarge` for a store that is too large to parse. */
export function assertStoreFits(json: string, pass: Pass): void {
  if (json.length > MAX_STORE_CHARACTERS)
    throw tooLarge(`The manifests have ${json.length} characters as JSON`, MAX_STORE_CHARACTERS, pass);
  const containers = countContainers(json);
  if (containers > MAX_STORE_CONTAINERS)
    throw tooLarge(
      `The manifests have ${containers} objects and arrays as JSON (brackets in texts count)`,
      MAX_STORE_CONTAINERS,
      pass,
    );
}

/** Throws `PayloadTooLarge` for a description that is too large for the main thread. */
export function assertDescriptionFits(description: object, pass: Pass): void {
  const { length } = JSON.stringify(description);
  if (length > MAX_DESCRIPTION_CHARACTERS)
    throw tooLarge(
      `The description of the manifests has ${length} characters as JSON`,
      MAX_DESCRIPTION_CHARACTERS,
      pass,
    );
}

function tooLarge(fault: string, limit: number, pass: Pass): ServiceError {
  const whose = pass === 'verify' ? 'The signed copy is not stored. ' : '';
  return new ServiceError('PayloadTooLarge', `${whose}${fault}; the limit is ${limit}.`, {
    recovery: RECOVERY[pass],
  });
}

/** Counts objects and arrays. The count includes brackets in strings, which are few. */
function countContainers(json: string): number {
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) count++;
  }
  return count;
}
