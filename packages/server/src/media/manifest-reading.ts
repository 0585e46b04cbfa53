import type {
  AiDetection,
  BundleDraft,
  Display,
  JsonObject,
  Manifest,
  StoredSoftBinding,
  ToBundleOptions,
  Validation,
} from '@colophon/model';

export interface InterpretOptions {
  /** Options for the drafted records. An invalid manifest has no records. */
  bundle?: Omit<ToBundleOptions, 'thumbnailCids'>;
}

export interface ManifestReading {
  label: string;
  title: string | undefined;
  /** Metadata of Colophon's assertion in the active manifest. */
  metadata: Record<string, unknown> | undefined;
  softBindings: readonly StoredSoftBinding[];
  manifest: Manifest;
  validation: Validation;
  aiDetection: AiDetection | null;
  display: Display;
  bundle: BundleDraft | null;
}

export interface SignedSummary extends Pick<ManifestReading, 'manifest' | 'validation' | 'display'> {
  /** The extension `ext:c2pa@1.0.0` of the copy, without `manifestCid` and `ingredientCids`. */
  extension: JsonObject & { manifestLabel: string };
}
