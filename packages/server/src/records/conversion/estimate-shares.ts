import { type Bundle, CONTRIB_EXTENSION, type DistributionTerms, type Recipient } from '@colophon/model';

const BITS_OF_DIGIT = 4;
/** Length of the denominator of the default decay, 1/2. */
const BITS_OF_DEFAULT_DECAY = 2;
/** Length of the longest denominator of a double. JSON writes such a number with an exponent. */
const BITS_OF_EXPONENT = 1_100;

type SharedHistory = Pick<Bundle, 'actions' | 'attributions'>;

/** Estimates the length of the integers for shares, in bits. A credit has at least one, so this bounds the credits. */
export function estimateSharesBits(
  { actions, attributions }: SharedHistory,
  terms: DistributionTerms,
): number {
  const outputs = new Map<string, number>();
  for (const { id, outputCids } of actions) outputs.set(id, (outputs.get(id) ?? 0) + outputCids.length);
  let bits = countSteps(actions.length, terms) * bitsOfDecay(terms.decay);
  for (const { actionId = '', resourceCid, weight, extensions } of attributions) {
    const contents = resourceCid === undefined ? (outputs.get(actionId) ?? 0) : 1;
    bits += contents * (1 + bitsOf(weight ?? weightOf(extensions?.[CONTRIB_EXTENSION])));
  }
  return bits;
}

export function estimateWeightsBits(recipients: readonly Recipient[]): number {
  return recipients.reduce((bits, { weight }) => bits + 1 + bitsOf(weight), 0);
}

function countSteps(actions: number, { policy, depth = actions }: DistributionTerms): number {
  if (policy !== 'all-ancestors') return policy === 'parents' ? 1 : 0;
  return Math.min(depth, actions);
}

function bitsOfDecay(decay: DistributionTerms['decay']): number {
  return decay === undefined ? BITS_OF_DEFAULT_DECAY : bitsOf(decay);
}

function weightOf(extension: unknown): unknown {
  return typeof extension === 'object' && extension !== null && 'weight' in extension
    ? extension.weight
    : undefined;
}

function bitsOf(value: unknown): number {
  const text = value === undefined ? '' : String(value);
  if (/\de/i.test(text)) return BITS_OF_EXPONENT;
  return BITS_OF_DIGIT * text.replace(/\D/g, '').length;
}
