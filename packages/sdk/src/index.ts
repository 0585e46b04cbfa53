export { attachPayment, type PaymentRecord } from './attach-payment.js';
export { type Client, type ClientOptions, createClient } from './client.js';
export type { Compliance, MarkedQuery, PeriodQuery, ReportQuery } from './compliance/compliance.js';
export type { RecordFileOptions } from './files/record-file.js';
export { computeCid, type FileVerdict, type VerifyFileOptions } from './files/verify-file.js';
export type { ConsistencyProof, InclusionQuery, Log, LogDescription } from './log/log.js';
export type { ProvenHistory, ProvenOptions } from './log/proven-history.js';
export type { Receipts } from './log/receipts.js';
export type { Account } from './management/account.js';
export type { ApiKeys, SecretCallOptions } from './management/api-keys.js';
export type { AuditPage, Orgs } from './management/orgs.js';
export type { Projects } from './management/projects.js';
export type { Webhooks } from './management/webhooks.js';
export {
  createManagementClient,
  type ManagementClient,
  type ManagementClientOptions,
} from './management-client.js';
export type { EmbedOptions, IngredientParts, Media } from './media/media.js';
export { createPageClient, type PageClient } from './page-client.js';
export type { PageQuery } from './pages.js';
export { PAYMENT_ERROR_CODES, PaymentError, type PaymentErrorCode } from './payments/payment-error.js';
export type { LabelOptions, Labels, LabelTable, LabelTexts } from './publications/labels.js';
export type { PublicationPage, PublicationQuery, Publications } from './publications/publications.js';
export type { Published, PublishedProofOptions } from './publications/published.js';
export type { ActionAnswer, ActionPage, ActionQuery, Actions } from './records/actions.js';
export type {
  AttributionAnswer,
  AttributionPage,
  AttributionQuery,
  Attributions,
} from './records/attributions.js';
export type { DistributionQuery, Distributions } from './records/distributions.js';
export type {
  ChangedEntity,
  Entities,
  EntityAnswer,
  EntityPage,
  EntityQuery,
  ErasureAnswer,
} from './records/entities.js';
export type {
  BundleAnswer,
  BundleQuery,
  ExportQuery,
  Histories,
  HistoryQuery,
  ProvenQuery,
} from './records/histories.js';
export type { Ownerships } from './records/ownerships.js';
export type { ContentOptions, ResourcePage, ResourceQuery, Resources } from './records/resources.js';
export type {
  FileSearchQuery,
  IsccSearch,
  ModelVector,
  Search,
  SearchQuery,
  TextSearch,
  VectorSearch,
} from './search/search.js';
export type {
  AssetQuery,
  SoftBinding,
  SoftBindingAlgorithms,
  SoftBindingMatches,
  SoftBindingQuery,
  SoftBindings,
} from './search/soft-bindings.js';
export type { Health, Readiness, Service } from './service.js';
export { signAction, signFileAction, signRegistration, signTransfer } from './signing/sign-action.js';
export {
  ApiError,
  type DuplicateDetails,
  duplicateOf,
  NoAnswerError,
  type NoAnswerReason,
} from './transport/api-error.js';
export type {
  CallOptions,
  Preferences,
  RecordOptions,
  UploadOptions,
  UploadProgress,
} from './transport/call-options.js';
export type { ByteStream, Content } from './transport/content.js';
export type { TransportOptions } from './transport/transport.js';
