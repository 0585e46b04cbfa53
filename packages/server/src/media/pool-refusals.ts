import { ServiceError } from '../errors.js';
import type { FromWorker } from './worker/protocol.js';

export function toTimeout(timeoutMs: number): ServiceError {
  return new ServiceError('Timeout', `The media file was not processed within ${timeoutMs} ms.`, {
    status: 504,
    recovery: 'Send a smaller or simpler file, or have the operator raise the limit.',
  });
}

export function toTooHeavy(): ServiceError {
  return new ServiceError('Unavailable', 'The media file takes more memory than a file may.', {
    recovery: 'Send a smaller or simpler file; when many are processed at once, try again later.',
  });
}

export function toStopped(cause?: unknown): ServiceError {
  return new ServiceError('Unavailable', 'The media engine stopped before it was done with this file.', {
    cause,
  });
}

/** The failure that a thread answered a task with. */
export function toFailed({ code, message, details }: FromWorker & { kind: 'failed' }): ServiceError {
  if (code === 'Internal')
    return new ServiceError('Unavailable', 'The media engine failed on this file.', {
      recovery: 'The file may be damaged in a way that nothing reads; try another copy of it.',
      cause: new Error(message),
    });
  return new ServiceError(code, message, { details });
}
