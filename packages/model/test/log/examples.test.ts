import { describe, expect, it } from 'vitest';
import { toBase64 } from '../../src/base64.js';
import { statementDigest } from '../../src/log/bundle-proof.js';
import { formatCheckpoint, parseCheckpoint, signCheckpoint } from '../../src/log/checkpoint.js';
import { cosign, verifyCosignature } from '../../src/log/cosignature.js';
import { handoverDigest, handoverText } from '../../src/log/key-history.js';
import { createMap, mapRoot, verifyWalk, walkMap } from '../../src/log/mention-map.js';
import {
  actionKey,
  chainsValue,
  emptyChain,
  extendChain,
  mapLeafHash,
  mentionKey,
  mentionValue,
  packChains,
} from '../../src/log/mentions.js';
import { toTlogProof } from '../../src/log/receipt-formats.js';
import { parseSignedNote, signNote, verifySignedNote } from '../../src/log/signed-note.js';
import { formatTilePath, parseTilePath } from '../../src/log/tiles.js';
import { parsePolicy } from '../../src/log/tlog-policy.js';
import { digestBytes, emptyRoot, headHash, leafHash, nodeHash } from '../../src/log/tree-hash.js';
import { proveConsistency, proveInclusion, treeRoot } from '../../src/log/tree-proofs.js';
import { formatVerifierKey, parseVerifierKey, toVerifierKey } from '../../src/log/verifier-key.js';
import { verifyAnchor } from '../../src/log/verify-anchor.js';
import { verifyBundle } from '../../src/log/verify-bundle.js';
import { verifyByKeys } from '../../src/log/verify-by-keys.js';
import { verifyDocument } from '../../src/log/verify-document.js';
import { verifyGrowth } from '../../src/log/verify-growth.js';
import { verifyKeyHistory } from '../../src/log/verify-key-history.js';
import { checkWholeHistory, isWholeHistory } from '../../src/log/verify-mentions.js';
import { verifyPolicy } from '../../src/log/verify-policy.js';
import { verifyConsistency, verifyInclusion } from '../../src/log/verify-proofs.js';
import { verifyReceipt } from '../../src/log/verify-receipt.js';
import { findSignerFault, parseTrustedLog } from '../../src/log/verify-signer.js';
import { verifyStatement } from '../../src/log/verify-statement.js';
import { verifyTimestamp } from '../../src/log/verify-timestamp.js';
import { verifyTlogProof } from '../../src/log/verify-tlog-proof.js';
import { verifyWitnesses } from '../../src/log/verify-witnesses.js';
import { formatWitnessKey, parseWitnessKey, toWitnessKey } from '../../src/log/witness-key.js';
import { formatWitnessRequest, parseWitnessRequest } from '../../src/log/witness-request.js';
import { expectToHold, readExamples } from '../support/docstring-examples.js';

const functions = {
  ...{ emptyRoot, leafHash, digestBytes, headHash, nodeHash, treeRoot, proveInclusion, proveConsistency },
  ...{ verifyInclusion, verifyConsistency, verifyGrowth, parseSignedNote, signNote, verifySignedNote },
  ...{
    toVerifierKey,
    formatVerifierKey,
    parseVerifierKey,
    formatCheckpoint,
    parseCheckpoint,
    signCheckpoint,
  },
  ...{
    parseTilePath,
    formatTilePath,
    verifyReceipt,
    parseTrustedLog,
    verifyAnchor,
    verifyBundle,
    verifyDocument,
    verifyTimestamp,
  },
  ...{ createMap, mapRoot, walkMap, verifyWalk, extendChain, mentionKey, mapLeafHash },
  ...{ actionKey, chainsValue, packChains },
  ...{ verifyStatement, verifyTlogProof },
  ...{ handoverText, handoverDigest, verifyKeyHistory, verifyByKeys },
  ...{ toWitnessKey, formatWitnessKey, parseWitnessKey, cosign, verifyCosignature, verifyWitnesses },
  ...{ formatWitnessRequest, parseWitnessRequest, parsePolicy, verifyPolicy },
  ...{ toTlogProof, statementDigest, findSignerFault, checkWholeHistory, isWholeHistory },
};
const names = { ...functions, toBase64, emptyChain, mentionValue };

const examples = readExamples(new URL('../../src/log/', import.meta.url));

describe('the examples in docstrings of the log', () => {
  it('are as many as the functions', () => {
    expect(examples).toHaveLength(Object.keys(functions).length);
  });

  it.each(examples)('state the actual result: $file: $code', ({ code }) => expectToHold(code, names));
});
