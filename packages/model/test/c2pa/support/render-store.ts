import type { ManifestDefinition } from '../../../src/index.js';

interface Rendered {
  actions: { parameters?: Record<string, unknown> & { ingredientIds?: string[] } }[];
}

/** Imitates the JSON that c2pa-rs reads from a file signed with this definition, if the ingredients have no bytes. */
export function renderStore({ definition, ingredients }: ManifestDefinition, label = 'urn:c2pa:rendered') {
  const labelOf = (id: string) => {
    const index = ingredients.findIndex(({ json }) => json.label === id);
    return `c2pa.ingredient.v3${index === 0 ? '' : `__${index}`}`;
  };
  const assertions = (definition.assertions as { label: string; data: unknown }[]).map((assertion) => {
    if (assertion.label !== 'c2pa.actions.v2') return assertion;
    const { actions } = assertion.data as Rendered;
    const rendered = actions.map(({ parameters, ...action }) => {
      if (parameters === undefined) return action;
      const { ingredientIds, ...others } = parameters;
      const uris = ingredientIds?.map((id) => ({
        url: `self#jumbf=c2pa.assertions/${labelOf(id)}`,
        hash: 'AA==',
      }));
      return { ...action, parameters: { ...others, ...(uris && { ingredients: uris }) } };
    });
    return { ...assertion, data: { actions: rendered } };
  });
  const manifest = {
    claim_generator_info: definition.claim_generator_info,
    title: definition.title,
    ingredients: ingredients.map(({ json }) => ({ ...json, label: labelOf(String(json.label)) })),
    assertions,
    signature_info: { alg: 'Es256', issuer: 'Example Studio' },
    label,
  };
  return JSON.parse(
    JSON.stringify({ active_manifest: label, manifests: { [label]: manifest }, validation_state: 'Valid' }),
  );
}
