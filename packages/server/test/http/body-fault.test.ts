import { expect, it } from 'vitest';
import { z } from 'zod';
import { bodyFault } from '../../src/body-fault.js';

it('the error names an unknown field by its first 100 characters', () => {
  const { error } = z.strictObject({}).safeParse({ ['x'.repeat(5000)]: 1 });
  if (error === undefined) throw new Error('the field was accepted');
  const { message, details } = bodyFault(error, {});
  expect(details).toEqual([{ path: `${'x'.repeat(100)}…`, message: 'This field is not known' }]);
  expect(message.length).toBeLessThan(200);
});
