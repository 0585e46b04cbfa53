import { useEffect, useRef } from 'react';

export function Preview({ bitmap }: { bitmap: ImageBitmap | undefined }) {
  const place = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (bitmap !== undefined) place.current?.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  if (bitmap === undefined) return null;
  return <canvas ref={place} width={bitmap.width} height={bitmap.height} className="preview" />;
}
