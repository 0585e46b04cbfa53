export {
  AI_LABELS,
  AI_LEVELS,
  type AiLabel,
  type AiLevel,
  aiLabelSchema,
  disclosureOfDetection,
  disclosureOfLevel,
  iconOfLevel,
  levelOfDetection,
  levelOfDisclosure,
  levelOfFacts,
} from './ai-label.js';
export { describeLabel, drawLabel } from './draw-label.js';
export { escapeMarkup } from './escape-markup.js';
export {
  LABEL_ICONS,
  LABEL_KINDS,
  LABEL_LANGUAGES,
  LABEL_MESSAGES,
  type LabelIcon,
  type LabelKind,
  type LabelLanguage,
  type LabelMessages,
} from './label-messages.js';
export { type LabelSnippet, labelSnippet, type SnippetOptions } from './label-snippet.js';
export { type OverlayOptions, type OverlayWords, overlaySnippet } from './overlay-snippet.js';
