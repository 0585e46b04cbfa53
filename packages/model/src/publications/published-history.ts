import * as z from 'zod';
import { aiToolSchema } from '../records/action.js';
import { weightSchema } from '../records/attribution.js';
import { instantAnswer } from '../records/json-fields.js';
import { publicationIdSchema, WITHHOLDABLE } from './publication.js';

const anyObject = z.record(z.string(), z.unknown());
const extensions = anyObject.optional().meta({
  description:
    'All extensions, if nothing is withheld. Otherwise only the terms of `ext:license`, and only if the publication shows the licences; contents and hidden entities then have none',
});
const count = z.int().nonnegative();
const maker = z.object({ role: z.string(), name: z.string().optional() });

/** Schema of a short summary of a content. */
export const publishedFactsSchema = z
  .object({
    type: z.string().meta({ description: 'Kind of content, such as image' }),
    mimeType: z.string().optional(),
    size: count.optional().meta({ description: 'Bytes' }),
    recordedAt: instantAnswer.optional(),
    ai: z.enum(['generated', 'assisted', 'involved', 'sources', 'human', 'unstated', 'withheld']).meta({
      description:
        '`generated`: an AI made the content. `assisted`: AI took part in making it. `involved`: AI took part in its history, and the publication withholds where. `sources`: AI took part in its sources only. `human`: its Content Credentials or mark state that people alone made it. `unstated`: no record states whether AI took part. `withheld`: the publication withholds the tools',
    }),
    aiCorrected: z.literal(true).optional().meta({
      description:
        'Present if the level of AI comes only from steps that later steps correct, and the publication shows these steps. A correction never lowers the level',
    }),
    makers: z.array(maker).meta({
      description:
        'Makers of this content itself; at most 5. Lists makers with the same role and name once. For a marked copy (`act` is `marked`), the performers of the marks: the makers of the work are then in `sourceMakers`',
    }),
    furtherMakers: count.optional().meta({
      description:
        'Number of makers of this content that `makers` leaves out; absent if there are none. Makers with the same name count once',
    }),
    act: z.enum(['made', 'edited', 'combined', 'marked']).optional().meta({
      description:
        '`marked`: all recorded steps that made this content made a marked copy of another content. `edited`: all recorded steps that made this content have the type `transform`. `combined`: all have the type `transform` or `aggregate`, and at least one has `aggregate`. `made`: any other content, and content that an AI made. Absent from services of earlier versions',
    }),
    sourceMakers: z.array(maker).optional().meta({
      description:
        'For a content that was edited or combined from others: the performers of the `create` and `generate` actions in its history, without the makers of this content and of marked copies. For a marked copy: the makers of its original. If `makers` has only people of this list, the records do not show who marked the copy. At most 5',
    }),
    withoutAiBy: maker.optional().meta({
      description:
        'The performer who states that no AI made this content. This is a statement, and not a proof. Absent if there is no such statement, if the publication withholds the tools, or if the service has an earlier version',
    }),
    tools: z.array(z.string()).meta({ description: 'AI tools in the history of the content; at most 5' }),
    steps: count.meta({
      description:
        'Number of actions in the history that count. Leaves out corrected actions, actions that only made their sources, and actions without outputs that only used such sources',
    }),
    sources: count.meta({ description: 'Number of other contents in the history' }),
    firstAt: instantAnswer.optional().meta({ description: 'Time of the first action in the history' }),
    complete: z
      .boolean()
      .meta({ description: 'False when the response does not contain the complete history' }),
  })
  .meta({ id: 'PublishedFacts' });

const head = {
  id: publicationIdSchema,
  cid: z.string(),
  title: z.string().nullable(),
  publishedAt: instantAnswer,
  expiresAt: instantAnswer.nullable(),
  withheld: z.array(z.enum(WITHHOLDABLE)),
  license: z.boolean().optional().meta({
    description:
      'True if the publisher chose to show the terms of the licences, also when `details` is withheld; otherwise absent',
  }),
  hidden: count.meta({ description: 'Number of entities that appear only under a pseudonym' }),
  provable: z.boolean().meta({
    description: 'Whether the shown data can be proven; false when digests would reveal withheld data',
  }),
  sha256: z.string().optional().meta({ description: 'SHA-256 of the bytes as hex, if known' }),
  path: z.string().meta({ description: 'Path of the page at this service' }),
  picture: z.string().optional().meta({
    description:
      'Path of a smaller copy of the picture, as JPEG without metadata. Present only if the publication shows the picture',
  }),
  facts: publishedFactsSchema,
};

/** Schema of the summary of a published history, for a badge next to the content. */
export const publicationSummarySchema = z.object(head).meta({ id: 'PublicationSummary' });

const person = z
  .object({
    ref: z.string().meta({ description: 'Pseudonym in this publication' }),
    hidden: z.boolean(),
    role: z.string(),
    name: z.string().optional(),
    wallet: z.string().optional(),
    metadata: anyObject.optional(),
    extensions,
  })
  .meta({ id: 'PublishedPerson' });

const step = z
  .object({
    type: z.string(),
    at: instantAnswer,
    by: z.string().meta({ description: 'Ref of a person' }),
    inputs: z.array(z.string()),
    outputs: z.array(z.string()),
    tool: aiToolSchema.optional(),
    withoutAi: z.boolean().optional().meta({
      description:
        'True if the performer states that no AI made the outputs. This is a statement, and not a proof. Otherwise absent, also if the publication withholds the tools',
    }),
    markedCid: z.string().optional().meta({
      description:
        'The original, if this step made a marked copy: an input of the step. The copy is the same work, with marks that state the use of AI. Absent for other steps, and if the publication withholds the tools',
    }),
    prompts: z.array(z.string()),
    signed: z.boolean().meta({ description: 'Whether the performer’s signature is recorded' }),
    corrects: count.optional().meta({
      description:
        'Index of the earlier step that this step corrects. The facts do not count the corrected step, except for the level of AI. Absent for other steps',
    }),
    extensions,
  })
  .meta({ id: 'PublishedStep' });

const content = z
  .object({
    cid: z.string(),
    type: z.string(),
    mimeType: z.string().optional(),
    size: count.optional(),
    title: z.string().optional().meta({
      description: 'Present only if the publication shows titles; no proof covers it',
    }),
    by: z.string().optional().meta({ description: 'Ref of the maker' }),
    owner: z.string().optional().meta({ description: 'Ref of the owner after a transfer' }),
    recordedAt: instantAnswer,
    extensions,
  })
  .meta({ id: 'PublishedContent' });

const credit = z
  .object({
    by: z.string().meta({ description: 'Ref of a person' }),
    role: z.string(),
    step: count.optional().meta({ description: 'Index of the action among the steps' }),
    cid: z.string().optional(),
    weight: weightSchema.optional(),
    note: z.string().optional(),
    marksCopy: z.literal(true).optional().meta({
      description:
        'Present if this person only made a marked copy of the work of others. The person is then not a maker of the content, whatever `role` states',
    }),
    extensions,
  })
  .meta({ id: 'PublishedCredit' });

/** Schema of a published history: the data that anybody with its id can read. Steps are oldest first. */
export const publishedHistorySchema = z
  .object({
    ...head,
    log: z.object({ origin: z.string(), verifierKey: z.string() }).optional().meta({
      description:
        'Name and key of the log that proves the history. Present only when the history is provable',
    }),
    people: z.array(person),
    steps: z.array(step),
    contents: z.array(content),
    credits: z.array(credit),
  })
  .meta({ id: 'PublishedHistory' });

/** Schema of the result of a public check of a content. The check covers the projects that allow public checks. */
export const publicCheckSchema = z
  .object({
    cid: z.string(),
    known: z.boolean(),
    matches: z
      .array(publishedFactsSchema)
      .meta({ description: 'One summary from each project that contains the content; at most 5' }),
    publications: z
      .array(z.object({ path: head.path, title: head.title }))
      .optional()
      .meta({
        description: 'Live publications of the content, if these projects permit the public detector',
      }),
  })
  .meta({ id: 'PublicCheck' });

/** A short summary of a content. */
export type PublishedFacts = z.output<typeof publishedFactsSchema>;
/** The summary of a published history. */
export type PublicationSummary = z.output<typeof publicationSummarySchema>;
/** A published history. */
export type PublishedHistory = z.output<typeof publishedHistorySchema>;
/** The result of a public check of a content. */
export type PublicCheck = z.output<typeof publicCheckSchema>;
