/** Content that is to be stored: its bytes in `buffer`, the draft that is written first, and its place. */
export interface FileToStore {
  draft: string;
  target: string;
  start: number;
  sizeBytes: number;
}

/** Files that are stored together. */
export interface ToFileThread {
  buffer: ArrayBuffer;
  files: FileToStore[];
}

/** The error that kept a file from being stored, as Node reports it. */
export interface FileFault {
  message: string;
  code: string | undefined;
}

/** The thread's answer: for each file, in order, what kept it from being stored; undefined once it is durable. */
export type FromFileThread = (FileFault | undefined)[];
