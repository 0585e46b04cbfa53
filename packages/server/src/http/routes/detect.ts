import { detectionSchema } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { stageMedia } from '../../records/draft/stage-media.js';
import type { App, AppDeps } from '../app.js';
import { detectFile } from '../handlers/detect-file.js';
import type { Detector } from '../handlers/detector.js';
import { countDetection, networkOf } from '../middleware/limit-requests.js';
import { signalOfCaller } from '../wire/caller-signal.js';
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

function detect(deps: AppDeps, { request, reply }: { request: FastifyRequest; reply: FastifyReply }) {
  const detector = requireDetector(deps);
  const { createHasher } = deps.records;
  const { end } = openFile(detector, request);
  const detecting = detector.limitFiles(async () => {
    const { file, discard } = await readUpload(request, {
      stage: (bytes, expectedBytes) =>
        stageMedia({ createHasher, projectId: undefined, expectedBytes }, bytes),
      maxBytes: detector.maxBytes,
      limitName: 'PUBLIC_DETECTOR_BYTES',
      parse: () => undefined,
      jsonWhenAbsent: null,
      hasNoJson: true,
    });
    try {
      return await detectFile(deps, detector, { file, gone: signalOfCaller(reply) });
    } finally {
      await discard();
    }
  });
  return detecting.finally(end);
}

/** Counts a detection of the address until the caller calls `end`. Throws 429 at the limit. */
function openFile({ openByAddress }: Detector, request: FastifyRequest): { end(): void } {
  const open = openByAddress.begin(networkOf(request.ip));
  if (open !== undefined) return open;
  const message = `This address has ${openByAddress.limit} detections under way.`;
  throw new ServiceError('TooManyRequests', message, {
    headers: { 'retry-after': '1' },
    recovery: 'Send the request again after one of these detections has ended.',
  });
}

function requireDetector({ detector }: Pick<AppDeps, 'detector'>): Detector {
  if (detector !== undefined) return detector;
  throw new ServiceError('NotFound', 'This service has no public detector.', {
    recovery: 'Ask its operator to set PUBLIC_DETECTOR=true.',
  });
}
