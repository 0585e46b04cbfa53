import type { RecordKind, Salts } from '@colophon/model';

/** A record as its leaf represents it. */
export interface RecordLeaf {
  kind: RecordKind;
  id: string;
  digest: string;
  leafIndex: number;
  salts: Salts;
  /** JSON pointer of each erased field -> its commitment, base64. */
  erased?: Record<string, string>;
}
