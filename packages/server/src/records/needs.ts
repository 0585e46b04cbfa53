import type { BlobStore } from '../blobs/blob-store.js';
import type { Database } from '../db/database.js';
import type { IdentifyEntity } from './entity-ids.js';
import type { Recorder } from './recorder.js';

/** What the use cases of records work with. */
export interface RecordNeeds {
  provenance: Database;
  recorder: Recorder;
  identifyEntity: IdentifyEntity;
  blobs: BlobStore;
}
