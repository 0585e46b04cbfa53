import { type Markup, markup, type Piece } from '@colophon/model';
import { nameOfReference, type ReferenceSchema } from './read-document.js';

/** Members at this depth or deeper are in a `<details>` element, which is closed at first. */
const OPEN_DEPTH = 2;
/** Members deeper than this are only on the page of the schemas. */
const MAX_DEPTH = 5;
const SCHEMAS_PATH = '/docs/schemas';
/** Default maximum in schemas of whole numbers. The reference does not show it. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;

export interface SchemaPlace {
  schemas: Record<string, ReferenceSchema>;
  depth: number;
  /** Names of the schemas around this schema. Inside itself, a schema appears only as a link. */
  around: readonly string[];
  /** Whether inner named schemas appear only as links, without their members. */
  isBrief?: boolean;
}

export function outermost(schemas: SchemaPlace['schemas'], isBrief = false): SchemaPlace {
  return { schemas, depth: 0, around: [], isBrief };
}

/** Converts text to HTML, with `<code>` for the code between backticks. */
export function toProse(text: string): Markup {
  const parts = text.split('`');
  return markup`${parts.map((part, at): Piece => (at % 2 === 1 ? markup`<code>${part}</code>` : part))}`;
}

/** The result is empty without members. */
export function describeMembers(schema: ReferenceSchema, place: SchemaPlace): Markup {
  const { schema: found, place: inside } = follow(schema, place);
  const variants = (found.anyOf ?? found.oneOf ?? []).filter((one) => one.type !== 'null');
  if (variants.length > 0) return describeVariants(variants, inside);
  if (found.items !== undefined) return describeMembers(found.items, inside);
  const members = Object.entries(found.properties ?? {});
  if (members.length === 0) return describeValues(found, inside);
  const required = new Set(found.required);
  const items = members.map(
    ([name, member]) =>
      markup`<li><div class="member"><code>${name}</code> ${describeType(member, inside)}${
        required.has(name) ? markup` <span class="required">required</span>` : ''
      }</div>${describeText(member, inside)}${nest(member, inside)}</li>\n`,
  );
  return markup`<ul class="members">\n${items}</ul>\n`;
}

/** Describes the values of an object whose keys the caller chooses. */
function describeValues({ additionalProperties }: ReferenceSchema, place: SchemaPlace): Markup {
  return typeof additionalProperties === 'object' ? describeMembers(additionalProperties, place) : markup``;
}

function describeVariants(variants: ReferenceSchema[], place: SchemaPlace): Markup {
  const [first, ...others] = variants;
  if (first !== undefined && others.length === 0) return describeMembers(first, place);
  const described = variants
    .map((variant) => ({ variant, members: describeMembers(variant, place) }))
    .filter(({ members }) => members.html !== '');
  if (described.length === 0) return markup``;
  return markup`${described.map(
    ({ variant, members }) => markup`<p class="variant">${describeType(variant, place)}</p>${members}`,
  )}`;
}

/** The result is empty when the inner members are too deep, or when the type already links to them. */
function nest(member: ReferenceSchema, place: SchemaPlace): Markup {
  const names = namesIn(member);
  const isElsewhere = names.some((name) => place.isBrief === true || place.around.includes(name));
  if (isElsewhere || place.depth >= MAX_DEPTH) return markup``;
  const members = describeMembers(member, { ...place, depth: place.depth + 1 });
  if (members.html === '' || place.depth + 1 < OPEN_DEPTH) return members;
  return markup`<details><summary>Members of this object</summary>${members}</details>`;
}

function namesIn(schema: ReferenceSchema): string[] {
  const { items, anyOf = [], oneOf = [], additionalProperties } = schema;
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const inner = [...(items === undefined ? [] : [items]), ...anyOf, ...oneOf, ...values].flatMap(namesIn);
  return [nameOfReference(schema) ?? [], inner].flat();
}

function follow(
  schema: ReferenceSchema,
  place: SchemaPlace,
): { schema: ReferenceSchema; place: SchemaPlace } {
  const name = nameOfReference(schema);
  const found = name === undefined ? undefined : place.schemas[name];
  if (name === undefined || found === undefined) return { schema, place };
  if (place.around.includes(name)) return { schema: {}, place };
  return { schema: found, place: { ...place, around: [...place.around, name] } };
}

/** Returns the type in words: `string or null`, `list of Entity`. */
export function describeType(schema: ReferenceSchema, place: Pick<SchemaPlace, 'schemas'>): Markup {
  return markup`<span class="type">${toType(schema, place)}</span>`;
}

function toType(schema: ReferenceSchema, place: Pick<SchemaPlace, 'schemas'>): Piece {
  const name = nameOfReference(schema);
  if (name !== undefined) return toNamedType(name, place);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined)
    return markup`${variants.map(
      (variant, at): Markup => markup`${at === 0 ? '' : ' or '}${toType(variant, place)}`,
    )}`;
  if (schema.contentMediaType !== undefined) return 'bytes';
  if (schema.enum !== undefined) return toValues(schema.enum);
  if (schema.const !== undefined) return toValues([schema.const]);
  if (schema.items !== undefined) return markup`list of ${toType(schema.items, place)}`;
  const types = [schema.type ?? 'any JSON'].flat();
  return types.join(' or ');
}

/** Links to the named schema. A named text or enumeration gets its type without a link. */
function toNamedType(name: string, place: Pick<SchemaPlace, 'schemas'>): Piece {
  const found = place.schemas[name];
  if (found?.type === 'string' || found?.enum !== undefined) return toType(found, place);
  return markup`<a href="${SCHEMAS_PATH}#${name}">${name}</a>`;
}

function toValues(values: unknown[]): Markup {
  return markup`${values.map(
    (value, at): Markup => markup`${at === 0 ? '' : ' or '}<code>${JSON.stringify(value)}</code>`,
  )}`;
}

function describeText(schema: ReferenceSchema, place: SchemaPlace): Markup {
  const name = nameOfReference(schema);
  const description = schema.description ?? (name && place.schemas[name]?.description);
  return describeBounds(description ?? schema.items?.description, listBounds(schema));
}

/** The result is empty if the description and the bounds are absent. */
export function describeBounds(description: string | undefined, bounds: readonly string[]): Markup {
  const prose = description === undefined ? '' : toProse(description);
  if (bounds.length === 0) return prose === '' ? markup`` : markup`<p>${prose}</p>`;
  const separator = prose === '' ? '' : ' · ';
  return markup`<p>${prose}<span class="bounds">${separator}${bounds.join('; ')}</span></p>`;
}

export function listBounds(schema: ReferenceSchema): string[] {
  const { anyOf, format, pattern, exclusiveMinimum, examples } = schema;
  const [bounded] = (anyOf ?? []).filter(({ type }) => type !== 'null');
  if (anyOf?.length === 2 && bounded !== undefined && anyOf.some(({ type }) => type === 'null'))
    return listBounds(bounded);
  const first = examples?.[0];
  return [
    ...toRange(schema.minLength, schema.maxLength, 'characters'),
    ...toRange(schema.minimum, schema.maximum, ''),
    ...toRange(schema.minItems, schema.maxItems, 'items'),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(format === undefined ? [] : [format]),
    ...(pattern === undefined || format !== undefined ? [] : [`pattern ${pattern}`]),
    ...(first === undefined ? [] : [`example: ${JSON.stringify(first)}`]),
  ];
}

function toRange(min: number | undefined, max: number | undefined, unit: string): string[] {
  const least = min === undefined || (unit !== '' && min === 0) ? undefined : min;
  const most = max === undefined || max >= NO_BOUND ? undefined : max;
  const of = unit === '' ? '' : ` ${unit}`;
  if (least !== undefined && most !== undefined)
    return [least === most ? `exactly ${least}${of}` : `${least} to ${most}${of}`];
  if (most !== undefined) return [`at most ${most}${of}`];
  return least === undefined || least <= -NO_BOUND ? [] : [`at least ${least}${of}`];
}
