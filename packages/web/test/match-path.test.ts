import { describe, expect, it } from 'vitest';
import { matchPath } from '../src/shell/match-path.js';

describe('the pattern', () => {
  it.each([
    ['/', '/', {}],
    ['/shares/:cid', '/shares/bafy', { cid: 'bafy' }],
    ['/shares/:cid', '/shares/sha256%3Aab/', { cid: 'sha256:ab' }],
    ['/shares', '/shares/', {}],
  ])('%s matches the path %s', (pattern, path, values) => {
    expect(matchPath(pattern, path)).toEqual(values);
  });

  it.each([
    ['/', '/shares'],
    ['/shares/:cid', '/shares'],
    ['/shares/:cid', '/explore/bafy'],
    ['/shares/:cid', '/shares/%zz'],
  ])('%s does not match the path %s', (pattern, path) => {
    expect(matchPath(pattern, path)).toBeUndefined();
  });
});
