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
    `  ${count} tests, most of them on other engines than the one in memory;`,
    '  the files with browsers, chains, processes, several nodes, fuzzing and costs, and the slowest.',
    '  To run everything: npm run test:all',
  ];
}
