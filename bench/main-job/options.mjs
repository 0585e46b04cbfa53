import { ROWS } from './rows.mjs';

export const ENGINES = ['reference', 'postgres', 'embedded'];

export const DEFAULTS = {
  engine: ENGINES,
  row: Object.keys(ROWS),
  store: [1_000, 10_000],
  callers: [16],
  client: 'fetch',
  pairs: 3,
  seconds: 0.45,
  against: undefined,
  floor: 1,
  growth: 0,
};

export const HELP = `Options of quick and full. The items of a LIST are separated by commas:
  --engine=LIST    of ${ENGINES.join(', ')}
  --row=LIST       of ${Object.keys(ROWS).join(', ')}
  --store=LIST     unrelated records in the store
  --callers=LIST   callers at a time, at most 64
  --client=NAME    fetch: as the SDK does; node: with node:http, which needs a third of the CPU of fetch;
                   bare: with sockets of the benchmark, which need a sixth of the CPU of fetch
  --pairs=N        number of slices of the row, which alternate with slices of HTTP alone
  --seconds=N      duration of a slice of the row; a slice of HTTP alone takes half of it
  --floor=N        1: also measure plain SQL for comparison, 0: do not
  --growth=N       1: also compare with a store of 1,000 records, in 7 pairs, with 16 callers
  --against=DIR    a built checkout of another version, measured in alternating slices`;

export function readOptions(given, defaults) {
  const unknown = Object.keys(given).filter((name) => !(name in defaults));
  if (unknown.length > 0) throw new Error(`Unknown option --${unknown.join(', --')}.\n${HELP}`);
  const options = { ...defaults };
  for (const [name, text = ''] of Object.entries(given)) {
    if (name === 'against') {
      options.against = text;
      continue;
    }
    const values = text
      .split(',')
      .map((value) => (typeof first(defaults[name]) === 'number' ? Number(value) : value));
    const allowed = { engine: ENGINES, row: Object.keys(ROWS), client: ['fetch', 'node', 'bare'] }[name];
    const wrong = values.find((value) => (allowed === undefined ? !(value >= 0) : !allowed.includes(value)));
    if (wrong !== undefined) throw new Error(`--${name}=${text}: ${wrong} is not allowed.\n${HELP}`);
    options[name] = Array.isArray(defaults[name]) ? values : values[0];
  }
  return options;
}

function first(value) {
  return Array.isArray(value) ? value[0] : value;
}
