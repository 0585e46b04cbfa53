import { expect, it } from 'vitest';
import { isLocalHost } from '../src/shell/local-note.js';

it.each(['localhost', 'app.localhost', '127.0.0.1', '127.8.0.1', '[::1]'])(
  'an address at %s works only on this computer',
  (hostname) => expect(isLocalHost(hostname)).toBe(true),
);

it.each(['provenance.example', 'localhost.example', '127.0.0.1.example', '10.0.0.1', '[::2]'])(
  'an address at %s can work on other computers',
  (hostname) => expect(isLocalHost(hostname)).toBe(false),
);
