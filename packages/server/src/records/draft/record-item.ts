import type { JsonObject, Match } from '@colophon/model';
import type { DescriptorRow } from '../../search/descriptors.sql.js';
import type { ActionDraft, Draft, EntityDraft } from './draft-records.js';

/** Records that are written in one transaction. */
export interface RecordItem {
  entities?: EntityDraft[];
  action?: ActionDraft;
  /** The output whose bytes the service received. `contentDigest` is hex. */
  upload?: {
    cid: string;
    aliases: string[];
    contentDigest: string;
    sizeBytes: number;
    mimeType: string;
    type: string;
    /** False when the type was detected from the bytes. */
    typeIsStated: boolean;
    title?: string | null;
    /** Absent when the title is the name of the file. */
    titleIsStated?: true;
    /** True to accept bytes that are already recorded. */
    mayExist?: true;
    /** Derived from the bytes, by key. */
    extensions?: JsonObject;
  };
  attributions?: Draft[];
  /** The recorder returns `stale` when the stored digest is not `previousDigest`. */
  entityUpdate?: Draft & { previousDigest: string };
  /** `from`: the previous owner, or null. `signature`: the owner's signature, hex. */
  ownership?:
    | { kind: 'claim'; cid: string }
    | { kind: 'transfer'; cid: string; from: string | null; to: string; signature?: string };
  inputsMustBeKnown?: boolean;
  /** SHA-256 (hex) of the Idempotency-Key (`scope`) and of the request (`fingerprint`). */
  idempotency?: { scope: string; fingerprint: string };
  descriptor?: DescriptorRow;
  matches?: Match[];
  /** False when a similarity search ran out of time. */
  matchesComplete?: boolean;
  /** SHA-256 (hex) of the algorithm and value of each soft binding in the manifest. */
  softBindings?: string[];
  jobs?: { id: string; kind: string; payload: unknown }[];
}
