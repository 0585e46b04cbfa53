import { AI_EXTENSION, type EmbedInput, type Entity } from '@colophon/model';
import { ServiceError } from '../../errors.js';

/** Throws when the request states the use of AI, but `aiDisclosure` is null (Regulation (EU) 2024/1689, Art. 50). */
export function assertDisclosed(
  { aiDisclosure, aiTool, actionType, extensions }: EmbedInput,
  { role }: Entity,
): void {
  if (aiDisclosure !== null) return;
  const why =
    role === 'ai'
      ? 'the entity is an AI'
      : aiTool !== undefined || AI_EXTENSION in extensions
        ? 'an AI tool was used'
        : actionType === 'generate'
          ? 'the action is `generate`'
          : undefined;
  if (why === undefined) return;
  throw new ServiceError('ValidationError', `aiDisclosure must state the use of AI, because ${why}.`, {
    recovery: 'Set aiDisclosure to ai_generated or ai_assisted.',
    details: [{ path: 'aiDisclosure', message: `null states that only people made the media, but ${why}` }],
  });
}
