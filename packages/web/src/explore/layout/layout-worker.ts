import { layOut } from './lay-out.js';
import type { LayoutInput } from './layout-input.js';

/* In a worker, so that the page still reacts to the user. */
self.onmessage = ({ data: input }: MessageEvent<LayoutInput>) => self.postMessage(layOut(input));
