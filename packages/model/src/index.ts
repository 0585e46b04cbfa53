export { canonicalJson, type JsonObject, type JsonValue } from './canonical-json.js';
export {
  type ContentDigests,
  type ContentHasher,
  createContentHasher,
} from './content-hasher.js';
export { contentIdSchema, parseContentId } from './content-id.js';
export { ERROR_CODES, type ErrorBody, type ErrorCode, type ErrorCodeEntry } from './error-codes.js';
export {
  committedBody,
  digestRecord,
  type RecordKind,
  type Salts,
  verifyRecordDigest,
} from './record-digest.js';
export {
  type Action,
  type ActionInput,
  actionInputSchema,
  actionSchema,
  actionTypeSchema,
  type FileActionInput,
  MAX_ACTION_CIDS,
} from './records/action.js';
export {
  type ActivityInput,
  type ActivityResult,
  activityInputSchema,
  activityResultSchema,
} from './records/activity.js';
export {
  type Attribution,
  type AttributionDetails,
  attributionDetailsSchema,
  attributionSchema,
} from './records/attribution.js';
export { type Bundle, bundleSchema } from './records/bundle.js';
export {
  type Entity,
  type EntityInput,
  entityIdSchema,
  entityInputSchema,
  entityRoleSchema,
  entitySchema,
} from './records/entity.js';
export { SERVER_ASSERTED_EXTENSIONS } from './records/extensions.js';
export { jsonFault, MAX_JSON_DEPTH } from './records/json-fields.js';
export {
  type Resource,
  type ResourceState,
  resourceSchema,
  resourceStateSchema,
  resourceTypeSchema,
} from './records/resource.js';
export type { CreateSha256, Sha256 } from './sha256.js';
