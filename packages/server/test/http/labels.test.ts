import { LABEL_ICONS } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

describe('labels', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
  });
  afterAll(() => service.stop());

  it.each(LABEL_ICONS)('%s.svg loads in pages of every site, without a key', async (icon) => {
    const answer = await fetch(`${service.base}/public/labels/${icon}.svg`);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await answer.text()).toMatch(/^<svg .*<title id="title">AI/);
  });

  it('an icon that does not exist gives 400 with the allowed names', async () => {
    const answer = await fetch(`${service.base}/public/labels/human.svg`);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain('ai-generated');
  });

  it('the table distinguishes the disclosure null from no disclosure', async () => {
    const { labels } = await (await fetch(`${service.base}/public/labels`)).json();
    const rows = labels.map(({ level, disclosure, texts }: Row) => [level, disclosure, texts?.path]);
    expect(rows).toEqual([
      ['generated', 'ai_generated', '/public/labels/ai-generated.svg'],
      ['assisted', 'ai_assisted', '/public/labels/ai-modified.svg'],
      ['involved', undefined, '/public/labels/ai.svg'],
      ['human', null, undefined],
      ['unstated', undefined, undefined],
    ]);
  });

  it('methods other than GET and HEAD get 405', async () => {
    const answer = await fetch(`${service.base}/public/labels`, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

interface Row {
  level: string;
  disclosure?: string | null;
  texts: { path: string } | null;
}
