/** An action of a bundle, as in the request that records it. */
export interface DenseAction {
  id: string;
  performedBy: string;
}
/** Number of the bundles for which `fillMap` fills the map. */
export const BUNDLES: number;
/** Returns the CID of the last content of a bundle. */
export function lastOf(bundle: number): string;
/** Returns the actions of a bundle, as in the request that records them. */
export function actionsOf(bundle: number): DenseAction[];
/** Returns a further action after the last content of a bundle. */
export function furtherActionOf(bundle: number): DenseAction;
/** Fills the map of the only project before its first action is recorded. `query` runs one statement. */
export function fillMap(
  query: (text: string, parameters: unknown[]) => Promise<unknown>,
  density: number,
): Promise<void>;
