import {
  type DetectionLayer,
  type PublishedFacts,
  type PublishedMatchKind,
  sayPublished,
} from '@colophon/model';
import { check } from '../strings/check.js';
import { detector as text } from '../strings/detector.js';

type AiLevelOfFacts = PublishedFacts['ai'];

/** Returns the finding of a layer in the language of the page. A finding that the page does not know stays English. */
export function sayLayer(layer: DetectionLayer): string {
  if (layer.kind === 'manifest') {
    const stated = text.manifestStates(text.statements[layer.level]);
    return layer.state === undefined ? stated : `${check.service.states[layer.state]}. ${stated}`;
  }
  return FINDINGS.get(layer.says)?.() ?? layer.says;
}

/** Returns the meaning of the confidence of a layer. Undefined if the service states none that the page knows. */
export function sayMeaning({ kind, confidence, meaning }: DetectionLayer): string | undefined {
  const meanings: Readonly<Partial<Record<string, string>>> = text.meanings;
  return meanings[`${kind} ${confidence}`] ?? meaning;
}

/** Returns the result of a detection: the finding of the most confident layer, which is the first one. */
export function sayResult([first]: readonly DetectionLayer[]): string {
  return first === undefined ? text.none : sayLayer(first);
}

/**
 * The texts of the page, by the English sentence of the service. A layer has no code for the kind of its match and for
 * the exact level of AI, so the sentence identifies both.
 */
const FINDINGS: ReadonlyMap<string, () => string> = new Map(
  (Object.keys(text.matches) as PublishedMatchKind[]).flatMap((match) =>
    ([...Object.keys(text.statements), 'withheld'] as AiLevelOfFacts[]).map((ai): [string, () => string] => [
      sayPublished(match, ai),
      () => `${text.matches[match]} ${sayStatement(ai)}`,
    ]),
  ),
);

function sayStatement(ai: AiLevelOfFacts): string {
  return ai === 'withheld' ? text.historyWithholds : text.historyStates(text.statements[ai]);
}
