import { ROWS } from './rows.mjs';

const HEAD = [
  'engine',
  'store',
  'callers',
  'row',
  'a second',
  'HTTP alone',
  'ratio',
  'target',
  'verdict',
  'speed-up, required',
  'CPU us: main, threads, database',
  'callers us',
  'p50, p99 ms',
  'originals found, searches completed',
];

export function toTable(figures) {
  const lines = figures.map(toCells);
  return [HEAD, HEAD.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function toLine(figure) {
  const cells = toCells(figure);
  return HEAD.map((name, index) => (cells[index] === '' ? '' : `${name} ${cells[index]}`))
    .filter(Boolean)
    .join(' · ');
}

/** Targets apply to this number of callers. With one caller, the service is idle most of the time. */
const CALLERS = 16;

export function isMet(figure) {
  const target = targetOf(figure);
  return target === undefined ? undefined : figure.ratio >= target;
}

function targetOf({ engine, row, callers }) {
  return callers === CALLERS ? ROWS[row].targets?.[engine] : undefined;
}

/**
 * Returns the speed-up over the other version and the required speed-up. For `grows`, returns the values relative to
 * the small store.
 */
function toTimes({ engine, row, times, pages, grows }) {
  if (times === undefined) return '';
  if (grows) return `${times.toFixed(2)}, 0.80; pages ${Number.isNaN(pages) ? '-' : pages.toFixed(2)}, 1.20`;
  const { targets, were } = ROWS[row];
  const wanted = were?.[engine] === undefined ? '-' : (targets[engine] / were[engine]).toFixed(1);
  return `${times.toFixed(1)}, ${wanted}`;
}

function toCells(figure) {
  const { engine, unrelated, callers, row, perSecond, alonePerSecond, ratio, cpuUs, callersUs } = figure;
  const met = isMet(figure);
  const percent = (share) => (share === undefined ? '-' : `${Math.round(share * 100)} %`);
  const hasText = figure.found !== undefined || figure.complete !== undefined;
  return [
    engine,
    unrelated.toLocaleString('en'),
    String(callers),
    ROWS[row].title,
    Math.round(perSecond).toLocaleString('en'),
    Math.round(alonePerSecond).toLocaleString('en'),
    ratio.toFixed(3),
    targetOf(figure)?.toFixed(2) ?? '',
    met === undefined ? '' : met ? 'ok' : 'MISS',
    toTimes(figure),
    [cpuUs.main, cpuUs.threads, cpuUs.database].map(Math.round).join(', '),
    String(Math.round(callersUs)),
    `${figure.p50Ms.toFixed(1)}, ${figure.p99Ms.toFixed(1)}`,
    hasText ? `${percent(figure.found)}, ${percent(figure.complete)}` : '',
  ];
}
