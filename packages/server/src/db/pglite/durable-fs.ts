import fs from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface StreamOps {
  fsync?: (stream: { nfd?: number }) => number;
}
interface EmscriptenModule {
  FS: { filesystems: { NODEFS: { stream_ops: StreamOps } } };
}

/**
 * PGlite's directory file system with a real fsync: PGlite itself gives its file system none
 * (electric-sql/pglite#1107), so a commit would not survive a power cut.
 * Reaches into Emscripten: pinned to one PGlite version and guarded by tests that count fsync calls and fill the disk.
 */
export class DurableNodeFS extends NodeFS {
  readonly #onFailure: (reason: string) => never;
  #complaint: string | undefined;

  /**
   * `onFailure` must end the thread: after a failed fsync nobody knows what is on the disk, and after a panic, such
   * as a full disk below the write-ahead log, the engine answers nothing any more.
   */
  constructor(directory: string, onFailure: (reason: string) => never) {
    super(directory);
    this.#onFailure = onFailure;
  }

  /** What the engine said last of why it cannot go on. */
  get complaint(): string | undefined {
    return this.#complaint;
  }

  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(...parameters);
    const giveFsync = (module: EmscriptenModule) => {
      module.FS.filesystems.NODEFS.stream_ops.fsync = ({ nfd }) => {
        if (nfd !== undefined) this.#sync(nfd);
        return 0;
      };
    };
    const { emscriptenOpts } = result;
    emscriptenOpts.preRun = [...(emscriptenOpts.preRun ?? []), giveFsync];
    emscriptenOpts.printErr = (line: string) => {
      const [, said] = /\b(?:PANIC|FATAL): +(.*)/.exec(line) ?? [];
      if (said !== undefined) this.#complaint = said;
    };
    emscriptenOpts.onAbort = () => this.#onFailure(this.#complaint ?? 'it panicked');
    return result;
  }

  #sync(handle: number): void {
    try {
      fs.fsyncSync(handle);
    } catch (error) {
      this.#onFailure(`its directory cannot be synced: ${String(error)}`);
    }
  }
}

/** PGlite's start parameters without `-F` (no fsync); its fdatasync does nothing, so WAL is synced by fsync. */
export const DURABLE_START_PARAMS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];
