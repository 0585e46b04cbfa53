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
    /** True when the uploader declared the type; false when it was detected from the bytes. */
    typeIsStated: boolean;
    /** Title of the content; null or absent for no title. */
    title?: string | null;
    /** True when the request contains a title or null. Absent when the title is the name of the file. */
    titleIsStated?: true;
    /** True to accept bytes that are already recorded. */
    mayExist?: true;
    /** Extensions that the service derived from the bytes, by key. */
    extensions?: JsonObject;
  };
  attributions?: Draft[];
  /** The new body of a stored entity. The recorder returns `stale` when the stored digest is not `previousDigest`. */
  entityUpdate?: Draft & { previousDigest: string };
  /** A claim or transfer of content. `from`: the previous owner, or null. `signature`: the owner's signature, hex. */
  ownership?:
    | { kind: 'claim'; cid: string }
    | { kind: 'transfer'; cid: string; from: string | null; to: string; signature?: string };
  /** True to reject the action when the project does not know one of its inputs. */
  inputsMustBeKnown?: boolean;
  /** SHA-256 (hex) of the Idempotency-Key (`scope`) and of the request (`fingerprint`). */
  idempotency?: { scope: string; fingerprint: string };
  /** The descriptor of the upload for similarity search. */
  descriptor?: DescriptorRow;
  /** The contents that are similar to the upload. */
  matches?: Match[];
  /** False when a similarity search ran out of time, so that there may be more matches. */
  matchesComplete?: boolean;
  /** Soft bindings in the manifest of the upload, each as the SHA-256 (hex) of its algorithm and value. */
  softBindings?: string[];
  jobs?: { id: string; kind: string; payload: unknown }[];
}
