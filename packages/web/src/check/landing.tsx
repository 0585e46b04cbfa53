import { useState } from 'react';
import { sayError } from '../shell/say-error.js';
import { check } from '../strings/check.js';
import { Notice } from '../ui/notice.js';
import type { SampleName } from './samples/read-sample.js';

const text = check.landing;

const SAMPLES = [
  { sample: 'signed', look: 'day' },
  { sample: 'generated', look: 'night' },
  { sample: 'tampered', look: 'balloon' },
] as const;

/** Shown until the user chooses a file. */
export function Landing({ onFile }: { onFile: (file: File) => void }) {
  const [fault, setFault] = useState<string>();
  const open = async (sample: SampleName, name: string) => {
    setFault(undefined);
    try {
      const { readSample } = await import('./samples/read-sample.js');
      onFile(new File([readSample(sample)], name, { type: 'image/jpeg' }));
    } catch (error) {
      setFault(sayError(error));
    }
  };
  return (
    <section className="stack" aria-labelledby="samples">
      <h2 id="samples">{text.title}</h2>
      <ul className="samples">
        {SAMPLES.map(({ sample, look }) => (
          <li key={sample}>
            <button type="button" className="sample" onClick={() => open(sample, text.samples[sample].file)}>
              <Sketch look={look} />
              <strong>{text.samples[sample].name}</strong>
              <span className="quiet">{text.samples[sample].about}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="quiet">{text.notTrusted}</p>
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
      <p className="quiet">{text.formats}</p>
    </section>
  );
}

/** The sample itself loads only on a click. */
function Sketch({ look }: { look: 'day' | 'night' | 'balloon' }) {
  const [sky, hills] = look === 'night' ? ['#2a1c4d', '#8a3f8f'] : ['#bcd9ea', '#4f7f5a'];
  return (
    <svg viewBox="0 0 72 48" aria-hidden="true">
      <rect width="72" height="48" fill={sky} />
      <circle cx={look === 'night' ? 18 : 56} cy="11" r="5" fill="#fff3c4" />
      <path d="M0 30Q12 20 24 28T48 26T72 28V48H0Z" fill={hills} opacity="0.7" />
      <path d="M0 38Q14 30 28 37T52 35T72 37V48H0Z" fill={hills} />
      {look === 'balloon' ? <ellipse cx="23" cy="15" rx="6" ry="7.5" fill="#c8372d" /> : null}
    </svg>
  );
}
