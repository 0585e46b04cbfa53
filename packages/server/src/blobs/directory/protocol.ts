/** A file to store: its bytes in `buffer`, the path of its draft, and its final path. */
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

/** The error that Node reports for a file. */
export interface FileFault {
  message: string;
  code: string | undefined;
}

/** The thread's answer, in order: undefined for a durable file, its error for another. */
export type FromFileThread = (FileFault | undefined)[];
