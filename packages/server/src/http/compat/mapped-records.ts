import type { Action, Resource } from '@colophon/model';

/** An action, recorded or as a media file tells it. */
export type MappedAction = Omit<Action, 'timestamp' | 'recordedAt' | 'digest'> &
  Partial<Pick<Action, 'timestamp' | 'recordedAt' | 'digest'>> & { onchain?: unknown };

/** Content, recorded or as a media file tells it. */
export type MappedResource = Omit<Resource, 'createdAt' | 'state'> &
  Partial<Pick<Resource, 'createdAt' | 'state'>>;
