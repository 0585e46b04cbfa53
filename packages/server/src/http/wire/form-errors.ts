import { ServiceError } from '../../errors.js';

/** Parts that a form may have in addition to `file`. */
export interface AllowedParts {
  /** The form has no part `json`. */
  hasNoJson?: true;
  otherParts?: OtherParts;
  /** Names of parts that may contain a short text. */
  textParts?: readonly string[];
}

/** Further files. `shownAs`: their names in messages. */
export interface OtherParts {
  names: RegExp;
  shownAs: string;
}

export function tooLarge(message: string, { limitName }: { limitName: string }): ServiceError {
  return new ServiceError('PayloadTooLarge', message, {
    recovery: `Send a smaller file, or ask the operator to raise ${limitName}.`,
  });
}

export function tooLongText(part: string): ServiceError {
  return new ServiceError('PayloadTooLarge', `The part \`${part}\` is larger than 1 MiB.`);
}

export function notAllowed(
  part: string,
  { hasNoJson, otherParts, textParts = [] }: AllowedParts,
): ServiceError {
  if (textParts.includes(part)) {
    return new ServiceError('InvalidField', `The part \`${part}\` is a file, but must be a text.`, {
      recovery: `Send it without a file name and without a media type: with curl, -F ${part}=TEXT`,
    });
  }
  const others = otherParts === undefined ? [] : [otherParts.shownAs];
  const allowed = ['file', ...(hasNoJson ? [] : ['json']), ...others, ...textParts];
  return new ServiceError('InvalidField', `The form has an unknown part \`${part}\`.`, {
    recovery: `Remove this part. Allowed parts: ${allowed.map((name) => `\`${name}\``).join(', ')}.`,
  });
}

export function missing(part: string, content: string): ServiceError {
  return new ServiceError('MissingField', `The form needs a part \`${part}\` with ${content}.`);
}

export function twice(part: string): ServiceError {
  return new ServiceError('InvalidField', `The form has more than one part \`${part}\`.`, {
    recovery: 'Send each part once.',
  });
}
