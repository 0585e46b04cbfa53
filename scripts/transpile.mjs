// `npm start` removes the types with this module, because it installs no type checker.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { listFiles, PACKAGES } from './build-stamp.mjs';

/** Resolves to an exit code. */
export async function transpile(root) {
  const { transformSync } = await import('rolldown/utils');
  for (const folder of PACKAGES.map((name) => join(root, name))) {
    for (const source of listFiles(join(folder, 'src'))) {
      if (!source.endsWith('.ts') || source.endsWith('.d.ts')) continue;
      const target = source.replace(join(folder, 'src'), join(folder, 'dist')).replace(/\.ts$/, '.js');
      const terms = { target: 'es2023', sourcemap: true, typescript: { onlyRemoveTypeImports: true } };
      const { code, map, errors } = transformSync(source, readFileSync(source, 'utf8'), terms);
      if (errors.length > 0) {
        console.error(errors.map(({ codeframe, message }) => codeframe ?? message).join('\n'));
        return 1;
      }
      mkdirSync(dirname(target), { recursive: true });
      const sources = [relative(dirname(target), source)];
      writeFileSync(`${target}.map`, JSON.stringify({ ...map, sources, sourcesContent: undefined }));
      writeFileSync(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
    }
  }
  return 0;
}
