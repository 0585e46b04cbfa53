#!/usr/bin/env node
import { existsSync } from 'node:fs';

// The installed package has the service in app/; a checkout has it in another workspace.
const packed = new URL('../app/node_modules/@colophon/server/dist/cli.js', import.meta.url);
await import(existsSync(packed) ? packed.href : '@colophon/server/cli');
