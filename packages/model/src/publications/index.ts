export {
  isAiKey,
  /** @deprecated Use `findUnprovable`, which applies this rule to all extensions of a history. */
  isToolAlone,
  promptsOf,
} from './ai-extension.js';
export { findCorrectedSteps, withSources } from './current-steps.js';
export { type DescribedBundle, describeBundle, type View } from './describe-bundle.js';
export { findUnprovable, isOfOtherChoice, isProvable, type UnprovableChoice } from './find-unprovable.js';
export { findUnproven } from './find-unproven.js';
export {
  countUnmade,
  listCurrentCredits,
  listCurrentPeople,
  listCurrentSteps,
  listLicenses,
  namePerformers,
} from './history-facts.js';
export { readDisclosure } from './list-facts.js';
export {
  createWorkMakers,
  isMarkerUnknown,
  listMarkedForMaker,
  listWorkMakers,
  listWorks,
  type MakingStep,
  makesContent,
  workMakersOf,
} from './making-steps.js';
export {
  type Publication,
  type PublicationInput,
  type PublicationRequest,
  publicationIdSchema,
  publicationInputSchema,
  publicationPath,
  publicationSchema,
  WITHHOLDABLE,
  type Withholdable,
} from './publication.js';
export {
  type PublicationSummary,
  type PublicCheck,
  type PublishedFacts,
  type PublishedHistory,
  publicationSummarySchema,
  publicCheckSchema,
  publishedFactsSchema,
  publishedHistorySchema,
} from './published-history.js';
export { type PublishedPage, renderPublishedPage } from './published-page.js';
export { RESTORE_MS } from './restore-ms.js';
export { shortenNames } from './shorten-text.js';
