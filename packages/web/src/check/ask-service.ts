import type { ErrorCode } from '@colophon/model';
import { ApiError, type Client, type UploadOptions } from '@colophon/sdk';
import type { ServiceFindings } from './findings.js';

const MAX_MATCHES = 4;

export async function askService(
  { media, search }: Client,
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<ServiceFindings> {
  const nth = (turn: number): UploadOptions => ({
    signal,
    onProgress: ({ sentBytes, totalBytes }) => onProgress((turn + sentBytes / (totalBytes || 1)) / 2),
  });
  const extraction = await unlessRefused(media.extract(file, nth(0)), ['Unsupported']);
  const query = { limit: MAX_MATCHES, include: 'bundle' } as const;
  // `ValidationError`: the file contains too little data for a comparison.
  const found = await unlessRefused(search.file(file, query, nth(1)), ['Unsupported', 'ValidationError']);
  return { extraction, search: found };
}

/** Returns the response, or null if the service rejects the request with a code in `refusals`. */
async function unlessRefused<Answer>(
  asked: Promise<Answer>,
  refusals: readonly ErrorCode[],
): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && refusals.includes(error.code)) return null;
    throw error;
  }
}
