import type {
  EmbedRequest,
  MarkRequest,
  MediaEmbedding,
  MediaExtraction,
  MediaFormats,
  MediaImport,
  MediaVerification,
} from '@colophon/model';
import { nameOf } from '../file-name.js';
import type { CallOptions, RecordOptions, UploadOptions } from '../transport/call-options.js';
import type { Content } from '../transport/content.js';
import type { FilePart } from '../transport/form.js';
import type { Transport } from '../transport/transport.js';

/**
 * The bytes of ingredients. Each key has the form `ingredient-<name>`. It is the name of the part of the multipart form
 * that contains these bytes.
 */
export type IngredientParts = Readonly<Record<`ingredient-${string}`, Content>>;

/** Options of an embedding. */
export interface EmbedOptions extends UploadOptions, RecordOptions {
  ingredients?: IngredientParts;
}

/** Content Credentials (C2PA) of media files. */
export interface Media {
  /**
   * Returns the media formats that the service supports, the maximum size of a file in bytes, and whether the C2PA
   * engine is available.
   *
   * @example
   * const { formats } = await colophon.media.formats();
   * formats.some(({ mediaType }) => mediaType === 'image/jpeg'); // => true
   */
  formats(options?: CallOptions): Promise<MediaFormats>;
  /**
   * Returns the data of a file's manifest. If the file has no manifest, all members about the manifest are null. The
   * claims of an invalid manifest are in `unverifiedManifest`. The service stores nothing.
   *
   * Throws `ApiError`: `Unsupported` for a file of another format, `PayloadTooLarge`, `Timeout`.
   *
   * @example
   * const { manifest, validation } = await colophon.media.extract(png);
   * [manifest, validation]; // => [null, null]
   */
  extract(file: Content, options?: UploadOptions): Promise<MediaExtraction>;
  /**
   * Verifies a file's manifest. `validation.state` is `invalid`, `valid` or `trusted`; `validation` is null without
   * a manifest. The service stores nothing. Throws the errors of `extract`.
   *
   * @example
   * (await colophon.media.verify(png)).hasManifest; // => false
   */
  verify(file: Content, options?: UploadOptions): Promise<MediaVerification>;
  /**
   * Records a file with all data of its valid manifest. The call can be repeated safely.
   *
   * Throws `ApiError`: `ValidationError` without a valid manifest, and the errors of `extract`.
   *
   * @example
   * const signed = await colophon.media.embed(png, { entityId: 'studio:ann', generator: 'Studio', aiDisclosure: null });
   * const bytes = await (await colophon.resources.content(signed.cid)).blob();
   * (await colophon.media.import(bytes)).cid === signed.cid; // => true
   */
  import(file: Content, options?: UploadOptions & RecordOptions): Promise<MediaImport>;
  /**
   * Signs a copy of a file with the statements of `request`, and records the copy. The file itself stays unchanged.
   * Read the copy's bytes with `resources.content(cid)`. `aiDisclosure` is required: `ai_generated`, `ai_assisted`
   * or null.
   *
   * Throws `ApiError`: `NotFound` for an unknown entity, `ValidationError`, `Conflict`, `Unsupported`,
   * `PayloadTooLarge`.
   *
   * @example
   * const made = await colophon.media.embed(png, { entityId: 'studio:ann', generator: 'Studio', aiDisclosure: 'ai_generated' });
   * made.manifest.aiDisclosure; // => 'ai_generated'
   */
  embed(file: Content, request: EmbedRequest, options?: EmbedOptions): Promise<MediaEmbedding>;
}

export function createMedia({ ask }: Transport): Media {
  const read =
    (path: string) =>
    <Answer>(content: Content, options?: UploadOptions & RecordOptions): Promise<Answer> =>
      ask(...toReading(path, content, options));
  return {
    formats: (options) => ask({ method: 'GET', path: '/v1/media/formats' }, options),
    extract: read('/v1/media/extract'),
    verify: read('/v1/media/verify'),
    import: read('/v1/media/import'),
    embed: (content, request, options) =>
      ask(...toEmbedding('/v1/media/embed', { content, request }, options)),
  };
}

/** The request must store nothing or be safe to repeat. */
export function toReading(
  path: string,
  content: Content,
  options: UploadOptions & RecordOptions = {},
): Parameters<Transport['ask']> {
  const form = { files: [{ name: 'file', fileName: nameOf(content, options), content }] };
  return [{ method: 'POST', path, form, repetition: 'harmless' }, options];
}

export function toEmbedding(
  path: string,
  { content, request: json }: { content: Content; request: EmbedRequest | MarkRequest },
  { ingredients = {}, ...options }: EmbedOptions = {},
): Parameters<Transport['ask']> {
  const others = Object.entries(ingredients).map(
    ([name, bytes]): FilePart => ({ name, fileName: nameOf(bytes), content: bytes }),
  );
  const files = [{ name: 'file', fileName: nameOf(content, options), content }, ...others];
  return [{ method: 'POST', path, form: { json, files } }, options];
}
