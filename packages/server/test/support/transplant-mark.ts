import sharp, { type Sharp } from 'sharp';

export async function rasterOf(file: Uint8Array | Sharp) {
  const picture = file instanceof Uint8Array ? sharp(file) : file;
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { ...info, channels: 3 as const, data };
}

type Raster = Awaited<ReturnType<typeof rasterOf>>;

export const toPng = ({ data, width, height }: Raster) =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();

/** An attacker copies the watermark to another picture of the same size. */
export async function transplantMark(
  { unmarked, marked }: { unmarked: Uint8Array; marked: Uint8Array },
  target: Uint8Array | Sharp,
): Promise<Buffer> {
  const [before, after, other] = [await rasterOf(unmarked), await rasterOf(marked), await rasterOf(target)];
  const data = Buffer.from(
    other.data.map((value, at) => {
      const moved = value + 1.5 * ((after.data[at] ?? 0) - (before.data[at] ?? 0));
      return Math.max(0, Math.min(255, Math.round(moved)));
    }),
  );
  return toPng({ ...other, data });
}
