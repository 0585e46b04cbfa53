import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Instant } from '../src/ui/instant.js';

describe('an instant on the page', () => {
  it('has one format, and the time zone in a tooltip', () => {
    const at = '2026-11-21T12:30:00.000Z';
    const drawn = renderToStaticMarkup(createElement(Instant, { at, say: (text) => `made on ${text}` }));
    expect(drawn).toMatch(/>made on 2[12] November 2026 at \d\d:\d\d<\/time>$/);
    const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
      .formatToParts(new Date(at))
      .find(({ type }) => type === 'timeZoneName')?.value;
    expect(drawn).toMatch(new RegExp(`title="[^"]+ at \\d\\d:\\d\\d:00 ${zone?.replace('+', '\\+')}"`));
  });
});
