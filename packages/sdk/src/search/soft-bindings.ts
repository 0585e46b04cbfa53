import { path } from '../transport/address.js';
import type { CallOptions, UploadOptions } from '../transport/call-options.js';
import type { Content } from '../transport/content.js';
import type { Transport } from '../transport/transport.js';

/** A soft binding: the name of its algorithm, and its value in base64. */
export interface SoftBinding {
  alg: string;
  value: string;
}

/** The matching manifests. `similarityScore` is from 0 to 100. */
export interface SoftBindingMatches {
  matches: { manifestId: string; similarityScore: number }[];
}

/** The soft binding algorithms of the service. */
export interface SoftBindingAlgorithms {
  watermarks: { alg: string }[];
  fingerprints: { alg: string }[];
}

/** Options of a search: the maximum number of manifests, 1 to 100; default: 10. */
export interface SoftBindingQuery {
  maxResults?: number;
}

/** Options of a search by asset: its media type. The service ignores `alg`, `hintAlg` and `hintValue`. */
export interface AssetQuery extends SoftBindingQuery {
  type: string;
  alg?: string;
  hintAlg?: string;
  hintValue?: string;
}

/**
 * The C2PA Soft Binding Resolution API 1.0. A client with a key searches the project of the key. A client without a key
 * searches published content of all projects, and gets `NotFound` from a service without a public detector.
 */
export interface SoftBindings {
  /**
   * Finds the manifests with a soft binding. Throws `ApiError` `InvalidField`.
   *
   * @example
   * const value = `${'A'.repeat(43)}=`;
   * await colophon.softBindings.find({ alg: 'colophon.sha256', value }); // => { matches: [] }
   */
  find(binding: SoftBinding, query?: SoftBindingQuery, options?: CallOptions): Promise<SoftBindingMatches>;
  /**
   * Does the same as `find` for a binding that is too long for a URL.
   *
   * @example
   * const value = `${'A'.repeat(43)}=`;
   * await colophon.softBindings.findLarge({ alg: 'colophon.sha256', value }); // => { matches: [] }
   */
  findLarge(
    binding: SoftBinding,
    query?: SoftBindingQuery,
    options?: CallOptions,
  ): Promise<SoftBindingMatches>;
  /**
   * Finds the manifests of recorded content that is the same as an asset. If the asset is an edited version of recorded
   * content, also finds the manifests of this content. The service stores nothing. Throws `ApiError`: `Unsupported`,
   * `PayloadTooLarge`.
   *
   * @example
   * const { cid } = await colophon.media.embed(png, { entityId: 'studio:ann', generator: 'Finder', aiDisclosure: null });
   * const bytes = await (await colophon.resources.content(cid)).blob();
   * (await colophon.softBindings.findByContent(bytes, { type: 'image/png' })).matches.length > 0; // => true
   */
  findByContent(file: Content, query: AssetQuery, options?: UploadOptions): Promise<SoftBindingMatches>;
  /**
   * Returns a manifest store exactly as in the stored file (JUMBF), or only its active manifest. Throws `ApiError`
   * `NotFound`.
   *
   * @example
   * const { manifest } = await colophon.media.embed(png, { entityId: 'studio:ann', generator: 'Reader', aiDisclosure: null });
   * const store = await colophon.softBindings.manifest(manifest.label);
   * store.headers.get('content-type'); // => 'application/c2pa'
   */
  manifest(
    manifestId: string,
    query?: { returnActiveManifest?: boolean },
    options?: CallOptions,
  ): Promise<Response>;
  /**
   * Returns the soft binding algorithms of the service.
   *
   * @example
   * (await colophon.softBindings.algorithms()).fingerprints.length > 0; // => true
   */
  algorithms(options?: CallOptions): Promise<SoftBindingAlgorithms>;
}

/** `prefix`: path of the API. */
export function createSoftBindings({ ask, open }: Transport, prefix: string): SoftBindings {
  const byBinding = `${prefix}/matches/byBinding`;
  return {
    find: (binding, query = {}, options) =>
      ask({ method: 'GET', path: byBinding, query: { ...binding, ...query } }, options),
    findLarge: (json, query = {}, options) =>
      ask({ method: 'POST', path: byBinding, query: { ...query }, json, repetition: 'harmless' }, options),
    findByContent: (content, { type, ...query }, options) => {
      const raw = { content, type };
      const byContent = `${prefix}/matches/byContent`;
      return ask({ method: 'POST', path: byContent, query, raw, repetition: 'harmless' }, options);
    },
    manifest: (manifestId, query = {}, options) =>
      open(
        {
          method: 'GET',
          path: prefix + path`/manifests/${manifestId}`,
          query: { ...query },
          headers: { accept: '*/*' },
        },
        options,
      ),
    algorithms: (options) => ask({ method: 'GET', path: `${prefix}/services/supportedAlgorithms` }, options),
  };
}
