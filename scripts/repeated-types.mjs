import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './build-stamp.mjs';
import { ROOT } from './processes.mjs';

const SERVER = join(ROOT, 'packages/server/src');
const TYPE = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

/** Each type name of the server must have one meaning. */
export function findRepeatedTypes() {
  const places = new Map();
  for (const file of listFiles(SERVER).filter((name) => name.endsWith('.ts')))
    for (const [, name] of readFileSync(file, 'utf8').matchAll(TYPE))
      places.set(name, [...(places.get(name) ?? []), file.slice(SERVER.length + 1)]);
  return [...places]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name}: ${files.join(', ')}`);
}
