import { stat } from 'node:fs/promises';
import type { Validation } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../errors.js';
import { HTML } from '../../media/formats.js';
import type { RecordDeps } from '../deps.js';
import { bindIscc } from '../matching/bind-iscc.js';
import { assertDisclosed } from './assert-disclosed.js';
import { chooseSigner, identityOf } from './choose-signer.js';
import { defineManifest } from './define-manifest.js';
import type { CredentialDeps } from './deps.js';
import type { Embedding } from './embedding.js';
import { gatherIngredients } from './gather-ingredients.js';
import { anchorsOf } from './read-credentials.js';
import { assertOneParent, readHistory } from './read-history.js';
import { type Embedded, recordSigned } from './record-signed.js';
import { requireEntity } from './require-entity.js';
import { signCopy } from './sign-copy.js';

interface EmbedDeps {
  records: RecordDeps;
  credentials: CredentialDeps;
}

/**
 * Signs and stores a copy of the file, and records an action that made the copy. A rejected call records nothing, but
 * can leave the bytes of the copy in the store. The caller discards `media`.
 */
export async function embedCredentials(
  deps: EmbedDeps,
  projectId: string,
  embedding: Embedding,
): Promise<Embedded> {
  const { input, media, watermarked, signal } = embedding;
  const { records } = deps;
  const performer = await requireEntity(records, projectId, input.entityId);
  assertDisclosed(input, performer);
  assertTextOptions(embedding);
  const credentials = await withSettings(deps.credentials, projectId);
  const signer = await chooseSigner(credentials, projectId, input);
  const actionId = input.actionId ?? uuidv7();
  const { ingredients: gathered, copy: copyIngredients } = await gatherIngredients(records, projectId, {
    ...embedding,
    maxBytes: credentials.maxMediaBytes,
  });
  const { parent, isUnsigned } = await readHistory(credentials, projectId, { ...media, signal });
  assertOneParent(parent !== undefined, input);
  await copyIngredients();
  const ingredients = [...(parent === undefined ? [] : [parent.ingredient]), ...gathered];
  const { aiTrainingOptOut } = await credentials.readSettings(projectId);
  const trustAnchorsPem = await anchorsOf(credentials, projectId);
  const path = watermarked?.path ?? media.path;
  const fingerprint = await bindIscc(records, projectId, {
    path,
    mediaType: media.mediaType,
    sizeBytes: (await stat(path)).size,
    signal,
  });
  const copy = await signCopy({ ...records, credentials }, projectId, {
    path,
    outputPath: media.besides('signed'),
    mediaType: media.mediaType,
    comment: input.commentSyntax,
    textForm: input.textForm,
    ...defineManifest(embedding, { actionId, ingredients, aiTrainingOptOut, fingerprint }),
    thumbnail: true,
    // The watermarked copy has no manifest, because encoding removes it.
    isUnsigned: isUnsigned || watermarked !== undefined,
    signer,
    identity: identityOf(credentials, input),
    identityAnchorsPem: credentials.identityAnchorsPem,
    tenant: projectId,
    signal,
    ...(trustAnchorsPem === undefined ? {} : { trustAnchorsPem }),
  });
  try {
    if (credentials.signerMustBeTrusted) assertTrusted(copy.summary.validation);
    signal?.throwIfAborted();
    return await recordSigned({ records, credentials }, projectId, {
      ...embedding,
      ...copy,
      fingerprint,
      performer,
      actionId,
      inputCids: [media.digests.cid, ...gathered.map(({ said }) => said.cid)],
      ingredientCids: ingredients.map(({ said }) => said.cid),
    });
  } finally {
    await copy.upload.discard();
  }
}

/** Reads the settings once, so that the whole request uses the same settings. */
async function withSettings(deps: CredentialDeps, projectId: string): Promise<CredentialDeps> {
  const settings = await deps.readSettings(projectId);
  return { ...deps, readSettings: async () => settings };
}

const PLAIN = 'text/plain';

/** Members of a request that choose the place of a manifest in a text. */
const TEXT_OPTIONS = {
  commentSyntax: { texts: 'plain text', mediaTypes: [PLAIN] },
  textForm: { texts: 'plain text and HTML', mediaTypes: [PLAIN, HTML] },
} as const;

function assertTextOptions({ input, media: { mediaType } }: Embedding): void {
  for (const member of ['commentSyntax', 'textForm'] as const) {
    const { texts, mediaTypes } = TEXT_OPTIONS[member];
    if (input[member] === undefined || mediaTypes.some((one) => one === mediaType)) continue;
    throw new ServiceError('ValidationError', `${member} is for ${texts}, but the file is ${mediaType}.`, {
      recovery: `Leave ${member} out.`,
      details: [{ path: member, message: `not for ${mediaType}` }],
    });
  }
}

function assertTrusted({ codes }: Validation): void {
  const distrusted = codes.find(({ code }) => code.startsWith('signingCredential.untrusted'));
  if (distrusted === undefined) return;
  throw new ServiceError(
    'ValidationError',
    'The chain of the signing certificate does not end at a trust anchor of this service.',
    {
      recovery: 'Sign with a certificate of an approved authority.',
      details: [
        {
          path: 'signingCertificate',
          message: 'The chain of this certificate does not end at a trust anchor',
        },
      ],
    },
  );
}
