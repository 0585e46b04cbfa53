export { createContext, type Overrides } from './compose.js';
export { type Config, ConfigError, readConfig } from './config.js';
export type { Context } from './context.js';
