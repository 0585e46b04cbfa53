/** The attribution that recording makes by itself: who references content is its source, not its creator. */
export function performerRole(actionType: string): 'creator' | 'source' {
  return actionType === 'reference' ? 'source' : 'creator';
}
