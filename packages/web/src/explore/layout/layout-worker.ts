import { layOut } from './lay-out.js';
import type { LayoutInput } from './layout-input.js';

/* Lays out histories in a worker, so that the page stays usable. */
self.onmessage = ({ data: input }: MessageEvent<LayoutInput>) => self.postMessage(layOut(input));
