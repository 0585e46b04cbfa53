/**
 * Returns the steps by stage, `[{ name, steps: [{ instruction, text }] }]`. Rejects syntax that the Dockerfile of this
 * project does not use, so that no step is lost silently.
 */
export function parseDockerfile(source) {
  const lines = source.replaceAll(/\\\n/g, ' ').split('\n');
  const stages = [];
  for (const line of lines.map((raw) => raw.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [, instruction, text] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === undefined) throw new Error(`Not a Dockerfile instruction: ${line}`);
    if (instruction === 'FROM') stages.push(openStage(text, stages.length));
    else if (stages.length === 0) throw new Error(`Expected FROM before: ${line}`);
    else stages.at(-1).steps.push({ instruction, text });
  }
  return stages;
}

function openStage(text, index) {
  const [, image, name = String(index)] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(text) ?? [];
  if (image === undefined) throw new Error(`Expected FROM <image> [AS <name>]: FROM ${text}`);
  return { name, image, steps: [] };
}

/** Returns a predicate of excluded paths. Paths are relative to the build context. */
export function parseIgnore(source) {
  const patterns = source
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map(toPattern);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

/** A pattern that matches a folder also excludes all files below this folder. */
function toPattern(line) {
  const [, anywhere, rest] = /^(\*\*\/)?(.*)$/.exec(line.trim());
  const name = rest.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  return new RegExp(`${anywhere === undefined ? '^' : '(?:^|/)'}${name}(?:/|$)`);
}
