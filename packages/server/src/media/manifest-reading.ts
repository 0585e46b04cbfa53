import type {
  AiDetection,
  BundleDraft,
  Display,
  Manifest,
  StoredSoftBinding,
  ToBundleOptions,
  Validation,
} from '@colophon/model';

/** Optional parts of the interpretation of a manifest. */
export interface InterpretOptions {
  /** As which records; of a manifest that is not valid there are none. */
  bundle?: Omit<ToBundleOptions, 'thumbnailCids'>;
}

/** The interpretation of a manifest store, and its validation. */
export interface ManifestReading {
  label: string;
  title: string | undefined;
  /** Of our own assertion in the active manifest. */
  metadata: Record<string, unknown> | undefined;
  /** By what the content may be recognised, as the active manifest says. */
  softBindings: readonly StoredSoftBinding[];
  manifest: Manifest;
  validation: Validation;
  aiDetection: AiDetection | null;
  display: Display;
  bundle: BundleDraft | null;
}
