import type { Action, Resource } from '@colophon/model';

/** A record whose listed members may be missing, as in a media file. */
type WithOptional<Whole, Lacking extends keyof Whole> = Omit<Whole, Lacking> & {
  [Member in Lacking]?: Whole[Member] | undefined;
};

/** An action, recorded or from a media file. */
export type MappedAction = WithOptional<Action, 'timestamp' | 'recordedAt' | 'digest'>;

/** Content, recorded or from a media file. */
export type MappedResource = WithOptional<Resource, 'createdAt' | 'state'>;
