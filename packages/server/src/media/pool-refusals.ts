import { ServiceError } from '../errors.js';
import type { FromWorker } from './worker/protocol.js';

export function toTimeout(timeoutMs: number): ServiceError {
  return new ServiceError('Timeout', `The media file was not processed within ${timeoutMs} ms.`, {
    status: 504,
    recovery: 'Send a smaller or simpler file, or ask the operator to raise the limit.',
  });
}

export function toTooHeavy(): ServiceError {
  return new ServiceError('Unavailable', 'The media file needs more memory than the limit allows.', {
    recovery:
      'Send a smaller or simpler file. If many files are processed at the same time, try again later.',
  });
}

export function toFailed({
  code,
  message,
  recovery,
  details,
}: FromWorker & { kind: 'failed' }): ServiceError {
  if (code === 'Internal')
    return new ServiceError('Unavailable', 'The media engine failed on this file.', {
      recovery: 'The file may be damaged. Try another copy of it.',
      cause: new Error(message),
    });
  return new ServiceError(code, message, { details, ...(recovery === undefined ? {} : { recovery }) });
}
