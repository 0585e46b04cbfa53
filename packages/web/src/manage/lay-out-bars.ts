import type { Usage } from '@colophon/model';

/** One day of a project's usage. */
export type Day = Usage['byDay'][number];

/** A part of a bar, from its top down. */
interface Piece {
  y: number;
  height: number;
}

/** A day's bar: what went well stands on the ground, what did not on top of it. */
export interface Bar {
  day: Day;
  x: number;
  width: number;
  good: Piece;
  failed: Piece;
}

/** How much of a day's width its bar takes. */
const FILLED = 0.75;

/** Bars of days beside each other; the busiest reaches the top. `most`: its calls. */
export function layOutBars(
  days: readonly Day[],
  { width, height }: { width: number; height: number },
): { bars: Bar[]; most: number } {
  const most = Math.max(0, ...days.map(({ total }) => total));
  const step = width / Math.max(1, days.length);
  const toHeight = (calls: number) => (most === 0 ? 0 : (calls / most) * height);
  const bars = days.map((day, index) => {
    const [goodHeight, wholeHeight] = [toHeight(day.success), toHeight(day.total)];
    return {
      day,
      x: index * step + (step * (1 - FILLED)) / 2,
      width: step * FILLED,
      good: { y: height - goodHeight, height: goodHeight },
      failed: { y: height - wholeHeight, height: wholeHeight - goodHeight },
    };
  });
  return { bars, most };
}
