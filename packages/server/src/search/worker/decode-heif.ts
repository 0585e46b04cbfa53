import { createRequire } from 'node:module';
import { HEIF_DECODER } from '../heif-decoder.js';

export interface RawPicture {
  rgba: Uint8Array;
  size: { width: number; height: number };
}

const MAX_PIXELS = 64_000_000;
/** Two copies of the picture, each with four bytes per pixel. */
const BYTES_PER_PIXEL = 8;

const DAMAGED = 'The picture cannot be decoded: it is damaged or cut short.';

/** The used part of libheif, whose types declare no return types. */
interface LibHeif {
  heif_error_code: { heif_error_Ok: unknown };
  heif_colorspace: { heif_colorspace_RGB: unknown };
  heif_chroma: { heif_chroma_interleaved_RGBA: unknown };
  heif_channel: { heif_channel_interleaved: unknown };
  heif_context_alloc(): object | null;
  heif_context_read_from_memory(context: object, bytes: Uint8Array): { code: unknown };
  heif_js_context_get_primary_image_handle(context: object): Handle | undefined;
  heif_image_handle_get_width(handle: Handle): number;
  heif_image_handle_get_height(handle: Handle): number;
  heif_js_decode_image2(handle: Handle, colours: unknown, chroma: unknown): Promise<Decoded> | Decoded;
}

interface Handle {
  code?: unknown;
}

interface Decoded extends Handle {
  channels?: { id: unknown; width: number; height: number; stride: number; data: Uint8Array }[];
}

/** Decodes the primary picture of a HEIC or HEIF file, upright, or returns the reason why it cannot. */
export async function decodeHeif(bytes: Uint8Array, maxBytes: number): Promise<RawPicture | string> {
  try {
    // Each picture gets a new instance, so that its memory is released afterwards.
    const create = createRequire(import.meta.url)(HEIF_DECODER) as (settings: object) => LibHeif;
    const lib = create({ print: () => {}, printErr: () => {} });
    return await decodePrimary(lib, { bytes, maxBytes });
  } catch {
    return DAMAGED; // for any error of the decoder
  }
}

async function decodePrimary(
  lib: LibHeif,
  { bytes, maxBytes }: { bytes: Uint8Array; maxBytes: number },
): Promise<RawPicture | string> {
  const context = lib.heif_context_alloc();
  if (context === null) throw new Error('libheif has no memory');
  if (lib.heif_context_read_from_memory(context, bytes).code !== lib.heif_error_code.heif_error_Ok)
    return DAMAGED;
  const handle = lib.heif_js_context_get_primary_image_handle(context);
  if (handle === undefined || handle === null || handle.code !== undefined) return DAMAGED;
  const [width, height] = [lib.heif_image_handle_get_width(handle), lib.heif_image_handle_get_height(handle)];
  if (width * height > MAX_PIXELS) return 'The picture declares more than 64 million pixels.';
  const needed = width * height * BYTES_PER_PIXEL;
  if (needed > maxBytes)
    return `Decoding the picture takes ${needed} bytes of memory; MAX_PICTURE_BYTES allows ${maxBytes}.`;
  const { heif_colorspace_RGB: rgb } = lib.heif_colorspace;
  const decoded = await lib.heif_js_decode_image2(handle, rgb, lib.heif_chroma.heif_chroma_interleaved_RGBA);
  const channel = decoded.channels?.find(({ id }) => id === lib.heif_channel.heif_channel_interleaved);
  return channel === undefined ? DAMAGED : withoutPadding(channel);
}

function withoutPadding({
  width,
  height,
  stride,
  data,
}: NonNullable<Decoded['channels']>[number]): RawPicture {
  const line = width * 4;
  if (stride === line) return { rgba: data, size: { width, height } };
  const rgba = new Uint8Array(line * height);
  for (let row = 0; row < height; row++)
    rgba.set(data.subarray(row * stride, row * stride + line), row * line);
  return { rgba, size: { width, height } };
}
