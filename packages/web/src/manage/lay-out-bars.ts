import type { Usage } from '@colophon/model';

export type Day = Usage['byDay'][number];

interface Piece {
  y: number;
  height: number;
}

/** Successful calls at the bottom, failed calls on top. */
export interface Bar {
  day: Day;
  x: number;
  width: number;
  good: Piece;
  failed: Piece;
}

/** Width of a bar relative to the width of its day. */
const FILLED = 0.75;

/** `most`: calls on the busiest day, whose bar has the full height. */
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
