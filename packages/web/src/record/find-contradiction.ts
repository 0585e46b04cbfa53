import { record } from '../strings/record.js';
import { type Draft, isWithoutAi } from './draft.js';

/** The names of people, such as Claude or Ai Weiwei, do not match. */
const AI_NAME =
  /\b(?:gpt(?:-?\d[\w.]*)?|chatgpt|openai|dall[-·. ]?e|midjourney|stable ?diffusion|adobe firefly|copilot|deepseek|ideogram|google gemini)\b/i;
const AI_WORD = /\bAI\b/;

/**
 * Warns if a draft states that no AI was used, but names an AI tool, or a performer with the name of an AI system.
 * `name`: the performer's name. `ais`: names of recorded AI systems.
 */
export function findContradiction(
  draft: Draft,
  { role, name, ais }: { role: string; name: string; ais: readonly string[] },
): string | undefined {
  if (!isWithoutAi(draft, role)) return undefined;
  const isKnown = ais.some((ai) => ai.toLowerCase() === name.trim().toLowerCase());
  if (isKnown || AI_NAME.test(name) || AI_WORD.test(name)) return record.what.noAiByAi(name.trim());
  const namesTool = [draft.provider, draft.model].some((value) => value.trim() !== '');
  return namesTool ? record.what.noAiWithTool : undefined;
}
