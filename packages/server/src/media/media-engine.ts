import type { CommentSyntax, TextForm } from '@colophon/model';
import type { ByteSource } from './byte-source.js';
import type { FoundManifest, WantedManifest } from './find-manifest.js';
import type { InterpretOptions, ManifestReading, SignedSummary } from './manifest-reading.js';

export interface ReadRequest {
  path: string;
  /** The type of the file's bytes (`sniffMediaType`): a media type of `formats.ts` or an alias of one. */
  mediaType: string;
  /** Trust anchors as PEM. A correct signature whose chain does not end at one of them is `Valid`, not `Trusted`. */
  trustAnchorsPem?: string;
  /**
   * Trust anchors for the identities in a manifest (CAWG). Without them, each identity gets the code
   * `cawg.x509.credential.untrusted`.
   */
  identityAnchorsPem?: string | undefined;
  /** The project of the file, for the fair queue. */
  tenant?: string | undefined;
  /** True when no caller waits for the result. Tasks with a waiting caller start before this read. */
  isBackground?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Options for the interpretation of a large store in the thread. Without them, the thread interprets no store. */
  interpretOptions?: InterpretOptions;
}

export interface FindRequest extends WantedManifest, Pick<ReadRequest, 'tenant' | 'isBackground' | 'signal'> {
  file: ByteSource;
}

/** The reader's JSON, with C2PA names. The type declares only the fields that all callers need. */
export interface ManifestStore {
  active_manifest?: string;
  manifests: Record<string, Record<string, unknown>>;
  validation_state: 'Invalid' | 'Valid' | 'Trusted';
  validation_results?: Record<string, unknown>;
  [field: string]: unknown;
}

/** A picture in a manifest of the store. `identifier` is its name in the store's JSON. */
export interface ManifestThumbnail {
  identifier: string;
  mediaType: string;
  bytes: Uint8Array;
}

/**
 * The result of reading a file. `none`: no manifest. `store`: a manifest store, whose `validation_state` says whether
 * it is valid. `interpreted`: the interpretation of a large store, which the thread makes so that the main thread stays
 * free. `broken`: the container or its manifest cannot be parsed. Callers report such a file as invalid.
 * Its `holdsManifest` is false when the file shows no trace of a manifest. Its `code` is the engine's name for the
 * problem, which `toValidation` translates. `remote`: the file names a manifest elsewhere, which is not fetched.
 */
export type ReadOutcome =
  | { kind: 'none' }
  | { kind: 'store'; store: ManifestStore; thumbnails: ManifestThumbnail[] }
  | { kind: 'interpreted'; reading: ManifestReading }
  | { kind: 'broken'; code: string; message: string; holdsManifest: boolean }
  | { kind: 'remote'; url: string };

/**
 * A content from which somebody made the signed file. `json` is a C2PA ingredient definition (title, relationship,
 * ...).
 */
export interface SignIngredient {
  json: Record<string, unknown>;
  path: string;
  mediaType: string;
}

/** A signer of manifests. Only the main thread uses its key, and errors and logs never contain it. */
export interface ManifestSigner {
  /** The signer's certificate, then the intermediate ones. */
  certificatePem: string;
  /** PKCS#8, SEC1 or PKCS#1, unencrypted. */
  privateKeyPem: string;
  /** Default: the usual algorithm of the key's kind; PS256 for RSA. */
  algorithm?: SigningAlgorithm;
  /** Address of an RFC 3161 service, which time-stamps the signature. */
  tsaUrl?: string;
}

/**
 * A signer of an identity assertion (`cawg.identity`), in addition to the claim signer. The rules for the key of a
 * `ManifestSigner` also apply to the key of this signer.
 */
export interface IdentitySigner extends ManifestSigner {
  /** For example `cawg.creator`. */
  roles: readonly string[];
}

export type SigningAlgorithm = 'es256' | 'es384' | 'es512' | 'ps256' | 'ps384' | 'ps512' | 'ed25519';

export interface SignRequest {
  path: string;
  /** The path of the signed file. No file may exist there. */
  outputPath: string;
  mediaType: string;
  /** For a text: writes the manifest as a comment of this syntax. Default: see `frameTextManifest`. */
  comment?: CommentSyntax | undefined;
  /** For a text: the form in which the text carries its manifest. Default: the form of its media type. */
  textForm?: TextForm | undefined;
  /** A C2PA manifest definition: `claim_generator_info`, `title`, `assertions`, ... */
  definition: Record<string, unknown>;
  ingredients: readonly SignIngredient[];
  /** Whether to add a thumbnail of the file, if the format can be decoded. */
  thumbnail?: boolean;
  /** Whether the caller already knows that the file has no manifest. The engine then does not search for one. */
  isUnsigned?: boolean;
  signer: ManifestSigner;
  identity?: IdentitySigner | undefined;
  trustAnchorsPem?: string;
  identityAnchorsPem?: string | undefined;
  /**
   * Called when the copy exists at `outputPath` and its verification still runs. The caller may begin to read the
   * copy, but the copy is valid only after `sign` resolves.
   */
  onWritten?: () => void;
  /** The project of the file, for the fair queue. */
  tenant?: string;
  signal?: AbortSignal | undefined;
}

export interface SignOutcome {
  sizeBytes: number;
  /** The manifest of the signed file, read back, validated and converted in the thread. */
  summary: SignedSummary;
}

/**
 * Reads and writes C2PA manifests (claim version 2) in the formats of `formats.ts`. Threads without network access
 * parse the files, so the caller's thread is not blocked. The engine ends a thread that exceeds the time limit.
 *
 * `read` and `sign` reject with `Unsupported` for an unsupported format, and with `PayloadTooLarge` for a file of more
 * than `maxBytes`. Every call rejects with `Timeout` (504) after `timeoutMs` of work. Every call rejects with
 * `Unavailable` when the engine is missing or closed, when its queue is full, when the wait is too long, and when a
 * task takes too much memory.
 */
export interface MediaEngine {
  readonly available: true | { reason: string };
  /** Number of times that code in the threads tried to reach the network. Every attempt failed. */
  readonly networkAttempts: number;
  read(request: ReadRequest): Promise<ReadOutcome>;
  /**
   * Finds the manifest of a text or SVG and verifies nothing. Undefined in the same cases as `findManifest`, and for a
   * file of more than 8 MiB. The result is in memory.
   */
  find(request: FindRequest): Promise<FoundManifest | undefined>;
  /**
   * Writes a signed copy of `path` to `outputPath`. If the promise rejects, no file remains there. The copy is complete
   * but not synced to the disk. When the file has a manifest already, the file becomes the `parentOf` ingredient of the
   * new manifest, whose first action is then `c2pa.opened`. This keeps the history of the file. Rejects with
   * `ValidationError` for a signer that `checkSigner` rejects, for a definition that C2PA does not allow, and for a
   * file that cannot contain a manifest.
   */
  sign(request: SignRequest): Promise<SignOutcome>;
  /** Ends the threads and rejects the calls in progress. */
  close(): Promise<void>;
}
