export interface LiteralStyle {
  key: (name: string) => string;
  text: (text: string) => string;
  words: { true: string; false: string; null: string };
  /** Spaces inside the braces of an object on one line. */
  padding: string;
  /** Spaces before each member of an object on several lines. */
  indent: number;
}

const MAX_LINE = 56;

export const PYTHON_STYLE: LiteralStyle = {
  key: (name) => JSON.stringify(name),
  text: (text) => JSON.stringify(text),
  words: { true: 'True', false: 'False', null: 'None' },
  padding: '',
  indent: 4,
};

export const SCRIPT_STYLE: LiteralStyle = {
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoteScript(name)),
  text: quoteScript,
  words: { true: 'true', false: 'false', null: 'null' },
  padding: ' ',
  indent: 2,
};

function quoteScript(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** One line if the value is short, or else one line per member. */
export function writeLiteral(value: unknown, style: LiteralStyle, indent = 0): string {
  const line = onOneLine(value, style);
  if (line.length + indent <= MAX_LINE || typeof value !== 'object' || value === null) return line;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const inner = ' '.repeat(indent + style.indent);
  const members = Array.isArray(value)
    ? value.map((item) => writeLiteral(item, style, indent + style.indent))
    : Object.entries(value).map(
        ([name, item]) => `${style.key(name)}: ${writeLiteral(item, style, indent + style.indent)}`,
      );
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${' '.repeat(indent)}${close}`;
}

function onOneLine(value: unknown, style: LiteralStyle): string {
  if (typeof value === 'string') return style.text(value);
  if (value === null) return style.words.null;
  if (typeof value === 'boolean') return style.words[`${value}`];
  if (Array.isArray(value)) return `[${value.map((item) => onOneLine(item, style)).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${style.key(name)}: ${onOneLine(item, style)}`,
  );
  return members.length === 0 ? '{}' : `{${style.padding}${members.join(', ')}${style.padding}}`;
}
