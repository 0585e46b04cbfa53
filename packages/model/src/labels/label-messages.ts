/** The kinds of content that a label describes. */
export const LABEL_KINDS = ['image', 'video', 'sound', 'text'] as const;

/** The names of the icon files of labels, without the extension. */
export const LABEL_ICONS = ['ai', 'ai-generated', 'ai-modified'] as const;

/** The languages of the labels. */
export const LABEL_LANGUAGES = ['en'] as const;

/** A kind of content that a label describes. */
export type LabelKind = (typeof LABEL_KINDS)[number];
/** A language of the labels, as a BCP 47 tag. */
export type LabelLanguage = (typeof LABEL_LANGUAGES)[number];
/** The name of the icon file of a label, without the extension. */
export type LabelIcon = (typeof LABEL_ICONS)[number];

/** The texts of the labels in one language. */
export interface LabelMessages {
  /** The text on the icon. */
  readonly icon: Readonly<Record<LabelIcon, string>>;
  /** The meaning of the icon. */
  readonly about: Readonly<Record<LabelIcon, string>>;
  /** A sentence to show next to the content. */
  readonly notice: Readonly<Record<LabelIcon, (kind: LabelKind) => string>>;
  /** A sentence to speak at the beginning of a video or a sound recording. */
  readonly spoken: Readonly<Record<LabelIcon, (kind: 'video' | 'sound') => string>>;
}

const ENGLISH_KINDS = { image: 'picture', video: 'video', sound: 'recording', text: 'text' } as const;

const icon: LabelMessages['icon'] = {
  'ai-generated': 'AI GENERATED',
  'ai-modified': 'AI MODIFIED',
  ai: 'AI',
};
const about: LabelMessages['about'] = {
  'ai-generated': 'This content was generated with artificial intelligence.',
  'ai-modified': 'This content was modified with artificial intelligence.',
  ai: 'Artificial intelligence took part in making this content.',
};

/** Separate, because the badge needs no other texts of labels. */
export const ICON_MESSAGES: Readonly<Record<LabelLanguage, Pick<LabelMessages, 'icon' | 'about'>>> = {
  en: { icon, about },
};

const english: LabelMessages = {
  icon,
  about,
  notice: {
    'ai-generated': (kind) => `This ${ENGLISH_KINDS[kind]} was generated with AI.`,
    'ai-modified': (kind) => `This ${ENGLISH_KINDS[kind]} was edited with AI.`,
    ai: (kind) => `AI took part in making this ${ENGLISH_KINDS[kind]}.`,
  },
  spoken: {
    'ai-generated': (kind) =>
      `The following ${ENGLISH_KINDS[kind]} was generated with artificial intelligence.`,
    'ai-modified': (kind) => `The following ${ENGLISH_KINDS[kind]} was edited with artificial intelligence.`,
    ai: (kind) => `Artificial intelligence took part in making the following ${ENGLISH_KINDS[kind]}.`,
  },
};

/** The texts of the labels by language. */
export const LABEL_MESSAGES: Readonly<Record<LabelLanguage, LabelMessages>> = { en: english };
