/** A file to store: its bytes in `buffer`, the path of its draft, which is written first, and its final path. */
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

/** The thread's answer: an entry for each file in order, its error or undefined once it is durable. */
export type FromFileThread = (FileFault | undefined)[];
