import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  parseTrustedLog,
  type TrustedLog,
  verifyByKeys,
  verifyDocument,
  verifyKeyHistory,
} from '@colophon/model';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { PYTHON } from '../support/programs.js';

export const TOOL = fileURLToPath(new URL('../../../../tools/verify_receipt.py', import.meta.url));
const verify = createVerifySignature();

export interface Case {
  text: string;
  key: string;
  strict: boolean;
  /** Leads from `key` to later keys. */
  keys?: string;
}

/** Only the report on a bundle has `signedOnly`. */
export type Report =
  | { verified: true; warnings: string[]; unproven?: string[]; signedOnly?: string[] }
  | { verified: false; code: string };

/** `folder`: where to write the cases. */
export function reportByPython(cases: readonly Case[], folder: string): Report[] {
  const file = path.join(folder, 'cases');
  writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const printed = execFileSync(PYTHON, [TOOL, '--lines', file], { maxBuffer: 2 ** 26, encoding: 'utf8' });
  return printed
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

export function reportByModel({ text, key, strict, keys }: Case): Report {
  const trusted = parseTrustedLog(key) as TrustedLog;
  const verifyWith = (one: TrustedLog) => verifyDocument(text, one, verify, { strict }).report;
  if (keys === undefined) return verifyWith(trusted);
  const history = verifyKeyHistory(keys, trusted, verify);
  return history.verified ? verifyByKeys(history.keys, verifyWith).report : history;
}

/** `verified` with the warnings, or the code. */
export const toResult = (report: Report) =>
  report.verified ? ['verified', ...report.warnings].join(' ') : report.code;

/** Verifies a transparent statement with only cbor2 and cryptography. Prints its digest and subject. */
export const VERIFY_COSE = `
import cbor2, hashlib, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(sys.argv[1]))
def sha256(*parts): return hashlib.sha256(b''.join(parts)).digest()
def open_sign1(data, payload=None):
    message = cbor2.loads(data)
    assert message.tag == 18
    protected, unprotected, own, signature = message.value
    assert (own is None) == (payload is not None)
    key.verify(signature, cbor2.dumps(['Signature1', protected, b'', payload if own is None else own]))
    return cbor2.loads(protected), unprotected, own
statement = sys.stdin.buffer.read()
header, unprotected, payload = open_sign1(statement)
assert header[1] == -8 and header[3] == 'application/vnd.colophon.record+json'
[receipt] = unprotected[394]
[proof] = cbor2.loads(receipt).value[1][396][-1]
size, index, path = cbor2.loads(proof)
node, last, root = index, size - 1, sha256(b'\\0', sha256(payload))
for sibling in path:
    if node & 1 or node == last:
        root = sha256(b'\\1', sibling, root)
        while not node & 1 and node:
            node, last = node >> 1, last >> 1
    else:
        root = sha256(b'\\1', root, sibling)
    node, last = node >> 1, last >> 1
assert last == 0
receipt_header, _, _ = open_sign1(receipt, root)
assert receipt_header[395] == 1 and receipt_header[15][1] == header[15][1] == sys.argv[2]
print(sha256(payload).hex(), header[15][2])
`;

/** Arguments: the folder of the verifier, the key and the digest. The proof comes from standard input. */
export const VERIFY_TLOG_PROOF = `
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify_receipt as tool
key, digest = tool.parse_trusted_key(sys.argv[2]), bytes.fromhex(sys.argv[3])
head, _, note = sys.stdin.buffer.read().decode().partition('\\n\\n')
header, index, *path = head.split('\\n')
assert header == 'c2sp.org/tlog-proof@v1' and index.startswith('index ')
checkpoint = tool.verify_checkpoint(note, key)
hashes = [tool.from_base64(line) for line in path]
leaf = tool.leaf_hash(digest)
assert tool.is_included(int(index[6:]), checkpoint.size, leaf, hashes, checkpoint.root)
print(int(index[6:]), checkpoint.size)
`;
