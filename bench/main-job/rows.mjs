/**
 * The rows of the table, each with its least share of HTTP alone by engine. `units` is how many records a request
 * counts as.
 */
export const ROWS = {
  healthz: { title: 'GET /healthz of the service' },
  entity: { title: 'one entity read', targets: { postgres: 0.3, embedded: 0.25 } },
  bundle: { title: 'bundle of 3, new each time', targets: { postgres: 0.2, embedded: 0.12 } },
  'same-bundle': { title: 'the same bundle again', targets: { postgres: 0.4, embedded: 0.3 } },
  action: { title: 'one action', targets: { postgres: 0.16, embedded: 0.12 } },
  file: { title: 'file of 10 KB, random', targets: { postgres: 0.06, embedded: 0.05 } },
  text: { title: 'file of 10 KB, text, with matches', targets: { postgres: 0.05, embedded: 0.04 } },
  batch: { title: 'batches of 100, actions', targets: { postgres: 0.5, embedded: 0.4 }, units: 100 },
};
