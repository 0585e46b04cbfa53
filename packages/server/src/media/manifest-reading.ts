import type {
  AiDetection,
  BundleDraft,
  Display,
  Manifest,
  StoredSoftBinding,
  ToBundleOptions,
  Validation,
} from '@colophon/model';

/** What is wanted of a manifest beside what it says. */
export interface InterpretOptions {
  /** As which records; of a manifest that is not valid there are none. */
  bundle?: Omit<ToBundleOptions, 'thumbnailCids'>;
}

/** What a manifest store says, and how far it can be believed. */
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
