import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { type Content, computeCid } from '@colophon/sdk';
import { z } from 'zod';

/** The message says what to send instead. */
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

/** `root` is set only over stdio, because there the caller and this process are on one machine. */
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

/** If the tool has no field `path`, the error for a path names the alternatives. */
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

/** Throws UnusableContentError unless the input has exactly one readable content. */
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

/** Throws UnusableContentError with the message `rule` unless the input has either a CID or one content. */
export async function readCid(
  source: ContentSource,
  { cid, ...given }: SuppliedContent & { cid?: string | undefined },
  rule: string,
): Promise<string> {
  if (Number(cid !== undefined) + countGiven(given) !== 1) throw new UnusableContentError(rule);
  return cid ?? computeCid((await readGiven(source, given)).content);
}

/** Throws UnusableContentError for a file outside the root, for example behind a symbolic link. */
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
