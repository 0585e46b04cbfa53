export interface Column<Row> {
  head: string;
  of(row: Row): string | number | null | undefined;
}

export function toTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = [
    columns.map(({ head }) => head),
    ...rows.map((row) => columns.map(({ of }) => show(of(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

export function print<Answer>(
  answer: Answer,
  { json, describe }: { json: boolean | undefined; describe: (answer: Answer) => string },
): void {
  process.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : withoutControls(describe(answer)));
}

/** Replaces control characters except line breaks. An escape sequence in a response could control the terminal. */
export function withoutControls(text: string): string {
  return text.replaceAll(/(?!\n)\p{C}/gu, '\u{fffd}');
}

/** Replaces control characters and line breaks, so that text from others cannot imitate a line of the output. */
export function withoutBreaks(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\u{fffd}');
}

function show(value: string | number | null | undefined): string {
  return value === null || value === undefined ? '-' : withoutBreaks(String(value));
}
