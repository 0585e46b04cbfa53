import { CORRECTION_EXTENSION, type Detection } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowDetection, detectAt } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const SOON = { timeout: 30_000 };
const WORDS =
  'heron river reeds morning silver patient water shallow feather stone current minnow shadow willow bank mist quiet hunter long grey legs standing still before sudden strike ripples settle again under pale sky';
const textOf = (topic: string) => `${WORDS} ${topic} ${WORDS.split(' ').toReversed().join(' ')}`;

describe('the public detector, for a file that is the source of published content', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, {
      environment: { PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '100000' },
    });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
    await allowDetection(service);
  });
  afterAll(() => service.stop());

  const detect = async (file: string): Promise<Detection> => {
    const { status, body } = await detectAt(service.base, file);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const record = async (content: string, action: object = {}): Promise<string> => {
    const entity = { id: 'studio:ann', role: 'human' };
    return (await (await service.upload(content, { entity, action })).json()).cid;
  };
  const publish = async (cid: string, options: object = {}): Promise<string> =>
    (await (await service.send('/v1/publications', jsonPost({ cid, ...options }))).json()).id;

  it('names the maker of the original for a published marked copy, also if it was altered', async () => {
    const original = textOf('the drawing of a lighthouse');
    const source = await record(original, { type: 'generate', aiTool: { provider: 'Acme', model: 'pen' } });
    const mark = { aiDisclosure: 'ai_generated', generator: { name: 'pen' }, markedCid: source };
    const action = { type: 'generate', inputCids: [source], extensions: { 'ext:mark@1.0.0': mark } };
    const marked = original.replace('drawing', 'marked drawing');
    const entity = { id: 'studio:bo', role: 'human', name: 'Bo' };
    const { cid } = await (await service.upload(marked, { entity, action })).json();
    const id = await publish(cid);
    const makersOf = async (file: string) =>
      (await detect(file)).layers.find(({ publication }) => publication?.id === id)?.makers;
    expect(await makersOf(marked)).toEqual([{ role: 'human', name: 'Ann' }]);
    const altered = marked.replace('water', 'waves');
    await expect.poll(() => makersOf(altered), SOON).toEqual([{ role: 'human', name: 'Ann' }]);
    await service.send(`/v1/publications/${id}`, { method: 'DELETE' });
  });

  it('states AI use only for the published content, never for its source', async () => {
    const original = textOf('the photograph of a harbour');
    const source = await record(original, { type: 'create' });
    const edited = original.replace('heron', 'egret');
    const tool = { provider: 'Acme', model: 'fill' };
    const edit = { type: 'transform', inputCids: [source], aiTool: tool };
    const id = await publish(await record(edited, edit), { withhold: ['names'] });
    const printOf = async (file: string) =>
      (await detect(file)).layers.find(({ publication }) => publication?.id === id);
    await expect.poll(async () => (await printOf(original))?.code, SOON).toBe('source-assisted');
    const summaries = [(await detect(original)).summary];
    const copy = original.replace('water', 'waves');
    expect(await printOf(copy)).toMatchObject({ code: 'similar-assisted', confidence: 'medium' });
    summaries.push((await detect(copy)).summary);
    expect(summaries[0]).toMatch(/^The published content was made from this file\./);
    expect(summaries[1]).toMatch(
      /^The file resembles published content\. It can be .*, its source or another/,
    );
    for (const one of summaries) {
      expect(one).toContain('states for the published content, not for this file: the content was modified');
      expect(one).not.toMatch(/is an altered copy/);
    }
    expect((await printOf(edited))?.code).toBe('same-assisted');
    await service.send(`/v1/publications/${id}`, { method: 'DELETE' });
  });

  it('names no file as a source of content after a correction of the step that made the content', async () => {
    const first = textOf('a source by mistake');
    const source = first.replace('morning', 'evening');
    const edited = source.replace('heron', 'egret');
    const sourceCid = await record(source, { type: 'transform', inputCids: [await record(first)] });
    const cid = await record(edited, { type: 'transform', inputCids: [sourceCid] });
    const codesOf = async (id: string) => {
      const found = [await detect(first), await detect(source)];
      return found.flatMap(({ layers }) =>
        layers.filter((one) => one.publication?.id === id).map(({ code }) => code),
      );
    };
    const id = await publish(cid);
    await expect.poll(() => codesOf(id), SOON).toEqual(['source-unstated', 'source-unstated']);
    const { actions } = await (await service.send(`/v1/bundle/${cid}`)).json();
    const wrong = actions.find(({ outputCids }: { outputCids: string[] }) => outputCids.includes(cid));
    const correction = {
      performedBy: 'studio:ann',
      type: 'create',
      inputCids: [],
      outputCids: [cid],
      extensions: { [CORRECTION_EXTENSION]: { actionId: wrong.id } },
    };
    expect((await service.send('/v1/action', jsonPost(correction))).status).toBe(201);
    await service.send(`/v1/publications/${id}`, { method: 'DELETE' });
    const again = await publish(cid);
    await expect.poll(() => codesOf(again), SOON).toEqual(['similar-unstated', 'similar-unstated']);
    await service.send(`/v1/publications/${again}`, { method: 'DELETE' });
  });
});
