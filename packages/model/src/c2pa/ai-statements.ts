import { meaningOfSourceType, type SourceTypeMeaning } from './digital-source-type.js';
import type { AiDisclosure } from './provenance-assertion.js';
import type { StoredAction } from './stored-action.js';

interface Sources {
  readonly actions: readonly StoredAction[];
  readonly ingredients: readonly { readonly relationship: string | undefined }[];
  readonly sourceTypes: readonly string[];
  readonly aiDisclosure: AiDisclosure | undefined;
}

/**
 * Returns the AI statements of a manifest about its own content. An edit with the meaning `generated` counts as
 * `assisted` if AI did not make the original content.
 */
export function readAiStatements(sources: Sources): ReadonlySet<SourceTypeMeaning> {
  const { actions, sourceTypes, aiDisclosure } = sources;
  const isOriginWithoutAi = hasOriginWithoutAi(sources);
  const meanings = actions.map(({ action, digitalSourceType }) => {
    const meaning = meaningOf(digitalSourceType);
    const isEdit = action !== 'c2pa.created' && isOriginWithoutAi;
    return meaning === 'generated' && isEdit ? 'assisted' : meaning;
  });
  const said = [
    meaningOfDisclosure(aiDisclosure),
    ...sourceTypes.map((sourceType) => meaningOf(sourceType)),
    ...meanings,
  ];
  return new Set(said.filter((meaning) => meaning !== undefined));
}

function meaningOfDisclosure(aiDisclosure: AiDisclosure | undefined): SourceTypeMeaning | undefined {
  if (aiDisclosure === null) return 'no-ai';
  return aiDisclosure === 'ai_generated' ? 'generated' : aiDisclosure && 'assisted';
}

/** Whether the content has a creation or a parent, and no creation by AI. */
function hasOriginWithoutAi({ actions, ingredients }: Sources): boolean {
  const created = actions.filter(({ action }) => action === 'c2pa.created');
  const isFromAi = created.some(({ digitalSourceType }) => meaningOf(digitalSourceType) === 'generated');
  const isEdit = ingredients.some(({ relationship }) => relationship === 'parentOf');
  return !isFromAi && (created.length > 0 || isEdit);
}

function meaningOf(sourceType: string | undefined): SourceTypeMeaning | undefined {
  return sourceType === undefined ? undefined : meaningOfSourceType(sourceType);
}
