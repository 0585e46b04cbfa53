import { detectionSchema } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { stageMedia } from '../../records/draft/stage-media.js';
import type { App, AppDeps } from '../app.js';
import { type DetectDeps, detectFile } from '../handlers/detect-file.js';
import { examineFile, requireDetector, visitorOf } from '../handlers/detector.js';
import { countDetection } from '../middleware/limit-requests.js';
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

export function detectRoutes(app: App, deps: DetectDeps & Pick<AppDeps, 'detector'>): void {
  app.post(
    '/public/detect',
    {
      config: { multipartBody: detectForm, hasBriefForm: true },
      onRequest: async (request, reply) => countDetection(requireDetector(deps), request, reply),
      schema: {
        operationId: 'detectMarks',
        tags: ['public'],
        security: [],
        summary:
          'Find marks of AI content: the manifest of a file, identical or similar published content, and published content that the watermark of the file identifies; the file is not stored',
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

function detect(
  deps: DetectDeps & Pick<AppDeps, 'detector'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
) {
  const detector = requireDetector(deps);
  const { createHasher } = deps.records;
  const visitor = visitorOf({ request, reply });
  return examineFile(
    detector,
    { request, reply },
    {
      receive: () =>
        readUpload(request, {
          stage: (bytes, expectedBytes) =>
            stageMedia({ createHasher, projectId: undefined, expectedBytes }, bytes),
          maxBytes: detector.maxBytes,
          limitName: 'PUBLIC_DETECTOR_BYTES',
          parse: () => undefined,
          jsonWhenAbsent: null,
          hasNoJson: true,
        }),
      examine: ({ file }) => detectFile(deps, detector, { file, visitor }),
    },
  );
}
