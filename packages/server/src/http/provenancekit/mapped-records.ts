import type { Action, Resource } from '@colophon/model';

/** The members of a record, of which a media file need not tell these. */
type WithOptional<Whole, Lacking extends keyof Whole> = Omit<Whole, Lacking> & {
  [Member in Lacking]?: Whole[Member] | undefined;
};

/** An action, recorded or as a media file tells it. */
export type MappedAction = WithOptional<Action, 'timestamp' | 'recordedAt' | 'digest'>;

/** Content, recorded or as a media file tells it. */
export type MappedResource = WithOptional<Resource, 'createdAt' | 'state'>;
