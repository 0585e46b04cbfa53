/** The parts of a source file, read without a compiler. */
export interface SourceText {
  /** The source without comments. The index in `literals`, in quotes, replaces each string and template. */
  code: string;
  /** The texts of the strings and templates. In a template, `$` replaces each `${}` part. `code` contains this part. */
  literals: string[];
  imports: Import[];
}

export interface Import {
  specifier: string;
  /** True for `import type` and `export type`, which compilation removes. */
  typeOnly: boolean;
}

interface Scan {
  source: string;
  at: number;
  code: string;
  literals: string[];
}

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|[\w$]+|\s+|[\s\S]/y;
const REGULAR_EXPRESSION = /\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const EXPRESSION_FOLLOWS = /(?:^|[=(,:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void))\s*$/;
const STATEMENT =
  /(?<![.\w$])(?:import|export)\s+(type\s+(?!from\s*['"]))?(?:[\w$*{},\s]*?(?<![\w$])from\s*)?(['"])(\d+)\2/g;
const CALL = /(?<![\w$])(?:import|require|require\.resolve|import\.meta\.resolve)\s*\(\s*(['"`])(\d+)\1/g;

export function readSource(source: string): SourceText {
  const scan: Scan = { source, at: 0, code: '', literals: [] };
  readCode(scan);
  const { code, literals } = scan;
  const textOf = (index: string | undefined) => literals[Number(index)] ?? '';
  const statements = [...code.matchAll(STATEMENT)].map(([, type, , index]) => ({
    specifier: textOf(index),
    typeOnly: type !== undefined,
  }));
  const calls = [...code.matchAll(CALL)].map(([, , index]) => ({
    specifier: textOf(index),
    typeOnly: false,
  }));
  return { code, literals, imports: [...statements, ...calls] };
}

/** Reads to the end of the source, or to the brace that closes a `${}` part of a template. */
function readCode(scan: Scan): void {
  for (let depth = 0; depth >= 0 && scan.at < scan.source.length; ) {
    const token = take(scan, TOKEN);
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth >= 0) readToken(scan, token);
  }
}

function readToken(scan: Scan, token: string): void {
  if (/^\/[/*]/.test(token)) scan.code += ' ';
  else if (token === '`') readTemplate(scan);
  else if (/^['"]./.test(token)) addLiteral(scan, token.slice(1, -1), token.charAt(0));
  else if (token === '/' && EXPRESSION_FOLLOWS.test(scan.code.slice(-40))) readRegularExpression(scan);
  else scan.code += token;
}

function readTemplate(scan: Scan): void {
  let text = '';
  let parts = '';
  while (scan.at < scan.source.length) {
    const token = take(scan, /\\[\s\S]|\$\{|[\s\S]/y);
    if (token === '`') break;
    if (token === '${') {
      const outer = scan.code;
      scan.code = '';
      readCode(scan);
      parts += `(${scan.code})`;
      scan.code = outer;
      text += '$';
    } else text += token;
  }
  addLiteral(scan, text, '`');
  scan.code += parts;
}

function readRegularExpression(scan: Scan): void {
  scan.at -= 1;
  const text = take(scan, REGULAR_EXPRESSION);
  scan.code += text === '' ? take(scan, /\//y) : '/ /';
}

function addLiteral(scan: Scan, text: string, quote: string): void {
  scan.code += `${quote}${scan.literals.length}${quote}`;
  scan.literals.push(text);
}

/** Returns the match at the present place, or an empty text. Moves the scan behind the match. */
function take(scan: Scan, pattern: RegExp): string {
  pattern.lastIndex = scan.at;
  const text = pattern.exec(scan.source)?.[0] ?? '';
  scan.at += text.length;
  return text;
}
