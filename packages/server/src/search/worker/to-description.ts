import type { Described } from '../descriptor.js';
import { toDescriptorText } from '../descriptor-text.js';
import type { Description } from './protocol.js';

export function toDescription(described: Described): Description {
  return { kind: 'described', described, text: toDescriptorText(described) };
}
