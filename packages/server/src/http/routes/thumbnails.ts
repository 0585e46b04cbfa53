import { contentIdSchema } from '@colophon/model';
import { z } from 'zod';
import type { App, AppDeps } from '../app.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { absenceHeader, noContentSchema } from '../wire/preferences.js';
import { projectOf } from '../wire/principal-of.js';
import { reservation } from './resources.js';

/** Time for which a browser shows a thumbnail without another request. */
const FRESH_SECONDS = 86_400;

const ofType = (mediaType: string) => ({ schema: z.string().meta({ contentMediaType: mediaType }) });

const THUMBNAIL = {
  description:
    'A WebP picture of at most 24 KiB and 256 pixels on each side, upright and without metadata. It shows the picture, a frame of the video, the first page of the PDF, or the waveform of the first minute of the sound (256 x 96 pixels, grey on transparent). For a text or HTML, the response is the first lines as plain text: at most 16 lines and 1 KiB of UTF-8',
  content: { 'image/webp': ofType('image/webp'), 'text/plain': ofType('text/plain') },
};

export function thumbnailRoutes(app: App, { readThumbnail }: Pick<AppDeps, 'readThumbnail'>): void {
  app.get(
    '/v1/resource/:cid/thumbnail',
    {
      config: { sendsBytes: true, allowsNoContent: true },
      schema: {
        operationId: 'getThumbnail',
        tags: ['records'],
        summary: 'Read a thumbnail of a content',
        description:
          'The service makes the thumbnail at its first request. Content without a thumbnail returns 404, with `cid`, `mimeType` and `reason` in `details`: `unsupported` for a type or size from which the service cannot make a thumbnail, and `undecodable` for damaged or empty bytes, or when the decoder exceeds a limit of time or memory. Thumbnails of PDFs need `pdftoppm` on the service. Thumbnails of videos, and of sounds other than WAV, need `ffmpeg`.',
        params: z.object({ cid: contentIdSchema }),
        headers: absenceHeader,
        response: readyMade({
          200: THUMBNAIL,
          204: noContentSchema.describe('The content has no thumbnail, and the caller prefers 204 to 404'),
          304: z.null().describe('Not modified: the client has the thumbnail'),
          ...errorsOf('InvalidField', 'NotFound', 'Timeout'),
        }),
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const subject = { projectId: projectOf(request), cid, signal: signalOfCaller(reply) };
      const { mediaType, body } = await readThumbnail(subject);
      reply.headers({
        ...reservation(request),
        'content-type': mediaType,
        'cache-control': `private, max-age=${FRESH_SECONDS}`,
        'content-disposition': `attachment; filename="${cid}-thumbnail"`,
        'content-security-policy': "sandbox; default-src 'none'",
        // A cache may use the response only for the same key: a project must not see the content of another project.
        vary: 'authorization',
      });
      return reply.send(body);
    },
  );
}
