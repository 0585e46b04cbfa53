import { type Bundle, toGraph, toProvJson, toRoCrate } from '@colophon/model';

const CONVERSIONS = { graph: toGraph, 'prov-json': toProvJson, 'ro-crate': toRoCrate };

/** What the text of a history is converted to. */
export type Conversion = keyof typeof CONVERSIONS;

/** The JSON text of a history as another JSON text. */
export function convert(to: Conversion, text: string): string {
  return JSON.stringify(CONVERSIONS[to](JSON.parse(text) as Bundle));
}

/** `text` in UTF-8. */
export interface ToConversionThread {
  id: number;
  to: Conversion;
  text: Uint8Array;
}

/** Text in UTF-8, or why there is none. */
export type FromConversionThread = { id: number } & ({ text: Uint8Array } | { failure: string });
