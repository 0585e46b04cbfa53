import { ServiceError } from '../../errors.js';

/**
 * The reason why a content has no thumbnail. `unsupported`: the service draws no thumbnail of this type or size.
 * `undecodable`: the bytes are damaged or empty, or the decoder exceeds a limit of time or memory.
 */
type LackReason = 'unsupported' | 'undecodable';

interface PlainContent {
  cid: string;
  mimeType: string;
}

/** Returns the 404 for recorded content without a thumbnail. A client shows an icon for the media type instead. */
export function noThumbnail({ cid, mimeType }: PlainContent, reason: LackReason, why: string): ServiceError {
  return new ServiceError('NotFound', `The content ${cid} has no thumbnail. ${why}`, {
    recovery: `Show an icon for ${mimeType}. GET /v1/resource/{cid}/content returns the bytes.`,
    details: { cid, mimeType, reason },
  });
}
