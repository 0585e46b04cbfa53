import * as z from 'zod';
import { chooseByMember } from './choose-by-member.js';
import { freeMembers, MAX_LISTED } from './extension-fields.js';

/** Key of the extension for the AI tool of an action, or the AI agent of an entity. */
export const AI_EXTENSION = 'ext:ai@1.0.0';

const usage = {
  version: z.string().optional(),
  promptHash: z.string().optional(),
  prompt: z.string().optional(),
  systemPrompt: z.string().optional(),
  parameters: freeMembers.optional(),
  tokensUsed: z
    .int()
    .nonnegative()
    .nullish()
    .meta({ description: 'Number of tokens; null when it is not known' }),
  generationTime: z.number().nonnegative().optional().meta({ description: 'Milliseconds' }),
  seed: z.number().optional(),
};

/** The flat shape of the service's specification. */
const flat = z.looseObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  autonomyLevel: z.string().optional(),
  ...usage,
});

const tool = z.looseObject({ provider: z.string(), model: z.string(), ...usage });

const agent = z.looseObject({
  model: z
    .looseObject({ provider: z.string(), model: z.string(), version: z.string().optional() })
    .optional(),
  framework: z.string().optional(),
  delegatedBy: z.string().optional(),
  autonomyLevel: z.string().optional(),
  capabilities: z.array(z.string()).max(MAX_LISTED).optional(),
  sessionId: z.string().optional(),
  collaborators: z.array(z.string()).max(MAX_LISTED).optional(),
  agentRole: z.string().optional(),
  config: freeMembers.optional(),
});

/** Some readers know only one shape, so a value may have both. */
const besideFlat = flat.partial();

/**
 * Two shapes are valid. The first is `{tool}` (of an action) or `{agent}` (of an entity), as in the
 * ProvenanceKit extension set. The second is the flat `{provider, model, autonomyLevel?, ...}` of the service's
 * specification, "Extensions". The member `tool` or `agent` selects the shape. The schema also checks flat members next
 * to `tool` or `agent`.
 *
 * `generationTime` is in milliseconds. `delegatedBy` and `collaborators` are entity ids. `prompt` and `systemPrompt`
 * are personal fields: the record digest covers only a salted commitment of each.
 */
export const aiExtensionSchema = chooseByMember(
  z.union([besideFlat.extend({ tool, agent: agent.optional() }), besideFlat.extend({ agent }), flat]),
  [['tool'], ['agent'], ['provider', 'model']],
).meta({ id: 'AiExtension', description: 'The AI tool of an action, or the AI agent of an entity' });

/** The AI tool of an action, or the AI agent of an entity. */
export type AiExtension = z.infer<typeof aiExtensionSchema>;
