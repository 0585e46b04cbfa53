/** Decoded sound. */
export interface Sound {
  /** Samples per second, 8000 to 768000. */
  sampleRate: number;
  /** The samples of each channel, from -1 to 1. All channels have the same length. */
  channels: readonly Float32Array[];
}

const LOWEST_RATE = 8_000;
const HIGHEST_RATE = 768_000;

/** Throws RangeError. */
export function assertSound({ sampleRate, channels }: Sound): void {
  if (!(sampleRate >= LOWEST_RATE && sampleRate <= HIGHEST_RATE))
    throw new RangeError(`The sample rate ${sampleRate} is not from ${LOWEST_RATE} to ${HIGHEST_RATE} Hz.`);
  const lengths = new Set(channels.map(({ length }) => length));
  if (lengths.size !== 1)
    throw new RangeError(
      `The sound has ${channels.length} channels with ${lengths.size} lengths. Pass at least one channel, and channels of the same length.`,
    );
}

export function toMono({ channels }: Sound): Float32Array {
  const [first = new Float32Array()] = channels;
  if (channels.length === 1) return first;
  const mono = new Float32Array(first.length);
  for (const channel of channels) {
    for (let at = 0; at < mono.length; at++) mono[at] = (mono[at] ?? 0) + (channel[at] ?? 0);
  }
  for (let at = 0; at < mono.length; at++) mono[at] = (mono[at] ?? 0) / channels.length;
  return mono;
}
