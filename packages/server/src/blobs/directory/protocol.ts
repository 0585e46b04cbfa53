/** A file to store: its bytes in `buffer`, the path of its draft, and its final path. */
export interface FileToStore {
  draft: string;
  target: string;
  start: number;
  sizeBytes: number;
}

export interface ToFileThread {
  buffer: ArrayBuffer;
  files: FileToStore[];
}

/** The error that Node reports for a file. */
export interface FileFault {
  message: string;
  code: string | undefined;
}

/** The result for each file, in order: undefined when it is durable, otherwise its error. */
export type FromFileThread = (FileFault | undefined)[];
