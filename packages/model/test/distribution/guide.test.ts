import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DISTRIBUTION_ERROR_CODES, distributeBundle, splitAmount } from '../../src/index.js';

const guide = readFileSync(new URL('../../../../docs/guides/shares.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);
const [bundle, terms, answer, ...others] = blocks('json').map((text) => JSON.parse(text));

describe('the guide to shares', () => {
  it('states the result that the model computes for its example', () => {
    expect(others).toEqual([]);
    expect(distributeBundle(bundle, terms)).toEqual(answer);
  });

  it('states the amounts that its code computes', () => {
    const [code = '', ...more] = blocks('js');
    expect(more).toEqual([]);
    const checked = code.replaceAll(/^(.+); \/\/ => (.+)$/gm, 'check($1, $2);');
    expect(checked.match(/check\(/g)).toHaveLength(2);
    const run = new Function('distributeBundle', 'splitAmount', 'bundle', 'terms', 'check', checked);
    run(distributeBundle, splitAmount, bundle, terms, (actual: unknown, expected: unknown) =>
      expect(actual).toEqual(expected),
    );
  });

  it('names every error code of a distribution', () => {
    const rows = guide.slice(guide.indexOf('## Errors'));
    for (const code of Object.keys(DISTRIBUTION_ERROR_CODES)) expect(rows).toContain(`\`${code}\``);
  });
});
