import type { ActivityRequest, Mark, MarkRequest } from '@colophon/model';

/** The page offers the statements only for a file whose record uses AI. */
export const DISCLOSURES = ['ai_generated', 'ai_assisted'] as const;
export type Disclosure = (typeof DISCLOSURES)[number];

export interface Marking {
  read(signal: AbortSignal): Promise<Blob>;
  /** The extension of the copy comes from this name. */
  fileName: string;
  /** Empty for none. */
  title: string;
  /** The performer of the step that used the AI. The request names it if the page does not know who marks the file. */
  entityId: string;
  /** The AI tool, or else the AI system that made the file. */
  generator: MarkRequest['generator'];
  suggested: Disclosure;
}

/** Several buttons for the same file can share the copy. */
export interface SharedCopy {
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
  name: string | undefined;
}

/** Returns undefined if the record uses no AI, or if the page does not have the file. */
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
 * `entityId`: who marks the file. The request sends no title, because the service would also write it into the file.
 * The service titles the copy by the file name, or not at all with `title: null`.
 */
export function toMarkRequest(
  { title, entityId: maker, generator }: Marking,
  { aiDisclosure, actionId, entityId = maker }: MarkAttempt,
): MarkRequest {
  return { entityId, generator, aiDisclosure, actionId, ...(title === '' ? { title: null } : {}) };
}

/** Returns, for example, `dawn-marked.png` for the file `1.png` with the title `dawn`. */
export function nameCopy({ fileName, title }: Pick<Marking, 'fileName' | 'title'>): string {
  const extension = /\.[^./\\]{1,16}$/.exec(fileName)?.[0] ?? '';
  const whole = title === '' ? fileName : title;
  const isRepeated = whole.toLowerCase().endsWith(extension.toLowerCase());
  const base = isRepeated ? whole.slice(0, whole.length - extension.length) : whole;
  return `${base.replaceAll(/[/\\]/g, '-')}-marked${extension}`;
}
