import type { ActivityRequest, ActivityResult, Signer } from '@colophon/model';
import { nameOf } from '../file-name.js';
import { signFileAction } from '../signing/sign-action.js';
import type { RecordOptions, UploadOptions } from '../transport/call-options.js';
import type { Content } from '../transport/content.js';
import type { Transport } from '../transport/transport.js';

/** Options of a file recording. */
export interface RecordFileOptions extends UploadOptions, RecordOptions {
  /**
   * The client signs the action with this key, for the performer. For an entity without a key, the service registers
   * the key of the signer.
   */
  signer?: Signer;
}

/**
 * Records a file with the entity and the action that produced its bytes. See `Client.file`.
 *
 * @example
 * const painting = await colophon.file(new TextEncoder().encode('a painting'), { entity: { role: 'human', name: 'Ann' } });
 * painting.resourceType; // => 'text'
 */
export async function recordFile(
  { ask }: Transport,
  { content, activity }: { content: Content; activity: ActivityRequest },
  { signer, ...options }: RecordFileOptions = {},
): Promise<ActivityResult> {
  const json = signer === undefined ? activity : await signFileAction(signer, activity);
  const files = [{ name: 'file', fileName: nameOf(content, options), content }];
  return ask({ method: 'POST', path: '/v1/activity', form: { json, files } }, options);
}
