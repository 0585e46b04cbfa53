/**
 * Returns the role of the attribution that a recording creates itself. The performer of a `reference` is the
 * content's source, not its creator.
 */
export function performerRole(actionType: string): 'creator' | 'source' {
  return actionType === 'reference' ? 'source' : 'creator';
}
