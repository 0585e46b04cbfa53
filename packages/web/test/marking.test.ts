import { type ActivityRequest, markInputSchema } from '@colophon/model';
import { describe, expect, it } from 'vitest';
import { nameCopy, toMarking, toMarkRequest } from '../src/marking/to-marking.js';

const file = new File(['x'], 'Sunset.PNG');
const aiTool = { provider: 'Acme', model: 'painter-2' };
const actionId = '0198c1de-0000-7000-8000-000000000000';
const entityId = 'studio:ann';

function markingOf(activity: ActivityRequest, more: { title?: string; name?: string } = {}) {
  return toMarking({ file, title: 'sunset.png', activity, entityId, name: undefined, ...more });
}

describe('a marked copy on the page', () => {
  it('is offered for a record with AI, and suggests the statement of this record', () => {
    const entity = { role: 'human', name: 'Ann' };
    const suggestedOf = (activity: ActivityRequest) => markingOf(activity)?.suggested;
    expect(suggestedOf({ entity, action: { type: 'generate', aiTool } })).toBe('ai_generated');
    expect(suggestedOf({ entity, action: { type: 'transform', aiTool } })).toBe('ai_assisted');
    expect(suggestedOf({ entity: { role: 'ai', name: 'Painter' } })).toBe('ai_generated');
    expect(suggestedOf({ entity, action: { type: 'transform' } })).toBeUndefined();
    const activity = { entity, action: { type: 'generate', aiTool } };
    expect(toMarking({ file: undefined, title: '', activity, entityId, name: 'Ann' })).toBeUndefined();
  });

  it('names the AI tool as the generator, or else the AI system that made the file', () => {
    const ai = { role: 'ai', id: entityId };
    expect(markingOf({ entity: ai, action: { aiTool } })?.generator).toEqual({
      name: 'painter-2',
      provider: 'Acme',
    });
    expect(markingOf({ entity: ai }, { name: ' Painter ' })?.generator).toBe('Painter');
    expect(markingOf({ entity: ai })?.generator).toBe(entityId);
  });

  it('is requested without the title, which only the project sees', () => {
    const activity = { entity: { role: 'human', id: entityId }, action: { aiTool } };
    const attempt = { aiDisclosure: 'ai_assisted', actionId } as const;
    for (const [title, sent] of [
      ['a secret title', undefined],
      ['', null],
    ]) {
      const marking = markingOf(activity, { title: title ?? '' });
      if (marking === undefined) throw new Error('The record uses AI.');
      const request = markInputSchema.parse(toMarkRequest(marking, attempt));
      expect(request).toMatchObject({ ...attempt, entityId, generator: { name: 'painter-2' } });
      expect(request.title).toBe(sent);
    }
  });

  it('has the title or the name of the file in its own name', () => {
    const nameOf = (name: string, title: string) => nameCopy({ file: new File([], name), title });
    expect(nameOf('Sunset.PNG', '')).toBe('Sunset-marked.PNG');
    expect(nameOf('Sunset.PNG', 'dawn.png')).toBe('dawn-marked.PNG');
    expect(nameOf('1.png', 'Day 1.5: sea/sky')).toBe('Day 1.5: sea-sky-marked.png');
    expect(nameOf('notes', '')).toBe('notes-marked');
  });
});
