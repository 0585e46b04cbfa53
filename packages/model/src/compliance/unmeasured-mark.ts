import type { Robustness } from './compliance-report.js';

/**
 * Returns the entry of the report for the watermark of a model that the operator supplies. The entry has no figures,
 * because nobody measured the robustness of this watermark.
 *
 * @example
 * unmeasuredMark('com.adobe.trustmark.Q').figures; // => []
 */
export function unmeasuredMark(method: string): Robustness {
  return {
    method,
    layer: 'watermark',
    source: 'bench/marking.md',
    measures: 'The robustness of the watermark of this model was not measured.',
    unit: 'percent',
    figures: [],
    limits: [
      'The operator of the service supplies the model. The figures of other watermarks do not apply to it.',
      'A watermark can be copied to another picture. It points to a record and proves no origin.',
    ],
  };
}
