import { pipeline, Readable, Transform } from 'node:stream';
import { ServiceError } from '../../errors.js';

/**
 * Fails when the length differs from the announced `sizeBytes`. After a wrong length, the client would misread the next
 * response.
 */
export function enforceLength(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): Readable {
  let passed = 0;
  const fault = () =>
    new ServiceError('Unavailable', `The store did not return the announced ${sizeBytes} bytes.`);
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      passed += chunk.length;
      if (passed > sizeBytes) done(fault());
      else done(null, chunk);
    },
    flush: (done) => done(passed === sizeBytes ? null : fault()),
  });
  // The returned stream reports the failure.
  return pipeline(bytes instanceof Readable ? bytes : Readable.from(bytes), counted, () => {});
}
