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
 * Reaches into Emscripten: pinned to one PGlite version and guarded by a test that counts fsync calls.
 */
export class DurableNodeFS extends NodeFS {
  readonly #onFailure: (error: unknown) => never;

  /** `onFailure` must end the thread: after a failed fsync nobody knows what is on the disk. */
  constructor(directory: string, onFailure: (error: unknown) => never) {
    super(directory);
    this.#onFailure = onFailure;
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
    return result;
  }

  #sync(handle: number): void {
    try {
      fs.fsyncSync(handle);
    } catch (error) {
      this.#onFailure(error);
    }
  }
}

/** PGlite's start parameters without `-F` (no fsync); its fdatasync does nothing, so WAL is synced by fsync. */
export const DURABLE_START_PARAMS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];
