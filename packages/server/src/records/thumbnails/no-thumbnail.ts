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

/** The 404 for recorded content without a thumbnail. A client shows an icon for the media type instead. */
export class NoThumbnailError extends ServiceError {
  readonly reason: LackReason;
  constructor({ cid, mimeType }: PlainContent, reason: LackReason, why: string) {
    super('NotFound', `The content ${cid} has no thumbnail. ${why}`, {
      recovery: `Show an icon for ${mimeType}. GET /v1/resource/{cid}/content returns the bytes.`,
      details: { cid, mimeType, reason },
    });
    this.reason = reason;
  }
}

export function noThumbnail(content: PlainContent, reason: LackReason, why: string): NoThumbnailError {
  return new NoThumbnailError(content, reason, why);
}
