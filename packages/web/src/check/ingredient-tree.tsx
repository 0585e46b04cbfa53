import { levelOfSourceType, type Manifest, type ManifestIngredient } from '@colophon/model';
import { useEffect, useState } from 'react';
import { aiLevels } from '../strings/ai-levels.js';
import { check } from '../strings/check.js';
import {
  type ManifestThumbnail,
  type ManifestThumbnails,
  thumbnailKey,
} from './credentials/manifest-thumbnail.js';
import { sayStep } from './say-credentials.js';

const text = check.ingredients;
const MAX_DEPTH = 8;
const MAX_PER_LEVEL = 20;

const NO_THUMBNAILS: ManifestThumbnails = new Map();

export function IngredientTree({
  manifest,
  thumbnails = NO_THUMBNAILS,
}: {
  manifest: Manifest;
  thumbnails?: ManifestThumbnails | undefined;
}) {
  if (manifest.ingredients.length === 0) return null;
  return (
    <section className="card wide">
      <h3>{text.title}</h3>
      <div className="ingredient">
        <Thumb picture={thumbnails.get(thumbnailKey(manifest.label))} />
        <Words title={text.thisFile} lines={linesOf(manifest)} />
      </div>
      <Ingredients of={manifest} thumbnails={thumbnails} depth={1} />
    </section>
  );
}

function Ingredients({
  of: { label, ingredients },
  thumbnails,
  depth,
}: {
  of: Manifest;
  thumbnails: ManifestThumbnails;
  depth: number;
}) {
  if (ingredients.length === 0) return null;
  if (depth > MAX_DEPTH) return <p className="quiet">{text.deeper}</p>;
  const left = ingredients.length - MAX_PER_LEVEL;
  return (
    <ul className="ingredients">
      {ingredients.slice(0, MAX_PER_LEVEL).map((ingredient, place) => (
        <li key={thumbnailKey(label, place)}>
          <div className="ingredient">
            <Thumb
              picture={
                thumbnails.get(thumbnailKey(label, place)) ??
                thumbnails.get(thumbnailKey(ingredient.manifestLabel ?? ''))
              }
            />
            <Words
              title={ingredient.title ?? text.untitled}
              lines={[
                roleOf(ingredient),
                ...(ingredient.manifest ? describeManifest(ingredient.manifest) : []),
              ]}
              warning={ingredient.wasAltered === true ? text.altered : undefined}
            />
          </div>
          {ingredient.manifest === undefined ? null : (
            <Ingredients of={ingredient.manifest} thumbnails={thumbnails} depth={depth + 1} />
          )}
        </li>
      ))}
      {left > 0 ? <li className="quiet">{text.more(left)}</li> : null}
    </ul>
  );
}

function roleOf({ relationship, manifest, manifestLabel }: ManifestIngredient): string {
  const role = relationship === null ? text.used : text.roles[relationship];
  return manifest === undefined && manifestLabel === null ? `${role}; ${text.noCredentials}` : role;
}

function linesOf({ signature, generator, aiDisclosure }: Manifest): string[] {
  const signer = signature?.issuer ?? signature?.commonName ?? null;
  const ai = { ai_generated: aiLevels.generated, ai_assisted: aiLevels.assisted };
  return [
    aiDisclosure === null ? '' : ai[aiDisclosure],
    signer === null ? '' : text.signedBy(signer),
    generator === null ? '' : text.madeWith(generator),
  ].filter((line) => line !== '');
}

const MAX_STEPS = 5;

/** Describes an ingredient with a manifest of its own. */
function describeManifest(manifest: Manifest): string[] {
  const steps = manifest.actions.map(({ action, digitalSourceType }) =>
    sayStep(action, levelOfSourceType(digitalSourceType)),
  );
  const left = steps.length - MAX_STEPS;
  const named = [...steps.slice(0, MAX_STEPS), ...(left > 0 ? [text.more(left)] : [])];
  return [...linesOf(manifest), ...(steps.length === 0 ? [] : [text.steps(named.join(', '))])];
}

function Words({
  title,
  lines,
  warning,
}: {
  title: string;
  lines: readonly string[];
  warning?: string | undefined;
}) {
  return (
    <div>
      <strong>{title}</strong>
      {lines.map((line) => (
        <span key={line} className="ingredient-line">
          {line}
        </span>
      ))}
      {warning === undefined ? null : <strong className="state invalid">{warning}</strong>}
    </div>
  );
}

function Thumb({ picture }: { picture: ManifestThumbnail | undefined }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (picture === undefined) return undefined;
    const made = URL.createObjectURL(new Blob([picture.bytes as BlobPart], { type: picture.type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  if (picture === undefined) return <span className="ingredient-picture" aria-hidden="true" />;
  return address === undefined ? (
    <span className="ingredient-picture" />
  ) : (
    <img className="ingredient-picture" src={address} alt="" />
  );
}
