import { readFileSync } from 'node:fs';
import { type ManifestStore, parseManifestStore } from '../../../src/index.js';

export const FILE_CID = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
export const OTHER_CID = 'bafkreiaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
export const IPTC = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

export function readFixtureJson(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}

export function readFixture(name: string): ManifestStore {
  return parseManifestStore(readFixtureJson(name));
}

/** The first manifest is active. */
export function storeOf(
  manifests: Record<string, unknown>,
  rest: Record<string, unknown> = { validation_state: 'Valid' },
): ManifestStore {
  const [active] = Object.keys(manifests);
  return parseManifestStore({ active_manifest: active, manifests, ...rest });
}

export function withActions(...actions: Record<string, unknown>[]) {
  return { assertions: [{ label: 'c2pa.actions.v2', data: { actions } }] };
}

export function madeOf(relationship: string, manifestLabel: string) {
  return { title: manifestLabel, relationship, active_manifest: manifestLabel, label: `i-${manifestLabel}` };
}
