/** What the engine throws: a text `C2pa(Variant("..."))` or `C2pa(Variant { name: "..." })`. */
export interface EngineError {
  variant: string;
  argument: string;
}

/** The parts of a thrown text; undefined for anything else, such as a trap of its compiled code. */
export function parseEngineError(error: unknown): EngineError | undefined {
  if (typeof error !== 'string') return undefined;
  const match = /^C2pa\((\w+)(?:\((.*)\))?/s.exec(error);
  return { variant: match?.[1] ?? '', argument: match?.[2]?.replace(/\)$/, '') ?? '' };
}

/** Status codes of C2PA 2.2 §15.2 for what keeps a manifest from being read, and a sentence for each. */
const BROKEN: Record<string, [code: string, message: string]> = {
  InvalidAsset: ['general.error', 'The file is damaged: its container does not parse.'],
  ClaimDecoding: ['claim.cbor.invalid', 'The manifest is damaged: its claim does not parse.'],
  AssertionDecoding: ['assertion.cbor.invalid', 'The manifest is damaged: an assertion does not parse.'],
  AssertionMissing: ['assertion.missing', 'The manifest is damaged: an assertion is missing.'],
  ClaimMissing: ['claim.missing', 'The manifest is damaged: its claim is missing.'],
  ClaimMissingSignatureBox: ['claimSignature.missing', 'The manifest is damaged: its signature is missing.'],
  CoseInvalidCert: ['signingCredential.invalid', 'The certificate of the signature does not parse.'],
  CoseSignature: ['claimSignature.mismatch', 'The signature does not parse.'],
  CoseTimeStampGeneration: ['claimSignature.mismatch', 'The signature does not parse.'],
};

/** Why a file with a manifest gives no manifest store. */
export function toBroken(error: EngineError | undefined): { kind: 'broken'; code: string; message: string } {
  const [code, message] = BROKEN[error?.variant ?? ''] ?? [
    'general.error',
    'The manifest is damaged: it does not parse.',
  ];
  return { kind: 'broken', code, message };
}
