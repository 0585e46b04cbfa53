// Usual alterations of sounds. Each takes samples at 44.1 kHz, and returns samples and a rate.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RATE } from './marked-sounds.mjs';
import { createNext } from './random.mjs';

const SALT = 0x73617474;

/** Alterations with codecs or other sample rates need FFmpeg. */
export const HAS_FFMPEG = spawnSync('ffmpeg', ['-version']).status === 0;

export const SOUND_ATTACKS = {
  none: { alter: (sound) => sound },
  'MP3 128 kbit/s': { target: 95, ffmpeg: true, alter: coded('mp3', ['-c:a', 'libmp3lame', '-b:a', '128k']) },
  'MP3 64 kbit/s': { ffmpeg: true, alter: coded('mp3', ['-c:a', 'libmp3lame', '-b:a', '64k']) },
  'AAC 96 kbit/s': { target: 95, ffmpeg: true, alter: coded('m4a', ['-c:a', 'aac', '-b:a', '96k']) },
  'resample to 48 kHz': { target: 95, ffmpeg: true, alter: coded('wav', ['-ar', '48000']) },
  'resample to 22.05 kHz': { target: 95, ffmpeg: true, alter: coded('wav', ['-ar', '22050']) },
  'resample to 48 kHz and back': {
    target: 95,
    ffmpeg: true,
    alter: (sound) => coded('wav', ['-ar', '44100'])(coded('wav', ['-ar', '48000'])(sound)),
  },
  'cut to 20 s': { alter: (sound, seed) => cut(sound, seed, 20) },
  'cut to 10 s': { target: 95, alter: (sound, seed) => cut(sound, seed, 10) },
  'cut to 5 s': { alter: (sound, seed) => cut(sound, seed, 5) },
  'noise at 30 dB': { target: 95, alter: (sound, seed) => addNoise(sound, seed, 30) },
  'noise at 20 dB': { alter: (sound, seed) => addNoise(sound, seed, 20) },
  'half as loud, limited to 8 bits': {
    alter: ({ samples, rate }) => ({ rate, samples: samples.map((value) => Math.round(value * 64) / 128) }),
  },
  'low-pass 4 kHz': { ffmpeg: true, alter: coded('wav', ['-af', 'lowpass=f=4000,lowpass=f=4000']) },
  'compressor, equaliser': {
    ffmpeg: true,
    alter: coded('wav', ['-af', 'acompressor=threshold=0.1:ratio=4,equalizer=f=2000:t=o:w=2:g=6']),
  },
  'social media (10 s, 48 kHz, AAC 96, MP3 128)': { ffmpeg: true, alter: shareTwice },
};

function shareTwice(sound, seed) {
  const first = coded('m4a', ['-ar', '48000', '-c:a', 'aac', '-b:a', '96k'])(cut(sound, seed, 10));
  return coded('mp3', ['-c:a', 'libmp3lame', '-b:a', '128k'])(first);
}

/** The seed selects the position of the part. */
export function cut({ samples, rate }, seed, seconds) {
  const count = Math.min(samples.length, Math.round(seconds * rate));
  const from = Math.floor(createNext(seed, SALT)() * (samples.length - count));
  return { rate, samples: samples.slice(from, from + count) };
}

/** The power of the sound is `decibels` dB above the power of the noise. */
function addNoise({ samples, rate }, seed, decibels) {
  const next = createNext(seed, SALT);
  let squares = 0;
  for (const value of samples) squares += value * value;
  const level = Math.sqrt(squares / samples.length) * 10 ** (-decibels / 20);
  const noisy = samples.map(
    (value) => value + level * Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next()),
  );
  return { rate, samples: noisy };
}

function coded(extension, options) {
  return ({ samples, rate = RATE }) => {
    const folder = mkdtempSync(join(tmpdir(), 'colophon-sounds-'));
    try {
      const [raw, file] = [join(folder, 'raw.f32'), join(folder, `coded.${extension}`)];
      writeFileSync(raw, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
      ffmpeg(['-f', 'f32le', '-ar', String(rate), '-ac', '1', '-i', raw, ...options, file]);
      const out = options.includes('-ar') ? Number(options[options.indexOf('-ar') + 1]) : rate;
      ffmpeg(['-i', file, '-f', 'f32le', '-ac', '1', '-ar', String(out), `${raw}2`]);
      const bytes = readFileSync(`${raw}2`);
      return { rate: out, samples: new Float32Array(new Uint8Array(bytes).buffer) };
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
}

function ffmpeg(options) {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...options]);
  if (status !== 0) throw new Error(`ffmpeg failed: ${stderr}`);
}
