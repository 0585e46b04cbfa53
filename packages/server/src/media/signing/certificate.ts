import { X509Certificate } from 'node:crypto';
import { readDer } from '@colophon/model';
import { TAG } from './der.js';

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;
const EXTENSIONS = 0xa3;

/** Returns undefined when the text has no certificate, or when a certificate does not parse. */
export function readCertificates(pem: string): X509Certificate[] | undefined {
  const blocks = pem.match(PEM_BLOCK);
  if (blocks === null) return undefined;
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return undefined; // the constructor throws for one reason only: these are no certificates
  }
}

/** Maps object identifiers (content in hex) to the DER of the extension values (RFC 5280 §4.1). */
export function readExtensions(certificate: X509Certificate): Map<string, Uint8Array> {
  const body = readDer(readDer(certificate.raw)?.[0]?.content ?? new Uint8Array())?.[0];
  const holder = readDer(body?.content ?? new Uint8Array())?.find(({ tag }) => tag === EXTENSIONS);
  const list = readDer(holder?.content ?? new Uint8Array())?.[0];
  const found = new Map<string, Uint8Array>();
  for (const { content } of readDer(list?.content ?? new Uint8Array()) ?? []) {
    const parts = readDer(content) ?? [];
    const value = parts.find(({ tag }) => tag === TAG.octetString);
    const [id] = parts;
    if (id !== undefined && value !== undefined)
      found.set(Buffer.from(id.content).toString('hex'), value.content);
  }
  return found;
}
