import * as z from 'zod';
import { aiToolSchema } from '../records/action.js';
import { weightSchema } from '../records/attribution.js';
import { instantAnswer } from '../records/json-fields.js';
import { publicationIdSchema, WITHHOLDABLE } from './publication.js';

const anyObject = z.record(z.string(), z.unknown());
const extensions = anyObject.optional().meta({ description: 'Extensions, where nothing at all is withheld' });
const count = z.int().nonnegative();

/** What is told of a content in a few words. */
export const publishedFactsSchema = z
  .object({
    type: z.string().meta({ description: 'Kind of content, such as image' }),
    mimeType: z.string().optional(),
    size: count.optional().meta({ description: 'Bytes' }),
    recordedAt: instantAnswer.optional(),
    ai: z.enum(['generated', 'assisted', 'unstated', 'withheld']).meta({
      description:
        'An AI made it; one took part somewhere in its history; nothing says so; or which tools were used is withheld',
    }),
    makers: z
      .array(z.object({ role: z.string(), name: z.string().optional() }))
      .meta({ description: 'Who made this very content; at most 5' }),
    tools: z.array(z.string()).meta({ description: 'AI tools of its history; at most 5' }),
    steps: count.meta({ description: 'Actions of its history' }),
    sources: count.meta({ description: 'Other contents of its history' }),
    firstAt: instantAnswer.optional().meta({ description: 'When its history begins' }),
    complete: z.boolean().meta({ description: 'False when the history is longer than what is told' }),
  })
  .meta({ id: 'PublishedFacts' });

const head = {
  id: publicationIdSchema,
  cid: z.string(),
  title: z.string().nullable(),
  publishedAt: instantAnswer,
  expiresAt: instantAnswer.nullable(),
  withheld: z.array(z.enum(WITHHOLDABLE)),
  hidden: count.meta({ description: 'People who are shown under a pseudonym alone' }),
  provable: z.boolean().meta({
    description:
      'Whether what is shown can be proven; not where something is withheld that digests would betray',
  }),
  sha256: z.string().optional().meta({ description: 'Of the bytes, as hex, where it is known' }),
  path: z.string().meta({ description: 'Of the page, at this service' }),
  facts: publishedFactsSchema,
};

/** A published history in short, for a badge beside the content. */
export const publicationSummarySchema = z.object(head).meta({ id: 'PublicationSummary' });

const person = z
  .object({
    ref: z.string().meta({ description: 'Pseudonym of this publication' }),
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
    prompts: z.array(z.string()),
    signed: z.boolean().meta({ description: 'Its performer’s signature was recorded with it' }),
    extensions,
  })
  .meta({ id: 'PublishedStep' });

const content = z
  .object({
    cid: z.string(),
    type: z.string(),
    mimeType: z.string().optional(),
    size: count.optional(),
    by: z.string().optional().meta({ description: 'Ref of who made it' }),
    owner: z.string().optional().meta({ description: 'Ref of whom it was transferred to' }),
    recordedAt: instantAnswer,
    extensions,
  })
  .meta({ id: 'PublishedContent' });

const credit = z
  .object({
    by: z.string().meta({ description: 'Ref of a person' }),
    role: z.string(),
    step: count.optional().meta({ description: 'Place of the action among the steps' }),
    cid: z.string().optional(),
    weight: weightSchema.optional(),
    note: z.string().optional(),
    extensions,
  })
  .meta({ id: 'PublishedCredit' });

/** A published history: what everybody with its id may read. Steps are oldest first. */
export const publishedHistorySchema = z
  .object({
    ...head,
    log: z
      .object({ origin: z.string(), verifierKey: z.string() })
      .optional()
      .meta({ description: 'The log that proves it, as this service names it; where it is provable' }),
    people: z.array(person),
    steps: z.array(step),
    contents: z.array(content),
    credits: z.array(credit),
  })
  .meta({ id: 'PublishedHistory' });

/** What is told of a content to whoever has it, by the projects that allow public checks. */
export const publicCheckSchema = z
  .object({
    cid: z.string(),
    known: z.boolean(),
    matches: z
      .array(publishedFactsSchema)
      .meta({ description: 'One of each project that knows it; at most 5' }),
  })
  .meta({ id: 'PublicCheck' });

/** What is told of a content in a few words. */
export type PublishedFacts = z.output<typeof publishedFactsSchema>;
/** A published history in short. */
export type PublicationSummary = z.output<typeof publicationSummarySchema>;
/** A published history. */
export type PublishedHistory = z.output<typeof publishedHistorySchema>;
/** What is told of a content to whoever has it. */
export type PublicCheck = z.output<typeof publicCheckSchema>;
