import { useContext, useEffect, useRef, useState } from 'react';
import { type Face, ThumbnailContext } from './thumbnail-loader.js';

/** Distance from the visible part of the page. */
const MARGIN = '200px';

/** Maps the first part of a media type to the path of its icon, in a square of 24. */
const ICONS: Readonly<Record<string, string>> = {
  image: 'M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5',
  audio: 'M4 10v4M8 6v12M12 9v6M16 4v16M20 10v4',
  video: 'M3 5h18v14H3zM10 9l5 3-5 3z',
  text: 'M5 6h14M5 10h14M5 14h14M5 18h8',
};
const FILE_ICON = 'M6 3h8l4 4v14H6zM14 3v4h4';

/**
 * Loads when it becomes visible. With an empty `title`, screen readers skip it, for use beside a text with the title.
 */
export function Thumbnail(props: { cid: string; title: string; mimeType?: string | undefined }) {
  const { cid, title, mimeType } = props;
  const loader = useContext(ThumbnailContext);
  const place = useRef<HTMLSpanElement>(null);
  const [face, setFace] = useState<Face>('none');
  useEffect(() => {
    setFace('none');
    if (loader === undefined || place.current === null) return undefined;
    let cancel = () => {};
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        cancel = loader.want(cid, setFace);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      cancel();
    };
  }, [cid, loader]);
  return (
    <span ref={place} className="thumbnail" aria-hidden={title === '' ? true : undefined}>
      <FaceOf face={face} title={title} mimeType={mimeType} />
    </span>
  );
}

function FaceOf({ face, title, mimeType = '' }: { face: Face; title: string; mimeType: string | undefined }) {
  if (face === 'none')
    return (
      <svg role="img" aria-label={title} viewBox="0 0 24 24" className="icon">
        <path d={ICONS[mimeType.split('/')[0] ?? ''] ?? FILE_ICON} />
      </svg>
    );
  if ('picture' in face) return <Picture blob={face.picture} title={title} />;
  return (
    <span role="img" aria-label={title} className="lines">
      {face.text}
    </span>
  );
}

function Picture({ blob, title }: { blob: Blob; title: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url === undefined ? null : <img src={url} alt={title} />;
}
