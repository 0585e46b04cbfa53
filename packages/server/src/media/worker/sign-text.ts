import { createHash } from 'node:crypto';
import { exclusionOf, type FrameFault, frameTextManifest } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { HTML } from '../formats.js';
import { signAround } from './sign-around.js';
import type { Signing } from './signing.js';

const REFUSALS: Readonly<Record<FrameFault, string>> = {
  notUtf8: 'The text is not UTF-8, and a manifest needs UTF-8. Send the text in UTF-8.',
  bareCarriageReturn:
    'A line of the text ends with CR alone, so a manifest in a comment is ambiguous. Use LF or CRLF line ends.',
  json: 'The text is JSON, and a manifest would make it invalid. Record it without Content Credentials, or set commentSyntax when its readers accept comments.',
};

/** An earlier manifest of the text becomes an ingredient of the new one. */
export async function signText(signing: Signing): Promise<Uint8Array> {
  const { bytes, task } = signing;
  const { comment, textForm: form } = task;
  const frame = frameTextManifest(bytes, { isHtml: task.mediaType === HTML, comment, form });
  if (typeof frame === 'string')
    throw new ServiceError('ValidationError', REFUSALS[frame], {
      details: [{ path: 'file', message: frame }],
    });
  const { content, at } = frame;
  const digest = createHash('sha256').update(content).digest();
  const store = await signAround(signing, (length) => ({ ...exclusionOf(frame, length), digest }));
  return Buffer.concat([content.subarray(0, at), frame.toCarrier(store), content.subarray(at)]);
}
