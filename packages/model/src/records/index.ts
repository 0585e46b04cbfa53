export {
  type Action,
  type ActionInput,
  type ActionRequest,
  type ActionType,
  actionInputSchema,
  actionSchema,
  actionTypeSchema,
  aiToolSchema,
  type FileActionInput,
  MAX_ACTION_CIDS,
  sessionIdSchema,
} from './action.js';
export {
  type ActivityInput,
  type ActivityRequest,
  type ActivityResult,
  activityInputSchema,
  activityResultSchema,
} from './activity.js';
export {
  type Attribution,
  type AttributionDetails,
  type AttributionInput,
  type AttributionRequest,
  type AttributionRole,
  attributionDetailsSchema,
  attributionInputSchema,
  attributionRoleSchema,
  attributionSchema,
} from './attribution.js';
export {
  type BatchAnswer,
  type BatchInput,
  type BatchRequest,
  batchAnswerSchema,
  batchInputSchema,
  MAX_BATCH_LIST,
} from './batch.js';
export { type Bundle, bundleSchema } from './bundle.js';
export {
  type Entity,
  type EntityInput,
  type EntityPatch,
  type EntityRequest,
  type EntityRole,
  entityIdSchema,
  entityInputSchema,
  entityPatchSchema,
  entityRoleSchema,
  entitySchema,
} from './entity.js';
export { type Erasure, erasureSchema } from './erasure.js';
export { type ExtensionsRequest, SERVER_ASSERTED_EXTENSIONS } from './extensions.js';
export {
  type ContentIscc,
  contentIsccSchema,
  type IsccMatch,
  type IsccSearchResult,
  isccMatchSchema,
  isccSearchResultSchema,
} from './iscc-match.js';
export { jsonFault, MAX_JSON_DEPTH } from './json-fault.js';
export { uuidField } from './json-fields.js';
export {
  type GivenVector,
  givenVectorSchema,
  type Match,
  matchSchema,
  type SearchResult,
  searchResultSchema,
} from './match.js';
export { type Onchain, onchainSchema } from './onchain.js';
export { orderActions, orderSteps, type StepOrder } from './order-steps.js';
export {
  type Ownership,
  type OwnershipClaimInput,
  type OwnershipClaimRequest,
  type OwnershipEvent,
  type OwnershipTransferInput,
  type OwnershipTransferRequest,
  ownershipClaimInputSchema,
  ownershipEventSchema,
  ownershipSchema,
  ownershipTransferInputSchema,
} from './ownership.js';
export {
  type Resource,
  type ResourceState,
  type ResourceType,
  resourceSchema,
  resourceStateSchema,
  resourceTypeSchema,
} from './resource.js';
export { type Session, sessionSchema } from './session.js';
export {
  type ContentTitle,
  contentTitleSchema,
  MAX_TITLE_LENGTH,
  type OwnAiLevel,
  ownAiLevelSchema,
  type TitledResource,
  type TitlePatch,
  titledResourceSchema,
  titlePatchSchema,
  titleSchema,
  toShownTitle,
  toTitle,
} from './title.js';
