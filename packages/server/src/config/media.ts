import { readFileSync } from 'node:fs';
import { SECRET_VARIABLES, type Variables } from './variables.js';

/** Certificates and keys are PEM text. */
export interface MediaConfig {
  maxBytes: number;
  trustAnchorsPem: string | undefined;
  /** Trust anchors for CAWG identities. An identity is a signer in addition to the claim signer. */
  identityAnchorsPem: string | undefined;
  /** Signer when neither the request nor the project selects one. */
  signer: { certificatePem: string; privateKeyPem: string } | undefined;
  /** RFC 3161 service that adds a time-stamp to every signature. */
  tsaUrl: string | undefined;
  /** Whether production may sign with a certificate that has no chain to a trust anchor. */
  allowUntrustedSigner: boolean;
}

const PEM_VARIABLES = [
  'C2PA_TRUST_ANCHORS',
  'CAWG_TRUST_ANCHORS',
  'C2PA_SIGNING_CERT',
  'C2PA_SIGNING_KEY',
] as const;

/** Returns a sentence for each problem. */
export function readMediaConfig(read: Variables): { media: MediaConfig; problems: string[] } {
  const problems: string[] = [];
  const [anchors, identityAnchors, certificate, key] = PEM_VARIABLES.map((name) => {
    const found = readPem(read[name], !SECRET_VARIABLES.includes(name));
    if (found.problem !== undefined) problems.push(`${name} ${found.problem}`);
    return found.text;
  });
  if ((read.C2PA_SIGNING_CERT === undefined) !== (read.C2PA_SIGNING_KEY === undefined)) {
    problems.push('C2PA_SIGNING_CERT and C2PA_SIGNING_KEY must be set together');
  }
  return {
    problems,
    media: {
      maxBytes: read.MAX_MEDIA_BYTES,
      trustAnchorsPem: anchors,
      identityAnchorsPem: identityAnchors,
      signer:
        certificate === undefined || key === undefined
          ? undefined
          : { certificatePem: certificate, privateKeyPem: key },
      tsaUrl: read.C2PA_TSA_URL,
      allowUntrustedSigner: read.C2PA_ALLOW_UNTRUSTED_SIGNER,
    },
  };
}

/**
 * Reads PEM text from the value of a variable, or from a file. `showsFile` must be false for a key, because the value
 * can be the key itself.
 */
export function readPem(
  value: string | undefined,
  showsFile: boolean,
): { text: string | undefined; problem?: string } {
  if (value === undefined || value.includes('-----BEGIN ')) return { text: value };
  const file = showsFile ? value : 'a file';
  try {
    const text = readFileSync(value, 'utf8');
    if (text.includes('-----BEGIN ')) return { text };
    return { text: undefined, problem: `names ${file}, which does not contain PEM text; use a PEM file` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { text: undefined, problem: `names ${file}, which cannot be read (${code})` };
  }
}
