import type { Reporter, TestModule } from 'vitest/node';
import { describeMissing, missingPrograms } from './programs.js';

/** Prints the left-out tests after a run, and how to run them. */
export class LeftOutReporter implements Reporter {
  private readonly isQuick: boolean;

  constructor({ isQuick }: { isQuick: boolean }) {
    this.isQuick = isQuick;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules
      .map((module) => ({
        file: module.relativeModuleId,
        count: [...module.children.allTests('skipped')].length,
      }))
      .filter(({ count }) => count > 0);
    const missing = missingPrograms();
    const lines = [
      ...(this.isQuick ? quickLines(skipped) : skipped.map(({ file, count }) => `  ${count} in ${file}`)),
      ...(missing.length > 0
        ? [`  Not installed: ${missing.join(', ')}. To add them: ${describeMissing(missing)}`]
        : []),
    ];
    if (lines.length > 0) process.stdout.write(`\nLeft out:\n${lines.join('\n')}\n`);
  }
}

function quickLines(skipped: readonly { count: number }[]): string[] {
  const count = skipped.reduce((sum, one) => sum + one.count, 0);
  return [
    `  ${count} tests. Most of them need another database engine than PGlite in memory.`,
    '  Also the files that need browsers, chains, processes or several nodes, that fuzz or measure costs, or are slow.',
    '  To run everything: npm run test:all',
  ];
}
