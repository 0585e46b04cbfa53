import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { type Content, computeCid } from '@colophon/sdk';
import { z } from 'zod';

/** The input of a tool is unusable. The message says what to send instead. */
export class UnusableContentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableContentError';
  }
}

/** The tools read only files below `root`. Without `root`, they reject paths. */
export interface ContentSource {
  root: string | undefined;
}

export interface SuppliedContent {
  path?: string | undefined;
  text?: string | undefined;
  base64?: string | undefined;
  fileName?: string | undefined;
}

export interface NamedContent {
  content: Content;
  fileName: string;
}

/**
 * Returns the input fields for content. They include `path` only if `root` is set. `root` is set only over stdio,
 * because there the caller and this process are on one machine.
 */
export function contentFields({ root }: ContentSource) {
  const inline = {
    text: z.string().optional().meta({ description: 'The content itself, as text (UTF-8)' }),
    base64: z.string().optional().meta({ description: 'The content itself, as base64' }),
    fileName: z.string().min(1).max(255).optional().meta({ description: 'Name of the content' }),
  };
  if (root === undefined) return inline;
  const description = `Path of a file on this machine, in ${root} or below`;
  return { path: z.string().min(1).optional().meta({ description }), ...inline };
}

/** Creates the input schema of a tool. If the tool has no field `path`, the error for a path names the alternatives. */
export function toolInput<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' && issue.keys.includes('path')
        ? 'A path works only over stdio. Over HTTP send the content as text or base64.'
        : undefined,
  });
}

export function countGiven({ path: file, text, base64 }: SuppliedContent): number {
  return [file, text, base64].filter((one) => one !== undefined).length;
}

/**
 * Returns the content of an input. The input must contain exactly one content that the process can read. Throws
 * UnusableContentError for any other input.
 */
export async function readGiven({ root }: ContentSource, given: SuppliedContent): Promise<NamedContent> {
  const ways = root === undefined ? 'text or base64' : 'path, text or base64';
  if (countGiven(given) !== 1) throw new UnusableContentError(`Send the content exactly once: as ${ways}.`);
  if (given.path !== undefined && root !== undefined) {
    const file = await findFile(root, given.path);
    return { content: () => createReadStream(file), fileName: given.fileName ?? path.basename(file) };
  }
  if (given.text !== undefined) {
    return { content: new TextEncoder().encode(given.text), fileName: given.fileName ?? 'text.txt' };
  }
  return { content: parseBase64(given.base64 ?? ''), fileName: given.fileName ?? 'file.bin' };
}

/**
 * Returns the CID of the input, or computes it from the content of the input. If the input contains neither or both,
 * throws UnusableContentError with the message `rule`.
 */
export async function readCid(
  source: ContentSource,
  { cid, ...given }: SuppliedContent & { cid?: string | undefined },
  rule: string,
): Promise<string> {
  if (Number(cid !== undefined) + countGiven(given) !== 1) throw new UnusableContentError(rule);
  return cid ?? computeCid((await readGiven(source, given)).content);
}

/**
 * Returns the real path of a file. Throws UnusableContentError if the file cannot be read, or is outside the root, for
 * example because of a symbolic link.
 */
async function findFile(root: string, given: string): Promise<string> {
  try {
    const inside = await realpath(root);
    const file = await realpath(path.resolve(inside, given));
    const way = path.relative(inside, file);
    if (way.split(path.sep)[0] === '..' || path.isAbsolute(way)) {
      throw new UnusableContentError(
        `${given} is not in ${inside}. Start \`colophon mcp\` with another --root.`,
      );
    }
    if ((await stat(file)).isFile()) return file;
    throw new UnusableContentError(`${given} is not a file.`);
  } catch (error) {
    if (error instanceof UnusableContentError) throw error;
    const { errno, message } = error as NodeJS.ErrnoException;
    throw new UnusableContentError(
      `Cannot read ${given}: ${getSystemErrorMap().get(errno ?? 0)?.[1] ?? message}.`,
    );
  }
}

/** `Buffer` skips characters that are not base64. Without this check, the service would record other content. */
function parseBase64(text: string): Uint8Array {
  const compact = text.replaceAll(/\s/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
    throw new UnusableContentError('The value of `base64` is not base64 with padding (RFC 4648 §4).');
  }
  return new Uint8Array(Buffer.from(compact, 'base64'));
}
