import { type Display, parseManifestStore, type StatusCode, toDisplay, toValidation } from '@colophon/model';
import { BMFF, JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import { ManifestStore, ValidationResult } from '@trustnxt/c2pa-ts/manifest';
import { toReaderJson } from './to-reader-json.js';

/**
 * What the browser alone finds out about the Content Credentials of a file. `unsupported`: it cannot read them in files
 * of this format. `none`: there are none. `altered`: the file or what is signed is not what was signed; the service says
 * `invalid` then. `unchanged`: it is what was signed, and the service says `valid` or `trusted`, or `invalid` for the sake of
 * the signer's certificate, which nobody looks at here. `unsure`: something is there that cannot be judged here.
 */
export type Examined =
  | { kind: 'unsupported' | 'none' | 'unsure' }
  | { kind: 'altered'; codes: StatusCode[] }
  | { kind: 'unchanged'; display: Display; codes: StatusCode[] };

/** Failures that are certain, whoever finds them (C2PA 2.3 §15.2.2); of others the other implementation may be wrong. */
const CERTAIN = [
  'assertion.dataHash.mismatch',
  'assertion.bmffHash.mismatch',
  'assertion.hashedURI.mismatch',
  'claimSignature.mismatch',
];

/** What the other implementation asserts of every certificate; nobody here knows whom to trust. */
const UNFOUNDED = /^(signingCredential|timeStamp)\.trusted$/;
const UNKNOWN_SIGNER: StatusCode = { code: 'signingCredential.untrusted', kind: 'failure' };

/** What manifest stores of C2PA hold in any container: types of their boxes, names of their assertions. */
const TRACES = ['jumdc2', 'c2pa.claim'].map((text) => new TextEncoder().encode(text));

/** Reads and checks the Content Credentials of a file, by an implementation in plain TypeScript. */
export async function examine(bytes: Uint8Array): Promise<Examined> {
  const Format = [JPEG, PNG, BMFF].find((one) => one.canRead(bytes));
  if (Format === undefined) return { kind: 'unsupported' };
  try {
    const asset = new Format(bytes);
    const jumbf = asset.getManifestJUMBF();
    if (jumbf === undefined) return { kind: holdsTrace(bytes) ? 'unsure' : 'none' };
    const store = ManifestStore.read(SuperBox.fromBuffer(Uint8Array.from(jumbf)));
    return judge(store, await validate(store, asset));
  } catch {
    return { kind: 'unsure' }; // what it does not understand, another implementation may
  }
}

/** Whether bytes of a manifest store are there, to which its container does not lead. */
function holdsTrace(bytes: Uint8Array): boolean {
  return TRACES.some((trace) => {
    for (let at = bytes.indexOf(trace[0] ?? 0); at !== -1; at = bytes.indexOf(trace[0] ?? 0, at + 1))
      if (trace.every((byte, index) => bytes[at + index] === byte)) return true;
    return false;
  });
}

async function validate(store: ManifestStore, asset: JPEG | PNG | BMFF): Promise<ValidationResult> {
  try {
    return await store.validate(asset);
  } catch (error) {
    return ValidationResult.fromError(error instanceof Error ? error : new Error(String(error)));
  }
}

function judge(store: ManifestStore, { isValid, statusEntries }: ValidationResult): Examined {
  const codes = statusEntries
    .filter(({ code }) => !UNFOUNDED.test(code))
    .map(
      ({ code, url, success }): StatusCode => ({
        code,
        kind: success === false ? 'failure' : 'success',
        ...(url === undefined ? {} : { url }),
      }),
    );
  const isAltered = codes.some(({ code, kind }) => kind === 'failure' && CERTAIN.includes(code));
  if (isAltered) return { kind: 'altered', codes };
  if (!isValid) return { kind: 'unsure' };
  const read = parseManifestStore(toReaderJson(store, [...codes, UNKNOWN_SIGNER]));
  const validation = toValidation(read);
  if (validation.state === 'invalid') return { kind: 'unsure' };
  return { kind: 'unchanged', display: toDisplay(read, validation), codes };
}
