import type { Usage } from '@colophon/model';
import { formatDay } from '../languages/formats.js';
import { manage } from '../strings/manage.js';
import { type Day, layOutBars } from './lay-out-bars.js';

const WIDTH = 640;
const HEIGHT = 180;

export function UsageBars({ days }: { days: Usage['byDay'] }) {
  const { bars, most } = layOutBars(days, { width: WIDTH, height: HEIGHT });
  const [first = '', last = ''] = [days[0], days.at(-1)].map((day) => day && sayDay(day.date));
  return (
    <svg
      className="bars"
      viewBox={`0 -16 ${WIDTH} ${HEIGHT + 36}`}
      role="img"
      aria-label={manage.usage.chart(first, last, most)}
    >
      <text x={0} y={-4}>
        {most}
      </text>
      {bars.map(({ day, x, width, good, failed }) => (
        <g key={day.date}>
          <title>{sayCalls(day)}</title>
          <rect className="good" x={x} width={width} y={good.y} height={good.height} />
          <rect className="failed" x={x} width={width} y={failed.y} height={failed.height} />
        </g>
      ))}
      <line className="base" x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      <text x={0} y={HEIGHT + 16}>
        {first}
      </text>
      <text x={WIDTH} y={HEIGHT + 16} textAnchor="end">
        {last}
      </text>
    </svg>
  );
}

function sayCalls({ date, total, success }: Day): string {
  return `${sayDay(date)}: ${success} ${manage.usage.good}, ${total - success} ${manage.usage.failed}`;
}

/** `T00:00` is local time, so the time zone of the reader cannot change the day. */
export function sayDay(date: string): string {
  return formatDay(`${date}T00:00`);
}
