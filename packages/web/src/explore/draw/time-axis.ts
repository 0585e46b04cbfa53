import { languageInUse } from '../../languages/texts.js';
import type { TimeColumn } from '../layout/layout-input.js';
import type { Camera, Size } from './camera.js';
import { FONT } from './canvas-surface.js';
import type { Palette } from './palette.js';

export const AXIS_HEIGHT = 26;
const FONT_SIZE = 12;
const GAP = 24;
const DAY_MS = 86_400_000;

/** Omits times that would overlap. */
export function drawTimeAxis(
  context: CanvasRenderingContext2D,
  {
    columns,
    camera,
    view,
    palette,
  }: { columns: readonly TimeColumn[]; camera: Camera; view: Size; palette: Palette },
): void {
  context.fillStyle = palette.paper;
  context.fillRect(0, 0, view.width, AXIS_HEIGHT);
  context.fillStyle = palette.line;
  context.fillRect(0, AXIS_HEIGHT - 1, view.width, 1);
  context.fillStyle = palette.soft;
  context.font = `${FONT_SIZE}px ${FONT}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const write = writerOfTimes(columns);
  let free = 8;
  for (const { x, fromMs } of columns) {
    const at = (x - camera.x) * camera.zoom - 40;
    if (at < free || at > view.width) continue;
    const text = write(fromMs);
    context.fillText(text, at, AXIS_HEIGHT / 2);
    free = at + context.measureText(text).width + GAP;
  }
}

/** Adds the year for a long history, and the time of day for a short one. */
export function writerOfTimes(columns: readonly TimeColumn[]): (timeMs: number) => string {
  const times = columns.flatMap(({ fromMs, toMs }) => [fromMs, toMs]);
  const span = times.reduce((most, time) => Math.max(most, time), 0) - (times[0] ?? 0);
  const format = new Intl.DateTimeFormat(languageInUse().locale, {
    day: 'numeric',
    month: 'short',
    ...(span > 60 * DAY_MS ? { year: 'numeric' } : {}),
    ...(span < 4 * DAY_MS ? { hour: '2-digit', minute: '2-digit' } : {}),
    ...(span < DAY_MS / 48 ? { second: '2-digit' } : {}),
  });
  return (timeMs) => format.format(timeMs);
}
