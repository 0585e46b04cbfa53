export { fromBase64, toBase64 } from './base64.js';
export { C2PA_ACTION_EXTENSION } from './c2pa/action-extension.js';
export { type AiDetection, aiDetectionSchema, detectAi } from './c2pa/ai-detection.js';
export type { ToBundleOptions } from './c2pa/bundle-context.js';
export {
  type ActionDraft,
  type AttributionDraft,
  type BundleDraft,
  bundleDraftSchema,
  type EntityDraft,
  type ResourceDraft,
} from './c2pa/bundle-draft.js';
export { SIGNER_ROLE } from './c2pa/bundle-people.js';
export { C2PA_INGREDIENT_EXTENSION } from './c2pa/bundle-resources.js';
export { levelOfSourceType } from './c2pa/digital-source-type.js';
export { type Display, displaySchema, toDisplay } from './c2pa/display.js';
export {
  type EmbedInput,
  type EmbedRequest,
  embedInputSchema,
  INGREDIENT_PART,
} from './c2pa/embed-request.js';
export { type Manifest, type ManifestIngredient, manifestSchema, toManifest } from './c2pa/manifest.js';
export { type ManifestDefinition, toManifestDefinition } from './c2pa/manifest-definition.js';
export { type ManifestParts, manifestPartsSchema } from './c2pa/manifest-parts.js';
export { type ManifestStore, ManifestStoreError, parseManifestStore } from './c2pa/manifest-store.js';
export {
  type MediaEmbedding,
  type MediaExtraction,
  type MediaFormats,
  type MediaImport,
  type MediaVerification,
  mediaEmbeddingSchema,
  mediaExtractionSchema,
  mediaFormatsSchema,
  mediaImportSchema,
  mediaVerificationSchema,
} from './c2pa/media-answers.js';
export { type AiDisclosure, aiDisclosureSchema, PROVENANCE_ASSERTION } from './c2pa/provenance-assertion.js';
export { deriveManifestCid, toFileExtension } from './c2pa/resource-extension.js';
export { visibleText } from './c2pa/signer-name.js';
export { type StatusCode, statusCodeSchema } from './c2pa/status-code.js';
export type { StoredSoftBinding } from './c2pa/stored-soft-binding.js';
export {
  type BindingCode,
  checkTextBinding,
  type HashBytes,
  type TextBinding,
} from './c2pa/text/check-binding.js';
export {
  COMMENT_SYNTAXES,
  type CommentSyntax,
  exclusionOf,
  type FrameFault,
  frameTextManifest,
  type TextForm,
  type TextFrame,
} from './c2pa/text/frame-manifest.js';
export { locateTextManifest, type TextManifest } from './c2pa/text/locate-manifest.js';
export type { ByteRange, TextCarrier, TextMethod } from './c2pa/text/text-carrier.js';
export { toBundle } from './c2pa/to-bundle.js';
export { type ManifestPartsOptions, toManifestParts } from './c2pa/to-manifest-parts.js';
export { type TrainingMining, trainingMiningSchema } from './c2pa/training-mining.js';
export { type EngineOutcome, toValidation, type Validation, validationSchema } from './c2pa/validation.js';
export { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from './canonical-json.js';
export { CAR_MEDIA_TYPE, type CarOptions, createCar } from './car.js';
export * from './compliance/index.js';
export {
  type ContentDigests,
  type ContentHasher,
  createContentHasher,
} from './content-hasher.js';
export { isContentId, parseContentId } from './content-id.js';
export { contentIdSchema } from './content-id-schema.js';
export { type DerElement, readDer } from './der.js';
export * from './detection/index.js';
export { compareCodePoints } from './distribution/code-point-order.js';
export { type DistributionTerms, distributeBundle } from './distribution/distribute-bundle.js';
export { distributeByWeight } from './distribution/distribute-by-weight.js';
export {
  type Distribution,
  type DistributionInput,
  type DistributionRequest,
  decaySchema,
  distributionInputSchema,
  distributionSchema,
  MAX_SENT_RECORDS,
  type Policy,
  policySchema,
} from './distribution/distribution.js';
export {
  DISTRIBUTION_ERROR_CODES,
  DistributionError,
  type DistributionErrorCode,
} from './distribution/distribution-error.js';
export { largestRemainder, type Weighted } from './distribution/largest-remainder.js';
export type { LineageBundle } from './distribution/lineage.js';
export { lineagePath } from './distribution/lineage-path.js';
export { listShareRecords, type ShareRecords } from './distribution/list-share-records.js';
export { type Exact, parseRational, type Rational } from './distribution/rational.js';
export type { Recipient } from './distribution/recipients.js';
export { DEFAULT_TOTAL, type Share, type Shares, sharesSchema } from './distribution/shares.js';
export { splitAmount } from './distribution/split-amount.js';
export { ERROR_CODES, type ErrorBody, type ErrorCode, type ErrorCodeEntry } from './error-codes.js';
export { isSameWallet } from './evm-address.js';
export * from './export/index.js';
export { AI_EXTENSION, type AiExtension, aiExtensionSchema } from './extensions/ai.js';
export { AUTH_EXTENSION, type AuthExtension, authExtensionSchema } from './extensions/auth.js';
export {
  AUTHORIZATION_EXTENSION,
  type AuthorizationExtension,
  authorizationExtensionSchema,
} from './extensions/authorization.js';
export { C2PA_EXTENSION, type C2paExtension, c2paExtensionSchema } from './extensions/c2pa.js';
export { CONTRIB_EXTENSION, type ContribExtension, contribExtensionSchema } from './extensions/contrib.js';
export {
  CORRECTION_EXTENSION,
  type CorrectingAction,
  correctedActions,
  findCorrections,
  isCorrectionAlone,
  lastCorrection,
  namedCorrection,
} from './extensions/correction.js';
export { GIT_EXTENSION, type GitExtension, gitExtensionSchema } from './extensions/git.js';
export {
  GOVERNANCE_EXTENSION,
  type GovernanceExtension,
  governanceExtensionSchema,
} from './extensions/governance.js';
export {
  IDENTITY_EXTENSION,
  type IdentityExtension,
  identityExtensionSchema,
} from './extensions/identity.js';
export {
  KNOWN_EXTENSIONS,
  type KnownExtensionKey,
  type KnownExtensions,
} from './extensions/known-extensions.js';
export {
  isTermsAlone,
  LICENSE_EXTENSION,
  type LicenseExtension,
  licenseExtensionSchema,
  licenseOf,
} from './extensions/license.js';
export {
  MARK_EXTENSION,
  type MarkExtension,
  type MarkingAction,
  markExtensionSchema,
  markedInput,
  WITHOUT_AI,
} from './extensions/mark.js';
export { ONCHAIN_EXTENSION, type OnchainExtension, onchainExtensionSchema } from './extensions/onchain.js';
export {
  OWNERSHIP_CLAIM_EXTENSION,
  type OwnershipClaimExtension,
  ownershipClaimExtensionSchema,
} from './extensions/ownership-claim.js';
export {
  OWNERSHIP_TRANSFER_EXTENSION,
  type OwnershipTransferExtension,
  ownershipTransferExtensionSchema,
} from './extensions/ownership-transfer.js';
export { PAYMENT_EXTENSION, type PaymentExtension, paymentExtensionSchema } from './extensions/payment.js';
export { PROOF_EXTENSION, type ProofExtension, proofExtensionSchema } from './extensions/proof.js';
export { SESSION_EXTENSION, type SessionExtension, sessionExtensionSchema } from './extensions/session.js';
export { STORAGE_EXTENSION, type StorageExtension, storageExtensionSchema } from './extensions/storage.js';
export {
  TOOL_ATTESTATION_EXTENSION,
  type ToolAttestationExtension,
  toolAttestationExtensionSchema,
} from './extensions/tool-attestation.js';
export {
  VERIFICATION_EXTENSION,
  type VerificationExtension,
  verificationExtensionSchema,
} from './extensions/verification.js';
export { WITNESS_EXTENSION, type WitnessExtension, witnessExtensionSchema } from './extensions/witness.js';
export { X402_EXTENSION, type X402Extension, x402ExtensionSchema } from './extensions/x402.js';
export { type Graph, graphSchema, toGraph } from './graph.js';
export * from './iscc/index.js';
export * from './labels/index.js';
export { type Anchor, anchorSchema } from './log/anchor.js';
export {
  type ActionMentions,
  type BundleProof,
  bundleProofSchema,
  type MentionStatement,
  type NamedMentions,
  PROVEN_BUNDLE_TYPE,
  type ProofVersion,
  provenBundleText,
  statementDigest,
} from './log/bundle-proof.js';
export {
  formatCheckpoint,
  parseCheckpoint,
  type SignedCheckpoint,
  signCheckpoint,
} from './log/checkpoint.js';
export type { ByteSigner } from './log/cose.js';
export type { CosignatureFault, CosignatureVerifiers, MlDsaSigner } from './log/cosignature.js';
export { COSIGNATURE_FAULTS, type CosignatureReport, cosign, verifyCosignature } from './log/cosignature.js';
export { type CosignatureAlgorithm, MAX_COSIGNED_NAME_BYTES, ML_DSA_44 } from './log/cosigned-message.js';
export {
  HANDOVER_TYPE,
  type HandoverSignatures,
  type HandoverStatement,
  handoverDigest,
  handoverSignaturesSchema,
  handoverStatementSchema,
  handoverText,
  type KeyHistory,
  keyHistorySchema,
} from './log/key-history.js';
export { logHashSchema } from './log/log-fields.js';
export {
  createMap,
  type MapStep,
  type MapTree,
  type MapWalk,
  mapRoot,
  verifyWalk,
  walkMap,
} from './log/mention-map.js';
export {
  actionKey,
  chainsValue,
  emptyChain,
  extendChain,
  type MapEntry,
  type MentionChain,
  type Mentions,
  mapLeafHash,
  mentionKey,
  mentionValue,
  packChains,
} from './log/mentions.js';
export type { ProofWarning, VerifyOptions } from './log/proof-input.js';
export { type ProvenBundle, provenBundleSchema } from './log/proven-bundle.js';
export {
  type LogEntry,
  logEntrySchema,
  type Receipt,
  receiptSchema,
} from './log/receipt.js';
export {
  COMMITTED_RECORD_TYPE,
  COSE_TYPE,
  TLOG_PROOF_HEADER,
  TLOG_PROOF_TYPE,
  toTlogProof,
  toTransparentStatement,
} from './log/receipt-formats.js';
export type { NoteSigner } from './log/signed-note.js';
export { formatTilePath, parseTilePath, TILE_HEIGHT, TILE_WIDTH, type Tile } from './log/tiles.js';
export { type Timestamp, timestampSchema } from './log/timestamp.js';
export {
  type ParsedPolicy,
  POLICY_FAULTS,
  type PolicyFault,
  type PolicyGroup,
  parsePolicy,
  type TlogPolicy,
} from './log/tlog-policy.js';
export { digestBytes, emptyRoot, headHash, leafHash, nodeHash } from './log/tree-hash.js';
export {
  proveConsistency,
  proveInclusion,
  type ReadHashes,
  type Subtree,
  treeRoot,
} from './log/tree-proofs.js';
export {
  formatVerifierKey,
  parseVerifierKey,
  toVerifierKey,
  type VerifierKey,
} from './log/verifier-key.js';
export {
  ANCHOR_FAULTS,
  type AnchorFault,
  type AnchorReport,
  type AskChain,
  DIGEST_ANCHORED,
  ROOT_ANCHORED,
  verifyAnchor,
} from './log/verify-anchor.js';
export {
  BUNDLE_FAULTS,
  type BundleFault,
  type BundleReport,
  type UnprovenPart,
  verifyBundle,
} from './log/verify-bundle.js';
export { KEY_FAULTS, type KeyedReport, verifyByKeys } from './log/verify-by-keys.js';
export { type DocumentReport, verifyDocument } from './log/verify-document.js';
export { type GrowthReport, verifyGrowth } from './log/verify-growth.js';
export {
  KEY_HISTORY_FAULTS,
  type KeyHistoryFault,
  type KeyHistoryReport,
  type LogKey,
  verifyKeyHistory,
} from './log/verify-key-history.js';
export { checkWholeHistory, isWholeHistory } from './log/verify-mentions.js';
export {
  CHECKPOINT_POLICY_FAULTS,
  type CheckpointPolicyFault,
  type PolicyReport,
  verifyPolicy,
} from './log/verify-policy.js';
export { type Inclusion, type TreeHead, verifyConsistency, verifyInclusion } from './log/verify-proofs.js';
export {
  RECEIPT_FAULTS,
  type ReceiptFault,
  type ReceiptReport,
  verifyReceipt,
} from './log/verify-receipt.js';
export { findSignerFault, parseTrustedLog, type SignerFault, type TrustedLog } from './log/verify-signer.js';
export {
  STATEMENT_FAULTS,
  type StatementFault,
  type StatementReport,
  verifyStatement,
} from './log/verify-statement.js';
export {
  TIMESTAMP_FAULTS,
  type TimestampFault,
  type TimestampReport,
  type TimestampTerms,
  TOKEN_FAULTS,
  type TokenFault,
  type TokenReport,
  type VerifyToken,
  verifyTimestamp,
} from './log/verify-timestamp.js';
export {
  TLOG_PROOF_FAULTS,
  type TlogProofFault,
  type TlogProofReport,
  verifyTlogProof,
} from './log/verify-tlog-proof.js';
export {
  type Cosigner,
  type MissingCosigner,
  type QuorumReport,
  verifyWitnesses,
  WITNESS_FAULTS,
  type WitnessFault,
  type WitnessPolicy,
} from './log/verify-witnesses.js';
export { formatWitnessKey, parseWitnessKey, toWitnessKey, type WitnessKey } from './log/witness-key.js';
export { formatWitnessRequest, parseWitnessRequest, type WitnessRequest } from './log/witness-request.js';
export * from './management/index.js';
export * from './marks/index.js';
export { dssePae, dssePaeHeader } from './proofs/dsse.js';
export { createSigner, type Signer, verifyEd25519 } from './proofs/ed25519.js';
export {
  type ActionProof,
  actionProofHash,
  actionProofSchema,
  type ContentNames,
  MAX_TIMESTAMP_LAG_MS,
  type PossibleText,
  type ProofReport,
  type ProvenAction,
  possibleSignedTexts,
  verifyActionProof,
} from './proofs/proof.js';
export { isEd25519Key, isVerifiable, type SentProof, sentProofSchema } from './proofs/sent-proof.js';
export { publicKeySchema, signatureSchema, type VerifySignature } from './proofs/signature.js';
export {
  type ActionIntent,
  actionIntentText,
  type FullAction,
  fullActionText,
  registrationText,
  type WitnessStatement,
  witnessText,
} from './proofs/signing-texts.js';
export * from './proofs/witness.js';
export * from './publications/index.js';
export {
  committedBody,
  digestRecord,
  type RecordKind,
  type Salts,
  verifyRecordDigest,
} from './record-digest.js';
export * from './records/index.js';
export type { CreateSha256, Sha256 } from './sha256.js';
