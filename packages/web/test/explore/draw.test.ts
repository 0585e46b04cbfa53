import { CORRECTION_EXTENSION } from '@colophon/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  begin,
  fit,
  hiddenSides,
  inView,
  isLegible,
  keepInView,
  toPoint,
  zoomAt,
} from '../../src/explore/draw/camera.js';
import { drawEdges } from '../../src/explore/draw/draw-edges.js';
import { createNodeGrid } from '../../src/explore/draw/node-grid.js';
import type { Palette } from '../../src/explore/draw/palette.js';
import { newestStepTo, toScene } from '../../src/explore/draw/scene.js';
import { toSvg } from '../../src/explore/export/to-svg.js';
import { toHistory } from '../../src/explore/history/history.js';
import { layOut } from '../../src/explore/layout/lay-out.js';
import { type Bounds, toLayoutInput } from '../../src/explore/layout/layout-input.js';
import { LANGUAGES } from '../../src/languages/language.js';
import { installTexts } from '../../src/languages/texts.js';
import { texts as german } from '../../src/translations/de/texts.js';
import { createWaitingList } from '../../src/ui/waiting-list.js';
import { actionOf, bundleOf, entityOf, grownBundle } from '../support/histories.js';

const view = { width: 800, height: 600 };
const boxAt = (x: number): Bounds => ({ left: x - 94, top: -25, right: x + 94, bottom: 25 });

describe('the camera', () => {
  it('fits all of a picture into the view', () => {
    const bounds = { left: -50, top: -900, right: 4000, bottom: 300 };
    const seen = inView(fit(bounds, view), view);
    expect(seen.left).toBeLessThan(bounds.left);
    expect(seen.top).toBeLessThan(bounds.top);
    expect(seen.right).toBeGreaterThan(bounds.right);
    expect(seen.bottom).toBeGreaterThan(bounds.bottom);
  });

  it('starts at a readable zoom, with the requested content in view', () => {
    const bounds = { left: 0, top: -200, right: 30_000, bottom: 200 };
    const seen = inView(begin(bounds, view, { subject: boxAt(29_900) }), view);
    expect(seen.right).toBeGreaterThan(29_900);
    expect(seen.right - seen.left).toBeLessThan(2500);
  });

  it('starts with the whole history as long as its titles are legible', () => {
    const desk = { width: 1198, height: 680 };
    const bounds = { left: 0, top: -120, right: 2588, bottom: 120 };
    const camera = begin(bounds, desk, { subject: boxAt(2494) });
    expect(camera).toEqual(fit(bounds, desk));
    expect(hiddenSides(camera, desk, bounds)).toEqual([]);
    expect(isLegible(camera, desk, boxAt(94))).toBe(true);
    const long = { ...bounds, right: 5176 };
    const part = begin(long, desk, { subject: boxAt(5082) });
    expect(hiddenSides(part, desk, long)).toEqual(['left']);
    expect(isLegible(part, desk, boxAt(5082))).toBe(true);
    expect(isLegible(part, desk, boxAt(94))).toBe(false);
    expect(isLegible(fit(long, desk), desk, boxAt(94))).toBe(false);
  });

  it('has an arrow at each side beyond which the picture goes on', () => {
    const drawn: string[] = [];
    const note = (name: string) => () => void drawn.push(name);
    const context = {
      ...{
        save: note(''),
        restore: note(''),
        translate: note(''),
        rotate: (turn: number) => drawn.push(`${turn}`),
      },
      ...{
        fillRect: note(''),
        beginPath: note(''),
        moveTo: note(''),
        lineTo: note(''),
        setLineDash: note(''),
      },
      stroke: note('arrow'),
    } as Partial<CanvasRenderingContext2D> as CanvasRenderingContext2D;
    const history = toHistory(bundleOf('c', [actionOf('a', 1, { outputCids: ['c'] })]));
    const scene = toScene(history, layOut(toLayoutInput(history)));
    const palette = { paper: '#fff', accent: '#000' } as Palette;
    const at = (zoom: number, x: number) => {
      drawn.length = 0;
      drawEdges(context, { scene, palette, view, camera: { x, y: -300 / zoom, zoom } });
      return drawn.filter((name) => name !== '');
    };
    expect(at(0.4, -100)).toEqual([]);
    expect(at(1, scene.layout.bounds.right - 50)).toEqual(['0', 'arrow']);
    expect(at(1, 50 - view.width)).toEqual([String(Math.PI), 'arrow']);
  });

  it('starts without a cut at the top if the height of the picture fits', () => {
    const low = { width: 1198, height: 260 };
    const bounds = { left: 0, top: -300, right: 9000, bottom: -60 };
    const camera = begin(bounds, low, { subject: { left: 8812, right: 9000, top: -120, bottom: -60 } });
    expect(hiddenSides(camera, low, bounds)).toEqual(['left']);
  });

  it('starts on a phone with the newest step and the content in view, without empty space beside the picture', () => {
    const phone = { width: 358, height: 470 };
    const bounds = { left: 0, top: -200, right: 30_000, bottom: 200 };
    const opening = { subject: boxAt(29_900), step: boxAt(29_600) };
    const camera = begin(bounds, phone, opening);
    expect(camera.zoom).toBe(0.5);
    const seen = inView(camera, phone);
    expect(seen.right).toBe(30_000 + 56);
    expect(seen.left).toBeLessThan(opening.step.left);
    expect((seen.top + seen.bottom) / 2).toBe(0);
    const inside = inView(begin(bounds, phone, { subject: boxAt(5_300), step: boxAt(5_000) }), phone);
    expect(inside.left).toBe(boxAt(5_000).left - 56);
    expect(inside.right).toBeGreaterThan(boxAt(5_300).right);
    const far = inView(begin(bounds, phone, { subject: boxAt(5_300), step: boxAt(900) }), phone);
    expect(far.right).toBeGreaterThan(boxAt(5_300).right);
    const short = { left: 0, top: -40, right: 560, bottom: 40 };
    expect(begin(short, phone, { subject: boxAt(460) })).toEqual(fit(short, phone));
  });

  it('finds the newest step that made a content', () => {
    const older = actionOf('a', 1, { outputCids: ['c'] });
    const newer = actionOf('b', 2, { outputCids: ['c'] });
    const later = actionOf('d', 3, { inputCids: ['c'] });
    const history = toHistory(bundleOf('c', [newer, older, later]));
    expect(history.nodes[newestStepTo(history.focus, history) ?? -1]?.id).toBe('act:b');
    const single = toHistory(bundleOf('c', [later]));
    expect(newestStepTo(single.focus, single)).toBeUndefined();
  });

  it('moves no further than necessary to keep a box in a narrower view', () => {
    const camera = { x: 0, y: 0, zoom: 1 };
    const box = { left: 600, right: 788, top: 0, bottom: 50 };
    const narrow = { width: 400, height: 300 };
    const moved = keepInView(camera, narrow, box);
    expect(inView(moved, narrow).right).toBe(box.right + 28);
    expect(keepInView(moved, narrow, box)).toEqual(moved);
    expect(keepInView({ ...camera, x: 900 }, narrow, box).x).toBe(box.left - 28);
  });

  it('zooms around the pointer', () => {
    const at = { x: 100, y: 250 };
    const camera = fit({ left: 0, top: 0, right: 1000, bottom: 1000 }, view);
    const before = toPoint(camera, at);
    const after = toPoint(zoomAt(camera, at, 1.7), at);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
  });
});

describe('the search for nodes by position', () => {
  it('finds exactly the nodes that touch an area', () => {
    const place = fc.record({
      x: fc.integer({ min: -3000, max: 3000 }),
      y: fc.integer({ min: -3000, max: 3000 }),
    });
    fc.assert(
      fc.property(
        fc.array(place, { maxLength: 60 }),
        place,
        fc.integer({ min: 0, max: 4000 }),
        (places, { x, y }, size) => {
          const boxes = places.map(
            (at): Bounds => ({ left: at.x, top: at.y, right: at.x + 176, bottom: at.y + 60 }),
          );
          const area = { left: x, top: y, right: x + size, bottom: y + size };
          const boxOf = (node: number) => boxes[node] ?? area;
          const plain = boxes.flatMap((box, node) =>
            box.left <= area.right && box.right >= x && box.top <= area.bottom && box.bottom >= y
              ? [node]
              : [],
          );
          const grid = createNodeGrid(boxes.length, boxOf);
          expect(grid.within(area).sort((a, b) => a - b)).toEqual(plain);
          for (const { left, top } of boxes) expect(grid.at({ x: left + 1, y: top + 1 })).toBeDefined();
        },
      ),
    );
  });
});

const colour = { fill: '#fff', edge: '#000' };
const palette: Palette = {
  ...{ paper: '#fff', card: '#fff', ink: '#000', soft: '#555', line: '#ddd', edge: '#888' },
  ...{ part: '#997', accent: '#064', found: '#c70' },
  kinds: { resource: colour, action: colour, entity: colour, tool: colour, group: colour },
};

describe('the drawing', () => {
  const draw = (bundle: Parameters<typeof toHistory>[0], title = 'A history') => {
    const history = toHistory(bundle);
    const scene = toScene(history, layOut(toLayoutInput(history)));
    const marks = { found: new Set<number>(), hidden: new Map<string, number>() };
    return toSvg({ scene, marks, palette, thumbnailOf: () => undefined }, { title, toDataUrl: () => '' });
  };

  it('has a card with a title for each action, and one for a person', () => {
    const svg = draw(grownBundle(40));
    expect(svg.match(/font-weight="600"[^>]*>(Generated|Edited|Combined|Created|Imported)/g)).toHaveLength(
      40,
    );
    expect(svg).toContain('>Ann</text>');
    // An arrowhead for each input and output, and the label `AI` for each step with AI.
    const { edges } = toHistory(grownBundle(40));
    const flows = edges.filter(({ kind }) => kind === 'consumes' || kind === 'produces');
    expect(svg.match(/<path d="M[\d. -]+Z"/g)?.length).toBe(flows.length);
    const isAi = ({ type, aiTool }: { type: string; aiTool?: object | undefined }) =>
      type === 'generate' || aiTool !== undefined;
    expect(svg.match(/>AI<\/text>/g)?.length).toBe(grownBundle(40).actions.filter(isAi).length);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="/);
    expect(svg).not.toContain('NaN');
  });

  it('labels a step with AI in the language of the page', () => {
    installTexts(LANGUAGES[1], german);
    const svg = draw(grownBundle(40));
    installTexts(LANGUAGES[0], {});
    expect([svg.includes('>KI</text>'), svg.includes('>AI</text>')]).toEqual([true, false]);
  });

  it('has a dashed card with a soft title only for a corrected step', () => {
    const first = actionOf('a', 0, { outputCids: ['x'] });
    const extensions = { [CORRECTION_EXTENSION]: { actionId: 'a' } };
    const second = actionOf('b', 1, { outputCids: ['x'], extensions });
    const countIn = (svg: string) => [
      svg.match(/<rect[^>]*stroke-dasharray="6 4"/g)?.length ?? 0,
      svg.match(/fill="#555"[^>]*font-weight="600"[^>]*>Edited</g)?.length ?? 0,
      svg.match(/fill="#000"[^>]*font-weight="600"[^>]*>Edited</g)?.length ?? 0,
    ];
    expect(countIn(draw(bundleOf('x', [first, second])))).toEqual([1, 1, 1]);
    expect(countIn(draw(bundleOf('x', [first])))).toEqual([0, 0, 1]);
  });

  it('escapes the title and names, and removes characters that XML does not allow', () => {
    const name = '<script>"a"&\u0007\ud800';
    const action = actionOf('a', 0, { outputCids: ['x'] });
    const svg = draw(bundleOf('x', [action], [entityOf('studio:ann', name)]), name);
    expect(svg).toContain('<title>&lt;script&gt;&quot;a&quot;&amp;</title>');
    expect(svg).not.toContain('<script');
  });
});

describe('the queue of thumbnails', () => {
  it('runs at most `atOnce` tasks at a time, each once, newest first, and drops the oldest tasks', async () => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    const list = createWaitingList({ atOnce: 1, mostWaiting: 2, work });
    for (const name of ['a', 'b', 'c', 'd', 'a']) list.add(name);
    for (let turn = 0; turn < 3; turn++) {
      ends.shift()?.();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    expect(begun).toEqual(['a', 'd', 'c']);
  });

  it('starts no task while it is paused, and continues by itself', async () => {
    const begun: string[] = [];
    const list = createWaitingList({
      atOnce: 1,
      mostWaiting: 9,
      work: async (name) => void begun.push(name),
    });
    list.pause(Date.now() + 60);
    list.add('a');
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(begun).toEqual([]);
    await expect.poll(() => begun).toEqual(['a']);
  });
});
