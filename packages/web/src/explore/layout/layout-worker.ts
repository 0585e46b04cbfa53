import { layOut } from './lay-out.js';
import type { LayoutInput } from './layout-input.js';

/* Lays histories out beside the page, which stays usable meanwhile. */
self.onmessage = ({ data: input }: MessageEvent<LayoutInput>) => self.postMessage(layOut(input));
