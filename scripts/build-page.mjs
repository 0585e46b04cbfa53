import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { listFiles } from './build-stamp.mjs';
import { buildTexts } from './build-texts.mjs';
import { ROOT } from './processes.mjs';

const PAGE = join(ROOT, 'packages/web');
const COMPRESSIBLE = /\.(html|js|css|svg|json)$/;
/** Smaller files fit into one packet, compressed or not. */
const MIN_COMPRESSED_BYTES = 1_000;

const REFERENCE = join(PAGE, 'dist/docs');
/** Stays uncompressed: the service adds these texts to its pages, and compresses the result. */
const TEXTS = join(REFERENCE, 'texts.json');

const USUAL = { configFile: false, root: PAGE, base: '/app/', logLevel: 'error' };

const DRAWING = '/src/draw-page.tsx';

/** Without a preload, the browser would request the code that draws the page only after the texts of the language. */
const PRELOAD = {
  name: 'preload-drawing',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
      const drawing = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(DRAWING));
      if (drawing === undefined) throw new Error(`The build has no chunk for ${DRAWING}.`);
      const needed = new Set([drawing.fileName]);
      for (const name of needed) for (const one of bundle[name].imports) needed.add(one);
      return [...needed]
        .filter((name) => !bundle[name].isEntry || bundle[name].isDynamicEntry)
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `${USUAL.base}${name}` },
          injectTo: 'head',
        }));
    },
  },
};

export async function buildPage() {
  // With another value, such as from a test, Vite would make a development build.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  try {
    await build({
      ...USUAL,
      // This variant does not use `eval`, which the content security policy of the page forbids.
      resolve: { alias: [{ find: /^cbor-x$/, replacement: 'cbor-x/index-no-eval' }] },
      // The content security policy forbids `data:` scripts and styles. Every supported browser can preload modules.
      build: {
        target: 'es2022',
        emptyOutDir: true,
        manifest: true,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
      },
      worker: { format: 'es' },
      plugins: [PRELOAD],
    });
    // Other sites load the badge, so it is one classic script with a stable name.
    await build({
      ...USUAL,
      build: {
        target: 'es2020',
        emptyOutDir: false,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: join(PAGE, 'src/badge/badge.ts'),
          output: { format: 'iife', entryFileNames: 'badge.js' },
        },
      },
    });
    await buildTexts(TEXTS);
    // The service renders the pages of the API reference, so their script and style sheet have stable names.
    await build({
      ...USUAL,
      base: '/docs/',
      build: {
        target: 'es2022',
        outDir: REFERENCE,
        emptyOutDir: false,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: join(PAGE, 'src/reference/reference.ts'),
          output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
        },
      },
    });
  } catch (error) {
    console.error(error);
    return 1;
  }
  await Promise.all(
    listFiles(join(PAGE, 'dist'))
      .filter((file) => COMPRESSIBLE.test(file) && file !== TEXTS)
      .map(compress),
  );
  return 0;
}

/** Some proxies accept only gzip. */
async function compress(file) {
  const bytes = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
  const copies = { br: await promisify(brotliCompress)(bytes, { params }), gz: await promisify(gzip)(bytes) };
  for (const [extension, copy] of Object.entries(copies)) {
    if (bytes.length >= MIN_COMPRESSED_BYTES && copy.length < bytes.length)
      writeFileSync(`${file}.${extension}`, copy);
    else rmSync(`${file}.${extension}`, { force: true });
  }
}
