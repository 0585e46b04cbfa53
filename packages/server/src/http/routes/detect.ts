import { detectionSchema } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { stageMedia } from '../../records/draft/stage-media.js';
import type { App, AppDeps } from '../app.js';
import { detectFile } from '../handlers/detect-file.js';
import type { Detector } from '../handlers/detector.js';
import { countDetection } from '../middleware/limit-requests.js';
import { callerGone } from '../wire/caller-gone.js';
import { publicErrorsOf } from '../wire/error-schemas.js';
import { readUpload } from '../wire/read-upload.js';

const detectForm = z
  .object({
    file: z.string().meta({
      contentMediaType: 'application/octet-stream',
      description: 'The file to examine; at most PUBLIC_DETECTOR_BYTES (20 MiB)',
    }),
  })
  .meta({ id: 'DetectForm' });

/** `POST /public/detect`: finds marks of AI content for everybody. */
export function detectRoutes(app: App, deps: AppDeps): void {
  app.post(
    '/public/detect',
    {
      config: { multipartBody: detectForm },
      onRequest: async (request, reply) => countDetection(requireDetector(deps), request, reply),
      schema: {
        operationId: 'detectMarks',
        tags: ['public'],
        security: [],
        summary:
          'Find marks of AI in a file: its manifest, and published content that it equals or resembles; stores nothing',
        response: {
          200: detectionSchema,
          ...publicErrorsOf(
            'InvalidField',
            'MissingField',
            'NotFound',
            'Timeout',
            'PayloadTooLarge',
            'Unsupported',
          ),
        },
      },
    },
    (request, reply) => detect(deps, { request, reply }),
  );
}

function detect(deps: AppDeps, { request, reply }: { request: FastifyRequest; reply: FastifyReply }) {
  const detector = requireDetector(deps);
  const { createHasher } = deps.records;
  return detector.limitFiles(async () => {
    const { file, discard } = await readUpload(request, {
      stage: (bytes, expectedBytes) => stageMedia({ createHasher, expectedBytes }, bytes),
      maxBytes: detector.maxBytes,
      limitName: 'PUBLIC_DETECTOR_BYTES',
      parse: () => undefined,
      jsonWhenAbsent: null,
    });
    try {
      const gone = callerGone(reply);
      const detection = await detector.limitWork(() => detectFile(deps, file, gone));
      detector.counts.add(detection.layers);
      return detection;
    } finally {
      await discard();
    }
  });
}

function requireDetector({ detector }: Pick<AppDeps, 'detector'>): Detector {
  if (detector !== undefined) return detector;
  throw new ServiceError('NotFound', 'This service has no public detector.', {
    recovery: 'Ask its operator to set PUBLIC_DETECTOR=true.',
  });
}
