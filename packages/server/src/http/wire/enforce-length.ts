import { pipeline, Readable, Transform } from 'node:stream';
import { ServiceError } from '../../errors.js';

/**
 * The bytes as a stream that fails when they are more or fewer than was announced: otherwise the connection would go
 * on with what the client takes for something else. When the reader leaves early, what is read is closed.
 */
export function exactly(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): Readable {
  let passed = 0;
  const fault = () =>
    new ServiceError('Unavailable', `The store has other bytes than the ${sizeBytes} that were announced.`);
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      passed += chunk.length;
      if (passed > sizeBytes) done(fault());
      else done(null, chunk);
    },
    flush: (done) => done(passed === sizeBytes ? null : fault()),
  });
  // The failure is that of the stream which is given.
  return pipeline(bytes instanceof Readable ? bytes : Readable.from(bytes), counted, () => {});
}
