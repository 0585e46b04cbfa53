import type { ActivityRequest, Mark, MarkRequest } from '@colophon/model';

/** The statements that a marked copy can have. The page offers them only for a file whose record uses AI. */
export const DISCLOSURES = ['ai_generated', 'ai_assisted'] as const;
export type Disclosure = (typeof DISCLOSURES)[number];

/** A recorded file that the page can mark, with the data of its record. */
export interface Marking {
  /** Returns the bytes of the file. */
  read(signal: AbortSignal): Promise<Blob>;
  /** The name of the file. The extension of the copy comes from it. */
  fileName: string;
  /** The title of the file; empty for none. */
  title: string;
  /**
   * The performer of the step that used the AI. If the page does not know who marks the file, the request names this
   * performer for the marked copy too.
   */
  entityId: string;
  /** The AI tool, or else the AI system that made the file. */
  generator: MarkRequest['generator'];
  /** The statement that the record suggests. */
  suggested: Disclosure;
}

/** The marked copy of a file. Several buttons for the same file can share it. */
export interface SharedCopy {
  /** The copy, as soon as the service has made it. */
  made: Mark | undefined;
  onMade: (mark: Mark) => void;
  /** The id of the marking action, for each statement. */
  actionIds: Readonly<Record<Disclosure, string>>;
}

export interface MarkAttempt {
  aiDisclosure: Disclosure;
  actionId: string;
  entityId?: string | undefined;
}

interface RecordedFile {
  /** Undefined if the page does not have the bytes. */
  file: File | undefined;
  title: string;
  activity: ActivityRequest;
  entityId: string;
  /** The name of the performer. */
  name: string | undefined;
}

/** Returns the data for a marked copy. Undefined if the record uses no AI, or if the page does not have the file. */
export function toMarking({ file, title, activity, entityId, name = '' }: RecordedFile): Marking | undefined {
  const { entity, action } = activity;
  const isByAi = entity.role === 'ai';
  const tool = action?.aiTool;
  if (file === undefined || (tool === undefined && !isByAi)) return undefined;
  const performer = name.trim() === '' ? entityId : name.trim();
  const isGenerated = isByAi || action?.type === 'generate';
  return {
    read: async () => file,
    fileName: file.name,
    title,
    entityId,
    generator: tool === undefined ? performer : { name: tool.model, provider: tool.provider },
    suggested: isGenerated ? 'ai_generated' : 'ai_assisted',
  };
}

/**
 * Returns the request for the copy. `entityId`: the person who marks the file, if the page knows this person. The
 * request contains no title, because the service would also write it into the file. The service takes the title of the
 * copy from the file name. `title: null`: the copy gets no title.
 */
export function toMarkRequest(
  { title, entityId: maker, generator }: Marking,
  { aiDisclosure, actionId, entityId = maker }: MarkAttempt,
): MarkRequest {
  return { entityId, generator, aiDisclosure, actionId, ...(title === '' ? { title: null } : {}) };
}

/** Returns the file name of the copy: `dawn-marked.png` for the file `1.png` with the title `dawn`. */
export function nameCopy({ fileName, title }: Pick<Marking, 'fileName' | 'title'>): string {
  const extension = /\.[^./\\]{1,16}$/.exec(fileName)?.[0] ?? '';
  const whole = title === '' ? fileName : title;
  const isRepeated = whole.toLowerCase().endsWith(extension.toLowerCase());
  const base = isRepeated ? whole.slice(0, whole.length - extension.length) : whole;
  return `${base.replaceAll(/[/\\]/g, '-')}-marked${extension}`;
}
