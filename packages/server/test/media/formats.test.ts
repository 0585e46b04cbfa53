import { describe, expect, it } from 'vitest';
import { findFormat, MEDIA_FORMATS } from '../../src/media/formats.js';
import { SNIFFED_BYTES, sniffMediaType } from '../../src/media/sniff-media-type.js';
import { makeMediaFiles } from '../support/media-files.js';

describe('the table of media formats', () => {
  it('contains the formats of the specification and others, and declares each as readable and writable', () => {
    const names = ['JPEG', 'PNG', 'HEIC', 'HEIF', 'AVIF', 'WebP', 'MP4', 'MOV', 'MP3', 'M4A', 'PDF'];
    names.push('GIF', 'TIFF', 'JPEG XL', 'SVG', 'WAV', 'FLAC', 'AVI', 'HTML', 'Text');
    expect(MEDIA_FORMATS.map(({ name }) => name)).toEqual(names);
    expect(MEDIA_FORMATS.every(({ read, write }) => read && write)).toBe(true);
  });

  it('names every media type and extension once', () => {
    const types = MEDIA_FORMATS.flatMap(({ mediaType, aliases }) => [mediaType, ...aliases]);
    const extensions = MEDIA_FORMATS.flatMap((format) => format.extensions);
    expect(new Set(types).size).toBe(types.length);
    expect(new Set(extensions).size).toBe(extensions.length);
  });

  it('detects the format from the bytes of a file, for every format', async () => {
    const files = await makeMediaFiles();
    const detected = await Promise.all(
      files.map(
        async ({ bytes }) => findFormat(await sniffMediaType(bytes.subarray(0, SNIFFED_BYTES)))?.name,
      ),
    );
    expect(detected).toEqual(MEDIA_FORMATS.map(({ name }) => name));
  });

  it.each([
    [
      'a PNG of which only the signature is whole',
      [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0],
      '',
      'image/png',
    ],
    ['a TIFF whose directory is at its end', [0x49, 0x49, 42, 0, 0xc0, 0x27, 0, 0], '', 'image/tiff'],
    ['a TIFF of the other byte order', [0x4d, 0x4d, 0, 42, 0, 0, 0x27, 0xc0], '', 'image/tiff'],
    ['a PDF after other bytes', [0, 1, 2, 3, 4], '%PDF-1.7\n', 'application/pdf'],
    ['a text that mentions PDF', [], 'A file begins with %PDF-1.7', 'text/plain'],
    ['a file that names PDF too late', Array<number>(1024).fill(0), '%PDF-1.7\n', 'application/octet-stream'],
  ])('distinguishes %s', async (_, bytes, text, mediaType) => {
    const head = Buffer.concat([
      Buffer.from(bytes),
      Buffer.from(text),
      Buffer.alloc(bytes.length > 0 ? 600 : 0),
    ]);
    expect(await sniffMediaType(head)).toBe(mediaType);
  });

  it.each([
    ['an SVG picture', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['an SVG after a declaration', '\ufeff<?xml version="1.0"?>\n<!-- a --><svg/>', 'image/svg+xml'],
    ['an SVG with entities', '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg/>', 'image/svg+xml'],
    ['other XML', '<?xml version="1.0"?><a><svg/></a>', 'application/xml'],
    ['a text that mentions SVG', 'Write <svg> first.', 'text/plain'],
    ['an HTML document', ' <!doctype HTML>\n<p>', 'text/html'],
    ['an HTML document without a type', '<!-- a -->\n<html lang="en">', 'text/html'],
    ['a part of a page', '<p>A <b>part</b></p>', 'text/plain'],
    ['a comment without an end', '<!-- <html>', 'text/plain'],
    ['a text that mentions HTML', 'Begin with <html>.', 'text/plain'],
  ])('distinguishes %s by its text', async (_, text, mediaType) => {
    expect(await sniffMediaType(Buffer.from(text))).toBe(mediaType);
  });

  it.each([
    ['image/jpeg; charset=binary', 'JPEG'],
    ['IMAGE/PNG', 'PNG'],
    ['audio/x-m4a', 'M4A'],
    ['text/plain; charset=utf-8', 'Text'],
    ['video/vnd.avi', 'AVI'],
    ['application/json', undefined],
    ['', undefined],
  ])('treats "%s" as %s', (mediaType, name) => {
    expect(findFormat(mediaType)?.name).toBe(name);
  });
});
