import { ServiceError } from '../errors.js';

/** A setting of the right form that could never be applied. */
export function unusable(path: string, message: string): ServiceError {
  return new ServiceError('ValidationError', `${path} ${message}.`, { details: [{ path, message }] });
}
