import type { InterpretOptions, ManifestReading } from './manifest-reading.js';

/** A file on disk whose manifest is wanted. */
export interface ReadRequest {
  path: string;
  /** By the file's bytes (`sniffMediaType`); a name of `formats.ts`, aliases included. */
  mediaType: string;
  /** Certificates, as PEM, whose chains make a signer trusted; without them a good signature is `Valid`. */
  trustAnchorsPem?: string;
  /** As those, for identities beside the signer (CAWG); without them each is `cawg.x509.credential.untrusted`. */
  identityAnchorsPem?: string | undefined;
  /** The project whose file it is: calls wait in turns by project. */
  tenant?: string;
  /** Ends the call, and the thread that works for it. */
  signal?: AbortSignal | undefined;
  /** How the thread interprets a large store. Without it, every store is returned as it was read. */
  wish?: InterpretOptions;
}

/** The reader's JSON. Only what every reader of it needs is typed; the rest is as C2PA names it. */
export interface ManifestStore {
  active_manifest?: string;
  manifests: Record<string, Record<string, unknown>>;
  validation_state: 'Invalid' | 'Valid' | 'Trusted';
  validation_results?: Record<string, unknown>;
  [field: string]: unknown;
}

/** A picture held by a manifest of the store; `identifier` is what the store's JSON calls it. */
export interface ManifestThumbnail {
  identifier: string;
  mediaType: string;
  bytes: Uint8Array;
}

/**
 * The result of reading a file. `none`: no manifest. `store`: a manifest store, whose `validation_state` says
 * whether it is valid. `interpreted`: the interpretation of a large store, which the thread makes so that the main thread
 * stays free. `broken`: the container or its manifest cannot be parsed. This is invalid, never "none", even where
 * the file shows no trace of a manifest (`holdsManifest`); `code` is the engine's name for the problem, and
 * `toValidation` translates it. `remote`: the file names a manifest elsewhere, which is not fetched.
 */
export type ReadOutcome =
  | { kind: 'none' }
  | { kind: 'store'; store: ManifestStore; thumbnails: ManifestThumbnail[] }
  | { kind: 'interpreted'; reading: ManifestReading }
  | { kind: 'broken'; code: string; message: string; holdsManifest: boolean }
  | { kind: 'remote'; url: string };

/** Content that went into the signed file. `json` is a C2PA ingredient definition (title, relationship, ...). */
export interface SignIngredient {
  json: Record<string, unknown>;
  path: string;
  mediaType: string;
}

/** A signer of manifests. Its key is used in the main thread only, and stays out of errors and logs. */
export interface ManifestSigner {
  /** The signer's certificate first, then the intermediate ones. */
  certificatePem: string;
  /** PKCS#8, SEC1 or PKCS#1, unencrypted. */
  privateKeyPem: string;
  /** The key's own when absent; PS256 for RSA. */
  algorithm?: SigningAlgorithm;
  /** An RFC 3161 service; the signature carries its time-stamp. */
  tsaUrl?: string;
}

/** A signer of an identity assertion besides the claim signer (`cawg.identity`), under the same rules. */
export interface IdentitySigner extends ManifestSigner {
  /** Such as `cawg.creator`. */
  roles: readonly string[];
}

export type SigningAlgorithm = 'es256' | 'es384' | 'es512' | 'ps256' | 'ps384' | 'ps512' | 'ed25519';

export interface SignRequest {
  path: string;
  /** Where the signed file is made. Nothing may be there yet. */
  outputPath: string;
  mediaType: string;
  /** A C2PA manifest definition: `claim_generator_info`, `title`, `assertions`, ... */
  definition: Record<string, unknown>;
  ingredients: readonly SignIngredient[];
  /** Whether a small picture of the file goes into the manifest, where the format can be decoded. */
  thumbnail?: boolean;
  /** Whether the file was read and has no manifest: it is not looked for again. */
  isUnsigned?: boolean;
  signer: ManifestSigner;
  identity?: IdentitySigner | undefined;
  trustAnchorsPem?: string;
  identityAnchorsPem?: string | undefined;
  /**
   * Called when the copy lies at `outputPath`, while it is still being verified: reading it may begin, but it counts
   * for nothing until `sign` resolves.
   */
  onWritten?: () => void;
  /** As in `ReadRequest`. */
  tenant?: string;
  signal?: AbortSignal | undefined;
}

export interface SignOutcome {
  sizeBytes: number;
  /** The signed file, read back and validated. */
  store: ManifestStore;
}

/**
 * Reads and writes C2PA manifests (claim version 2) in the formats of `formats.ts`. Parsing runs in threads
 * without network that are ended when they exceed the time limit; the caller's thread is not blocked.
 *
 * Every call rejects with `Unsupported` for another format, `PayloadTooLarge` over `maxBytes`, `Timeout` (504)
 * over `timeoutMs` of work, and `Unavailable` when the engine is missing, busy beyond its queue or the longest wait,
 * ended, or takes too much memory.
 */
export interface MediaEngine {
  readonly available: true | { reason: string };
  /** How often code in the threads tried to reach the network; every attempt failed. */
  readonly networkAttempts: number;
  read(request: ReadRequest): Promise<ReadOutcome>;
  /**
   * Writes a signed copy of `path` to `outputPath`; when it rejects, nothing is there. The copy is complete but
   * not synced to the disk. A file that has a manifest becomes the `parentOf` ingredient of the new one, with a
   * first action `c2pa.opened`, so that its history is kept. Rejects with `ValidationError` for a signer that
   * `checkSigner` refuses, for a definition that C2PA does not allow, and for a file that cannot take a manifest.
   */
  sign(request: SignRequest): Promise<SignOutcome>;
  /** Ends the threads; calls under way are rejected. */
  close(): Promise<void>;
}
