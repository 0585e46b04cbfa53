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
