import { ServiceError } from '../../errors.js';

/** `unsupported`: this type or size. `undecodable`: damaged or empty bytes, or a limit of time or memory. */
type LackReason = 'unsupported' | 'undecodable';

interface PlainContent {
  cid: string;
  mimeType: string;
}

/** The 404 for recorded content without a thumbnail. */
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
