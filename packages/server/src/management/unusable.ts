import { ServiceError } from '../errors.js';

/** The error for a setting with a valid form that could never be applied. */
export function unusable(path: string, message: string): ServiceError {
  return new ServiceError('ValidationError', `${path} ${message}.`, { details: [{ path, message }] });
}
