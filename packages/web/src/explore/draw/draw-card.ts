import { explore } from '../../strings/explore.js';
import type { HistoryNode } from '../history/history.js';
import type { Label } from '../history/labels.js';
import type { Bounds } from '../layout/layout-input.js';
import type { Palette } from './palette.js';
import type { Box, Surface, TextStyle } from './surface.js';

export interface Card {
  node: HistoryNode;
  label: Label;
  bounds: Bounds;
  isFocus: boolean;
  isSelected: boolean;
  isFound: boolean;
  hidden: number;
  thumbnail?: ImageBitmap | undefined;
}

export interface Words {
  title: number;
  detail?: number;
}

export const FULL_WORDS: Required<Words> = { title: 13, detail: 11 };

const PAD = 7;
const LINE_FROM_MIDDLE = 9;
const MARK = 11;
const RADIUS: Record<HistoryNode['kind'], number> = { resource: 8, action: 26, entity: 8, tool: 3, group: 8 };
/** Offset of each card behind the first card of a group. */
const STACKED = 4;
const OUTDATED_DASH = [6, 4];
/** The mark has the colours of the AI label in both appearances. */
const AI = { width: 24, height: 17, fill: '#1a1a1a', ink: '#ffffff' };

export function drawCard(
  surface: Surface,
  card: Card,
  { palette, words }: { palette: Palette; words: Words },
): void {
  const { node, label, bounds } = card;
  const box = boxOf(bounds);
  drawForm(surface, card, palette);
  const picture = pictureBox(node, box);
  if (picture !== undefined) drawPicture(surface, card, { box: picture, palette });
  const x = picture === undefined ? box.x + PAD : picture.x + picture.width + PAD;
  const width = box.x + box.width - x - (node.kind === 'action' ? 2 * PAD : PAD);
  const middle = box.y + box.height / 2;
  const line = (text: string, y: number, style: TextStyle) =>
    surface.text(shorten(text, width, style.size), { x, y, width }, style);
  const { title, detail } = words;
  const offset = detail === undefined ? 0 : LINE_FROM_MIDDLE;
  const color = isOutdated(node) ? palette.soft : palette.ink;
  line(label.title, middle - offset, { size: title, color, isBold: true });
  if (detail !== undefined) line(label.detail, middle + offset, { size: detail, color: palette.soft });
  if (label.isAi) drawAiMark(surface, box, palette);
  if (card.hidden > 0) drawFold(surface, card, palette);
}

/** Draws a card without text, for a zoom that is too low for text. */
export function drawPlainCard(
  surface: Surface,
  card: Card,
  { palette, strikeWidth }: { palette: Palette; strikeWidth: number },
): void {
  drawForm(surface, card, palette);
  if (!isOutdated(card.node)) return;
  surface.curve(strikeOf(card.bounds), { stroke: palette.soft, lineWidth: strikeWidth });
}

/** Returns points of a curve. */
export function strikeOf({ left, top, right, bottom }: Bounds): number[] {
  const middle = (top + bottom) / 2;
  return [left, middle, right, middle];
}

function drawForm(
  surface: Surface,
  { node, bounds, isFocus, isSelected, isFound }: Card,
  palette: Palette,
): void {
  const { fill, edge } = palette.kinds[node.kind];
  const box = boxOf(bounds);
  const radius = RADIUS[node.kind];
  if (isFound || isSelected) {
    const [grow, stroke] = isSelected ? [5, palette.accent] : [4, palette.found];
    surface.box(grown(box, grow), { stroke, lineWidth: 3, radius: radius + grow });
  }
  if (node.kind === 'group')
    for (const by of [2 * STACKED, STACKED])
      surface.box({ ...box, x: box.x + by, y: box.y + by }, { fill, stroke: edge, radius });
  const form = { fill, stroke: isFocus ? palette.accent : edge, lineWidth: isFocus ? 3 : 1.5, radius };
  surface.box(box, isOutdated(node) ? { ...form, fill: palette.paper, dash: OUTDATED_DASH } : form);
}

/** Whether a later step corrects the step. */
export function isOutdated(node: HistoryNode): boolean {
  return node.kind === 'action' && node.correctedBy !== undefined;
}

function pictureBox(node: HistoryNode, box: Box): Box | undefined {
  if (node.kind === 'tool') return undefined;
  const size = box.height - (isRound(node) ? 2 * PAD : PAD);
  const inset = (box.height - size) / 2;
  return { x: box.x + inset + 2, y: box.y + inset, width: size, height: size };
}

function drawPicture(
  surface: Surface,
  { node, label, thumbnail }: Card,
  { box, palette }: { box: Box; palette: Palette },
): void {
  if (thumbnail !== undefined) {
    surface.picture(box, thumbnail);
    return;
  }
  const radius = isRound(node) ? box.width / 2 : 4;
  const { edge } = palette.kinds[node.kind === 'action' ? 'entity' : node.kind];
  surface.box(box, { fill: palette.card, stroke: edge, radius });
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width - 4 };
  surface.text(label.mark, at, { color: palette.soft, size: MARK, isBold: true, isCentred: true });
}

/** Avatars are round: that of an entity, or of the performer of an action. */
function isRound({ kind }: HistoryNode): boolean {
  return kind === 'entity' || kind === 'action';
}

function drawAiMark(surface: Surface, { x, y, width }: Box, palette: Palette): void {
  const box = { x: x + width - AI.width - 8, y: y - AI.height / 2, width: AI.width, height: AI.height };
  surface.box(box, { fill: AI.fill, stroke: palette.paper, lineWidth: 1.5, radius: 4 });
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width };
  surface.text(explore.ai, at, { color: AI.ink, size: MARK, isBold: true, isCentred: true });
}

function drawFold(surface: Surface, { bounds, hidden }: Card, palette: Palette): void {
  const text = `+${hidden}`;
  const width = 14 + text.length * 7;
  const box = { x: bounds.left - width / 2, y: bounds.top - 10, width, height: 20 };
  surface.box(box, { fill: palette.ink, radius: 10 });
  surface.text(
    text,
    { x: box.x + width / 2, y: box.y + 10, width },
    { color: palette.paper, size: MARK, isBold: true, isCentred: true },
  );
}

/** Estimates the length from the average width of letters. */
export function shorten(text: string, width: number, size: number): string {
  const most = Math.floor(width / (size * 0.52));
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, Math.max(1, most - 1)).join('')}…` : text;
}

function boxOf({ left, top, right, bottom }: Bounds): Box {
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}
