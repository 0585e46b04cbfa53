import type { ManifestStore, MediaEngine, SignOutcome, SignRequest } from '../../src/media/media-engine.js';

/** Uses the trust anchors in `request`. */
export async function signAndRead(
  engine: MediaEngine,
  request: SignRequest,
): Promise<SignOutcome & { store: ManifestStore }> {
  const outcome = await engine.sign(request);
  const { outputPath: path, mediaType, trustAnchorsPem, identityAnchorsPem } = request;
  const anchors = trustAnchorsPem === undefined ? {} : { trustAnchorsPem };
  const read = await engine.read({ path, mediaType, identityAnchorsPem, ...anchors });
  if (read.kind !== 'store') throw new Error(`read as ${JSON.stringify(read)}`);
  return { ...outcome, store: read.store };
}
