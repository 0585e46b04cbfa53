/** An action of a bundle, as in the request that records it. */
export interface DenseAction {
  id: string;
  performedBy: string;
}
/** Number of the bundles for which `fillMap` fills the map. */
export const BUNDLES: number;
export function lastOf(bundle: number): string;
export function actionsOf(bundle: number): DenseAction[];
export function furtherActionOf(bundle: number): DenseAction;
/** Fills the map of the only project before its first action is recorded. */
export function fillMap(
  query: (text: string, parameters: unknown[]) => Promise<unknown>,
  density: number,
): Promise<void>;
