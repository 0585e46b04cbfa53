import { layOut } from './lay-out.js';
import type { LayoutInput } from './layout-input.js';

/* The layout runs in a worker, so that the page still reacts to the user. */
self.onmessage = ({ data: input }: MessageEvent<LayoutInput>) => self.postMessage(layOut(input));
