import type { CommentSyntax, TextForm } from '@colophon/model';
import type { ByteSource } from './byte-source.js';
import type { FoundManifest, WantedManifest } from './find-manifest.js';
import type { InterpretOptions, ManifestReading, SignedSummary } from './manifest-reading.js';

export interface ReadRequest {
  path: string;
  /** The type of the file's bytes (`sniffMediaType`): a media type of `formats.ts` or an alias of one. */
  mediaType: string;
  /** A correct signature whose chain does not end at one of these anchors is `Valid`, not `Trusted`. */
  trustAnchorsPem?: string;
  /** Without these anchors (CAWG), each identity gets the code `cawg.x509.credential.untrusted`. */
  identityAnchorsPem?: string | undefined;
  /** The project of the file, for the fair queue. */
  tenant?: string | undefined;
  /** No caller waits for the result, so other tasks start before this read. */
  isBackground?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** If set, the thread interprets a large store. */
  interpretOptions?: InterpretOptions;
}

export interface FindRequest extends WantedManifest, Pick<ReadRequest, 'tenant' | 'isBackground' | 'signal'> {
  file: ByteSource;
}

/** The reader's JSON, with C2PA names. Declares only the fields that all callers need. */
export interface ManifestStore {
  active_manifest?: string;
  manifests: Record<string, Record<string, unknown>>;
  validation_state: 'Invalid' | 'Valid' | 'Trusted';
  validation_results?: Record<string, unknown>;
  [field: string]: unknown;
}

/** `identifier`: the name of the picture in the store's JSON. */
export interface ManifestThumbnail {
  identifier: string;
  mediaType: string;
  bytes: Uint8Array;
}

/**
 * `interpreted`: the thread interprets a large store, so that the main thread stays free. `broken`: the container or
 * its manifest cannot be parsed, and callers report the file as invalid. `holdsManifest` is false when the file shows
 * no trace of a manifest. `remote`: the file names a manifest elsewhere, which is not fetched.
 */
export type ReadOutcome =
  | { kind: 'none' }
  | { kind: 'store'; store: ManifestStore; thumbnails: ManifestThumbnail[] }
  | { kind: 'interpreted'; reading: ManifestReading }
  | { kind: 'broken'; code: string; message: string; holdsManifest: boolean }
  | { kind: 'remote'; url: string };

/** `json`: a C2PA ingredient definition (title, relationship, ...). */
export interface SignIngredient {
  json: Record<string, unknown>;
  path: string;
  mediaType: string;
}

/** Only the main thread uses the key, and errors and logs never contain it. */
export interface ManifestSigner {
  /** The signer's certificate, then the intermediate ones. */
  certificatePem: string;
  /** PKCS#8, SEC1 or PKCS#1, unencrypted. */
  privateKeyPem: string;
  /** Default: the usual algorithm of the key's kind; PS256 for RSA. */
  algorithm?: SigningAlgorithm;
  /** An RFC 3161 service, which time-stamps the signature. */
  tsaUrl?: string;
}

/** Signs an identity assertion (`cawg.identity`), in addition to the claim signer. */
export interface IdentitySigner extends ManifestSigner {
  /** For example `cawg.creator`. */
  roles: readonly string[];
}

export type SigningAlgorithm = 'es256' | 'es384' | 'es512' | 'ps256' | 'ps384' | 'ps512' | 'ed25519';

export interface SignRequest {
  path: string;
  /** No file may exist at this path. */
  outputPath: string;
  mediaType: string;
  /** Applies to a text: the syntax of the comment that contains the manifest. Default: see `frameTextManifest`. */
  comment?: CommentSyntax | undefined;
  /** Applies to a text. Default: the form of its media type. */
  textForm?: TextForm | undefined;
  /** A C2PA manifest definition: `claim_generator_info`, `title`, `assertions`, ... */
  definition: Record<string, unknown>;
  ingredients: readonly SignIngredient[];
  /** Adds a thumbnail of the file, if the format can be decoded. */
  thumbnail?: boolean;
  /** The caller knows that the file has no manifest, so the engine does not search for one. */
  isUnsigned?: boolean;
  signer: ManifestSigner;
  identity?: IdentitySigner | undefined;
  trustAnchorsPem?: string;
  identityAnchorsPem?: string | undefined;
  /** Called when the copy exists at `outputPath`. The copy is valid only after `sign` resolves. */
  onWritten?: () => void;
  /** The project of the file, for the fair queue. */
  tenant?: string;
  signal?: AbortSignal | undefined;
}

export interface SignOutcome {
  sizeBytes: number;
  /** The manifest of the signed file, read back and validated. */
  summary: SignedSummary;
}

/**
 * Reads and writes C2PA manifests (claim version 2) in the formats of `formats.ts`, in threads without network access.
 *
 * `read` and `sign` reject with `Unsupported` for an unsupported format, and with `PayloadTooLarge` for a file of more
 * than `maxBytes`. Every call rejects with `Timeout` (504) after `timeoutMs` of work, and with `Unavailable` when the
 * engine is missing or closed, its queue is full, the wait is too long, or a task takes too much memory.
 */
export interface MediaEngine {
  readonly available: true | { reason: string };
  /** Number of attempts of the threads to reach the network. Every attempt failed. */
  readonly networkAttempts: number;
  read(request: ReadRequest): Promise<ReadOutcome>;
  /** Verifies nothing. Undefined like `findManifest`, and for a file of more than 8 MiB. The result is in memory. */
  find(request: FindRequest): Promise<FoundManifest | undefined>;
  /**
   * Writes a signed copy to `outputPath`. The copy is complete but not synced to the disk. If the promise rejects, no
   * file remains there. A file with a manifest becomes the `parentOf` ingredient of the new manifest, whose first
   * action is then `c2pa.opened`. Rejects with `ValidationError` for a signer that `checkSigner` rejects, for a
   * definition that C2PA does not allow, and for a file that cannot contain a manifest.
   */
  sign(request: SignRequest): Promise<SignOutcome>;
  /** Ends the threads and rejects the calls in progress. */
  close(): Promise<void>;
}
