/** A file whose bytes are in `buffer`, from `start`. */
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

export interface FileFault {
  message: string;
  code: string | undefined;
}

/** The result for each file, in order: undefined when it is durable. */
export type FromFileThread = (FileFault | undefined)[];
