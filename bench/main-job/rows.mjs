/**
 * `targets` are minimum rates relative to `GET /` of the reference, by engine. `were` are the rates when we set the
 * targets. `units` is the number of records in a request. `warmingSeconds` is longer for rows with few requests per
 * second, because V8 compiles a function only after many calls.
 */
export const ROWS = {
  healthz: { title: 'GET /healthz of the service' },
  entity: {
    title: 'one entity read',
    targets: { postgres: 0.3, embedded: 0.25 },
    were: { postgres: 0.17, embedded: 0.131 },
  },
  bundle: {
    title: 'bundle of 3, new each time',
    targets: { postgres: 0.2, embedded: 0.12 },
    were: { postgres: 0.018, embedded: 0.008 },
  },
  'same-bundle': {
    title: 'the same bundle again',
    targets: { postgres: 0.4, embedded: 0.3 },
    were: { postgres: 0.02, embedded: 0.013 },
  },
  action: {
    title: 'one action',
    targets: { postgres: 0.16, embedded: 0.12 },
    were: { postgres: 0.068, embedded: 0.077 },
  },
  file: {
    title: 'file of 10 KB, random',
    targets: { postgres: 0.06, embedded: 0.05 },
    were: { postgres: 0.014, embedded: 0.023 },
  },
  text: {
    title: 'file of 10 KB, text, with matches',
    targets: { postgres: 0.05, embedded: 0.04 },
    were: { postgres: 0.005, embedded: 0.004 },
    warmingSeconds: 2.5,
  },
  batch: {
    title: 'batches of 100, actions',
    targets: { postgres: 0.5, embedded: 0.4 },
    were: { postgres: 0.301, embedded: 0.281 },
    units: 100,
  },
};
