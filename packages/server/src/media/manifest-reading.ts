import type {
  AiDetection,
  BundleDraft,
  Display,
  Manifest,
  StoredSoftBinding,
  ToBundleOptions,
  Validation,
} from '@colophon/model';

export interface InterpretOptions {
  /** Drafts records with these options. An invalid manifest has none. */
  bundle?: Omit<ToBundleOptions, 'thumbnailCids'>;
}

export interface ManifestReading {
  label: string;
  title: string | undefined;
  /** Metadata of our own assertion in the active manifest. */
  metadata: Record<string, unknown> | undefined;
  softBindings: readonly StoredSoftBinding[];
  manifest: Manifest;
  validation: Validation;
  aiDetection: AiDetection | null;
  display: Display;
  bundle: BundleDraft | null;
}
