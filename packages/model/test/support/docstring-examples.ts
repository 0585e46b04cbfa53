import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** An example ends at the next tag or with the docstring. */
export function readExamples(folder: URL): { file: string; code: string }[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(/@example\n((?: \* [^@].*\n)+)/g)].map(
        ([, block = '']) => ({ file, code: block.replaceAll(/^ \* /gm, '') }),
      ),
    );
}

/** Checks each `expression; // => value` in the example. Fails if it has none. */
export async function expectToHold(code: string, names: object): Promise<void> {
  expect(code).toMatch(/; \/\/ => .+$/m);
  const checked = code.replaceAll(/^(.+); \/\/ => (.+)$/gm, 'check($1, $2);');
  const run = new Function(...Object.keys(names), 'check', `return (async () => {${checked}})();`);
  await run(...Object.values(names), (actual: unknown, expected: unknown) =>
    expect(actual).toEqual(expected),
  );
}
