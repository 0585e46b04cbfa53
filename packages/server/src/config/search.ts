import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import type { EmbeddingsConfig } from '../search/embed-text.js';
import { hasModelRunner, MODEL_RUNNER } from '../search/local-model.js';
import { type NeuralModel, readNeuralModel } from '../search/neural/neural-model.js';
import type { Variables } from './variables.js';

export interface SearchConfig {
  /** Time limit of a task, such as the descriptor of one content. Some kinds of task get a multiple of it. */
  timeoutMs: number;
  /** Maximum memory for the decoder of one picture. */
  maxPictureBytes: number;
  /** Maximum time that a recording waits for the search for similar content. */
  waitMs: number;
  /** With 0, the service searches in the database. */
  indexBytes: number;
  /** Callers send the vectors of these models. */
  maxModels: number;
  /** Whether the service computes and stores the ISCC of recorded content. */
  storesIscc: boolean;
  /** Path of the program that computes fingerprints of sound. */
  fpcalc: string | undefined;
  ffmpeg: string | undefined;
  pdftoppm: string | undefined;
  pdftotext: string | undefined;
  embeddings: EmbeddingsConfig | undefined;
  /** Directory of a local embedding model for text. */
  modelDirectory: string | undefined;
  /** The model that adds the watermarks of pictures. */
  watermarkModel: NeuralModel | undefined;
}

const TIMEOUT_MS = 10_000;

/** `searchPath`: the `PATH` for programs. */
export function readSearchConfig(
  read: Variables,
  searchPath: string,
): { search: SearchConfig; problems: string[] } {
  const {
    MATCH_WAIT_MS: waitMs,
    MAX_PICTURE_BYTES: maxPictureBytes,
    SEARCH_INDEX_BYTES: indexBytes,
    MAX_PROJECT_MODELS: maxModels,
    FPCALC: fpcalcPath,
    FFMPEG: ffmpegPath,
    PDFTOPPM: pdftoppmPath,
    PDFTOTEXT: pdftotextPath,
    ISCC: storesIscc,
    EMBEDDINGS_MODEL_DIR: modelDirectory,
    WATERMARK_MODEL_DIR: markDirectory,
  } = read;
  const watermarkModel = markDirectory === undefined ? undefined : readNeuralModel(markDirectory);
  const problems = [
    ...findProgramProblems('FPCALC', fpcalcPath),
    ...findProgramProblems('FFMPEG', ffmpegPath),
    ...findProgramProblems('PDFTOPPM', pdftoppmPath),
    ...findProgramProblems('PDFTOTEXT', pdftotextPath),
    ...findModelProblems(read),
    ...(typeof watermarkModel === 'string' ? [watermarkModel] : []),
  ];
  const embeddings = toEmbeddings(read);
  return {
    search: {
      timeoutMs: TIMEOUT_MS,
      maxPictureBytes,
      waitMs,
      indexBytes,
      maxModels,
      storesIscc,
      fpcalc: toProgram('fpcalc', fpcalcPath, searchPath),
      ffmpeg: toProgram('ffmpeg', ffmpegPath, searchPath),
      pdftoppm: toProgram('pdftoppm', pdftoppmPath, searchPath),
      pdftotext: toProgram('pdftotext', pdftotextPath, searchPath),
      embeddings,
      modelDirectory,
      watermarkModel: typeof watermarkModel === 'string' ? undefined : watermarkModel,
    },
    problems,
  };
}

/** `stated`: a path, `off`, or undefined. */
export function findProgramProblems(
  variable: 'FPCALC' | 'FFMPEG' | 'PDFTOPPM' | 'PDFTOTEXT',
  stated: string | undefined,
): string[] {
  if (stated === undefined || stated === 'off' || isProgram(stated)) return [];
  return [`${variable} names ${stated}, which is not a program: install it, or set ${variable}=off`];
}

/** `stated`: a path, `off`, or undefined for the program in `searchPath`. */
export function toProgram(
  name: 'fpcalc' | 'ffmpeg' | 'pdftoppm' | 'pdftotext',
  stated: string | undefined,
  searchPath: string,
): string | undefined {
  return stated === 'off' ? undefined : (stated ?? findProgram(name, searchPath));
}

function findModelProblems({ EMBEDDINGS_MODEL_DIR: directory, EMBEDDINGS_URL: url }: Variables): string[] {
  if (directory === undefined) return [];
  if (url !== undefined) return ['EMBEDDINGS_MODEL_DIR and EMBEDDINGS_URL are both set: set one of them'];
  if (!existsSync(path.join(directory, 'config.json')))
    return [
      `EMBEDDINGS_MODEL_DIR names ${directory}, which has no file config.json. Set it to the directory of a model`,
    ];
  if (hasModelRunner()) return [];
  return [`EMBEDDINGS_MODEL_DIR needs a package that is not installed: npm install ${MODEL_RUNNER}`];
}

function toEmbeddings(read: Variables): EmbeddingsConfig | undefined {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: apiKey } = read;
  return url === undefined ? undefined : { url, model, apiKey };
}

function findProgram(name: string, searchPath: string): string | undefined {
  const places = searchPath.split(path.delimiter).filter((place) => path.isAbsolute(place));
  return places.map((place) => path.join(place, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // the file is absent, or this user may not run it
  }
}
