import {
  AI_LABELS,
  aiLabelSchema,
  drawLabel,
  LABEL_ICONS,
  LABEL_KINDS,
  LABEL_LANGUAGES,
  LABEL_MESSAGES,
  type LabelIcon,
  type LabelLanguage,
} from '@colophon/model';
import { z } from 'zod';
import type { App } from '../app.js';
import { publicErrorsOf, readyMade } from '../wire/error-schemas.js';

const tags = ['public'];
const security: [] = [];
const SVG = 'image/svg+xml';
const DAY_S = 86_400;

const language = z
  .enum(LABEL_LANGUAGES)
  .default('en')
  .meta({ description: 'Language of the texts (BCP 47)' });
const querystring = z.strictObject({ language });
const sentences = z.object(Object.fromEntries(LABEL_KINDS.map((kind) => [kind, z.string()])));
const textsSchema = z
  .object({
    icon: z.string().meta({ description: 'Text of the icon', examples: ['AI GENERATED'] }),
    about: z.string().meta({ description: 'Meaning of the icon, for screen readers' }),
    notice: sentences.meta({ description: 'Sentence next to the content, by kind of content' }),
    spoken: z
      .object({ video: z.string(), sound: z.string() })
      .meta({ description: 'Sentence to speak at the beginning' }),
    path: z.string().meta({ description: 'Path of the icon', examples: ['/public/labels/ai-generated.svg'] }),
  })
  .meta({ id: 'LabelTexts' });
const tableSchema = z
  .object({
    language: z.enum(LABEL_LANGUAGES),
    labels: z.array(
      z.object({ ...aiLabelSchema.shape, texts: textsSchema.nullable() }).meta({ id: 'DescribedLabel' }),
    ),
  })
  .meta({ id: 'LabelTable' });

export function labelRoutes(app: App): void {
  getTable(app);
  getIcon(app);
}

function getTable(app: App): void {
  app.get(
    '/public/labels',
    {
      schema: {
        operationId: 'listLabels',
        tags,
        security,
        summary: 'The table of disclosures, levels of AI, icons and texts',
        querystring,
        response: { 200: tableSchema, 304: z.null(), ...publicErrorsOf('InvalidField') },
      },
    },
    async ({ query }, reply) => {
      reply.header('cache-control', `public, max-age=${DAY_S}`);
      const labels = AI_LABELS.map((label) => ({
        ...label,
        texts: label.icon === null ? null : describe(label.icon, query.language),
      }));
      return { language: query.language, labels };
    },
  );
}

function describe(icon: LabelIcon, language: LabelLanguage) {
  const messages = LABEL_MESSAGES[language];
  return {
    icon: messages.icon[icon],
    about: messages.about[icon],
    notice: Object.fromEntries(LABEL_KINDS.map((kind) => [kind, messages.notice[icon](kind)])),
    spoken: { video: messages.spoken[icon]('video'), sound: messages.spoken[icon]('sound') },
    path: `/public/labels/${icon}.svg`,
  };
}

function getIcon(app: App): void {
  app.get(
    '/public/labels/:icon.svg',
    {
      config: { sendsBytes: true },
      schema: {
        operationId: 'getLabelIcon',
        tags,
        security,
        summary: 'An icon for AI content, as SVG',
        params: z.object({ icon: z.enum(LABEL_ICONS) }),
        querystring,
        response: readyMade({
          200: z
            .string()
            .meta({ contentMediaType: 'application/octet-stream', description: 'The icon, image/svg+xml' }),
          304: z.null(),
          ...publicErrorsOf('InvalidField'),
        }),
      },
    },
    async ({ params, query }, reply) =>
      reply
        .headers({
          'cache-control': `public, max-age=${DAY_S}`,
          'cross-origin-resource-policy': 'cross-origin',
          'content-security-policy': "sandbox; default-src 'none'",
        })
        .type(SVG)
        .send(drawLabel(params.icon, query.language)),
  );
}
