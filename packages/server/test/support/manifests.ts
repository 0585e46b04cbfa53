import type { ManifestStore } from '../../src/media/media-engine.js';

const CREATED = {
  action: 'c2pa.created',
  digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/digitalCreation',
};

export function define(action: Record<string, unknown> = CREATED): Record<string, unknown> {
  return {
    claim_generator_info: [{ name: 'colophon-tests', version: '1' }],
    title: 'A file of the tests',
    assertions: [{ label: 'c2pa.actions.v2', data: { actions: [action] } }],
  };
}

/** Returns the codes of the failures of the newest manifest. */
export function failures(store: ManifestStore): string[] {
  const results = store.validation_results as
    | { activeManifest?: { failure: { code: string }[] } }
    | undefined;
  return (results?.activeManifest?.failure ?? []).map(({ code }) => code);
}

interface Ingredient {
  relationship: string;
  title?: string;
  active_manifest?: string;
}

export function ingredients(store: ManifestStore): Ingredient[] {
  return (store.manifests[store.active_manifest ?? '']?.ingredients ?? []) as Ingredient[];
}

/** The names of the newest manifest's actions. */
export function actions(store: ManifestStore): string[] {
  const manifest = store.manifests[store.active_manifest ?? ''];
  const assertions = (manifest?.assertions ?? []) as {
    label: string;
    data: { actions?: { action: string }[] };
  }[];
  return assertions
    .filter(({ label }) => label.startsWith('c2pa.actions'))
    .flatMap(({ data }) => (data.actions ?? []).map(({ action }) => action));
}
