import { ConfigError, readConfig } from '../../src/config.js';

/** The problems of these variables, or none if the configuration is valid. */
export function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
