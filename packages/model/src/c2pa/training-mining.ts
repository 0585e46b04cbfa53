import * as z from 'zod';
import type { JsonObject } from '../canonical-json.js';
import { textField } from '../records/json-fields.js';
import { present } from './present.js';

const permissionSchema = z
  .strictObject({
    use: z.enum(['allowed', 'notAllowed', 'constrained']),
    constraintInfo: textField(1000).optional().meta({ description: 'The constraints of a constrained use' }),
  })
  .meta({ id: 'TrainingMiningPermission' });

/** Schema of the permissions for uses of content, as in `cawg.training-mining` (CAWG Training and Data Mining 1.1). */
export const trainingMiningSchema = z
  .strictObject({
    aiGenerativeTraining: permissionSchema.optional(),
    aiTraining: permissionSchema.optional(),
    aiInference: permissionSchema.optional(),
    dataMining: permissionSchema.optional(),
  })
  .meta({ id: 'TrainingMining' });

/** The permissions for uses of content. */
export type TrainingMining = z.output<typeof trainingMiningSchema>;

const ENTRY_NAMES = {
  aiGenerativeTraining: 'cawg.ai_generative_training',
  aiTraining: 'cawg.ai_training',
  aiInference: 'cawg.ai_inference',
  dataMining: 'cawg.data_mining',
} as const;

export function toTrainingMining(permissions: TrainingMining): JsonObject {
  const entries: JsonObject = {};
  for (const name of ['aiGenerativeTraining', 'aiTraining', 'aiInference', 'dataMining'] as const) {
    const permission = permissions[name];
    if (permission === undefined) continue;
    const { use, constraintInfo } = permission;
    entries[ENTRY_NAMES[name]] = { use, ...present({ constraint_info: constraintInfo }) };
  }
  return { label: 'cawg.training-mining', data: { entries } };
}
