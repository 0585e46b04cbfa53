import { WasmBuilder, WasmReader } from '@contentauth/c2pa-wasm';
import { ServiceError } from '../../errors.js';
import { isText } from '../formats.js';
import type { SignIngredient } from '../media-engine.js';
import { BytesBlob } from './c2pa-wasm.js';
import { toIdentityAssertions } from './identity-assertion.js';
import { withParent } from './parent-ingredient.js';
import { readFileWithin } from './read-file.js';
import { parseEngineError } from './read-manifest.js';
import { locateManifest } from './read-text.js';
import type { Signing } from './signing.js';
import { addTextIngredient, type TextIngredient } from './text-ingredient.js';

/** Uses the engine's own writer for the format. */
export function signWhole(signing: Signing): Promise<Uint8Array> {
  const { task, bytes } = signing;
  return withBuilder(signing, {}, (builder) =>
    builder.sign(
      toSignerDefinition(signing, false),
      toIdentityAssertions(signing, false),
      task.mediaType,
      new BytesBlob(bytes),
    ),
  );
}

/** Makes a manifest store for bytes that the engine does not read. A draft has the same length as the final store. */
export async function signDetached(
  signing: Signing,
  hashAssertion: Record<string, unknown>,
  isDraft: boolean,
): Promise<Uint8Array> {
  const extra = { assertions: [{ label: 'c2pa.hash.data', data: hashAssertion }] };
  const { manifest } = (await withBuilder(signing, extra, (builder) => {
    builder.setNoEmbed(true);
    const nothing = new BytesBlob(Uint8Array.of(0));
    const signer = toSignerDefinition(signing, isDraft);
    const identities = toIdentityAssertions(signing, isDraft);
    return builder.signAndGetManifestBytes(signer, identities, 'application/octet-stream', nothing);
  })) as { manifest: Uint8Array };
  return manifest;
}

async function withBuilder<T>(
  signing: Signing,
  extra: { assertions?: unknown[] },
  run: (builder: WasmBuilder) => Promise<T>,
): Promise<T> {
  let builder: WasmBuilder | undefined;
  try {
    const { definition, parent } = await prepare(signing);
    const assertions = [
      ...((definition.assertions as unknown[] | undefined) ?? []),
      ...(extra.assertions ?? []),
    ];
    const whole = { claim_version: 2, ...definition, assertions };
    const { settings, thread } = signing;
    const made = WasmBuilder.fromJson(JSON.stringify(whole), settings);
    builder = made;
    const ingredients = [...parent, ...readIngredients(signing)];
    const loaded = ingredients.map((ingredient) => ({ ...ingredient, settings }));
    if (loaded.length > 0) await thread.times.time('ingredients', () => addIngredients(made, loaded));
    const thumbnail = await signing.thumbnail;
    if (thumbnail !== undefined)
      made.setThumbnailFromBlob(thumbnail.mediaType, new BytesBlob(thumbnail.bytes));
    return await thread.times.time('sign', () => run(made));
  } catch (error) {
    throw toRefusal(error);
  } finally {
    builder?.free();
  }
}

interface LoadedIngredient {
  json: Record<string, unknown>;
  mediaType: string;
  bytes: Uint8Array;
}

async function addIngredients(builder: WasmBuilder, ingredients: TextIngredient[]): Promise<void> {
  for (const ingredient of ingredients) {
    if (isText(ingredient) && (await addTextIngredient(builder, ingredient))) continue;
    const { json, mediaType, bytes } = ingredient;
    await builder.addIngredientFromBlob(JSON.stringify(json), mediaType, new BytesBlob(bytes));
  }
}

async function prepare({ task, bytes, settings, thread }: Signing) {
  const hasParent = task.ingredients.some(({ json }) => json.relationship === 'parentOf');
  const look = () => hasManifest({ bytes, mediaType: task.mediaType, settings });
  if (hasParent || task.isUnsigned || !(await thread.times.time('read', look)))
    return { definition: task.definition, parent: [] };
  const { definition, ingredient } = withParent(task.definition);
  return { definition, parent: [{ json: ingredient, mediaType: task.mediaType, bytes }] };
}

async function hasManifest(file: {
  bytes: Uint8Array;
  mediaType: string;
  settings: string;
}): Promise<boolean> {
  if (isText(file)) return locateManifest(file.bytes, file.mediaType).kind === 'store';
  try {
    const reader = await WasmReader.fromBytes(file.mediaType, file.bytes, file.settings);
    reader.free();
    return true;
  } catch (error) {
    const { variant } = parseEngineError(error) ?? {};
    if (variant === 'JumbfNotFound' || variant === 'RemoteManifestUrl') return false;
    throw error;
  }
}

/** All ingredients together may have at most `maxBytes`, the limit of one file. */
function readIngredients({ task, bytes: own }: Signing): LoadedIngredient[] {
  let leftBytes = task.maxBytes;
  return task.ingredients.map(({ json, mediaType, path }: SignIngredient) => {
    const bytes = path === task.path && own.length <= leftBytes ? own : readFileWithin(path, leftBytes);
    leftBytes -= bytes.length;
    return { json, mediaType, bytes };
  });
}

function toSignerDefinition({ task, thread: { requestSignature, times } }: Signing, isDraft: boolean) {
  return {
    alg: task.algorithm,
    reserveSize: task.reserveBytes,
    sign: async (claim: Uint8Array) =>
      new Uint8Array(
        await times.time('signature', () => requestSignature({ by: 'signer', payload: claim, isDraft })),
      ),
  };
}

/** Returns an error that is not about the file unchanged. */
function toRefusal(error: unknown): unknown {
  const known = parseEngineError(error);
  if (known === undefined) return error;
  return new ServiceError('ValidationError', `The file cannot be signed: ${explain(known)}`, {
    details: [{ path: 'file', message: known.variant }],
  });
}

function explain({ variant, argument }: { variant: string; argument: string }): string {
  if (variant === 'InvalidAsset' || variant === 'EmbeddingError') return 'its container does not parse.';
  if (variant.startsWith('Jumbf') || variant.endsWith('Decoding'))
    return 'its existing manifest does not parse.';
  // After a failed signature, the argument contains a stack trace, so the message has only the variant.
  return argument === '' || argument.includes('sign promise')
    ? `${variant}.`
    : (argument.split('\\n', 1)[0] ?? '');
}
