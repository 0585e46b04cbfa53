import { build } from 'vite';

export async function bundle(entry: string): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['iife'], name: 'sdk', fileName: 'sdk' },
    },
  });
  const [output] = Array.isArray(made) ? made : [made];
  if (output === undefined || !('output' in output)) throw new Error('Nothing was built');
  return output.output.map((part) => ('code' in part ? part.code : '')).join('\n');
}
