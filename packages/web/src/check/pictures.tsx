import { useEffect, useState } from 'react';
import { useProject } from '../shell/project.js';
import { check } from '../strings/check.js';

const MAX_PICTURE_BYTES = 20 * 2 ** 20;

export function OwnPicture({ file }: { file: File }) {
  const address = useAddress(file.type.startsWith('image/') ? file : undefined);
  return <Picture key={address} address={address} about={check.pictureOf(file.name)} />;
}

export function RecordedPicture({ cid }: { cid: string }) {
  const { client } = useProject();
  const [bytes, setBytes] = useState<Blob>();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const load = async () => {
      const known = await client?.resources.get(cid, { signal });
      if ((known?.size ?? Number.POSITIVE_INFINITY) > MAX_PICTURE_BYTES) return;
      const answer = await client?.resources.content(cid, { signal });
      setBytes(await answer?.blob());
    };
    load().catch(() => setBytes(undefined)); // the page then says that there is no picture
    return () => ending.abort();
  }, [cid, client]);
  const address = useAddress(bytes);
  return <Picture key={address} address={address} about={check.matches.theirs} />;
}

function Picture({ address, about }: { address: string | undefined; about: string }) {
  const [isBroken, setIsBroken] = useState(false);
  if (address === undefined || isBroken) return <div className="no-picture">{check.matches.noPicture}</div>;
  return <img className="checked-picture" src={address} alt={about} onError={() => setIsBroken(true)} />;
}

/** Returns a blob URL, and revokes it when the bytes change or the component unmounts. */
function useAddress(bytes: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (bytes === undefined) return undefined;
    const made = URL.createObjectURL(bytes);
    setAddress(made);
    return () => {
      setAddress(undefined);
      URL.revokeObjectURL(made);
    };
  }, [bytes]);
  return address;
}
