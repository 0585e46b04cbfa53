import { describe, expect, it } from 'vitest';
import { matchPath } from '../src/shell/match-path.js';

describe('an address of the page', () => {
  it.each([
    ['/', '/', {}],
    ['/shares/:cid', '/shares/bafy', { cid: 'bafy' }],
    ['/shares/:cid', '/shares/sha256%3Aab/', { cid: 'sha256:ab' }],
    ['/shares', '/shares/', {}],
  ])('with the pattern %s matches %s', (pattern, path, values) => {
    expect(matchPath(pattern, path)).toEqual(values);
  });

  it.each([
    ['/', '/shares'],
    ['/shares/:cid', '/shares'],
    ['/shares/:cid', '/explore/bafy'],
    ['/shares/:cid', '/shares/%zz'],
  ])('with the pattern %s does not match %s', (pattern, path) => {
    expect(matchPath(pattern, path)).toBeUndefined();
  });
});
