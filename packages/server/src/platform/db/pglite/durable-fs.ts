import fs from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface StreamOps {
  fsync?: (stream: { nfd?: number }) => number;
}
type SetAttributes = (target: unknown, attributes: { mode?: number }) => void;
interface EmscriptenModule {
  FS: {
    filesystems: {
      NODEFS: { stream_ops: StreamOps & { setattr: SetAttributes }; node_ops: { setattr: SetAttributes } };
    };
  };
}

/** Access of the group and of everybody. */
const OTHERS = 0o077;

/**
 * PGlite's directory file system with private files, and with a real fsync: PGlite itself gives its file system none
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

  /** The last message of the engine about why it cannot continue. */
  get complaint(): string | undefined {
    return this.#complaint;
  }

  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(...parameters);
    const change = ({ FS }: EmscriptenModule) => {
      const { stream_ops, node_ops } = FS.filesystems.NODEFS;
      stream_ops.fsync = ({ nfd }) => {
        if (nfd !== undefined) this.#sync(nfd);
        return 0;
      };
      keepPrivate(stream_ops);
      keepPrivate(node_ops);
    };
    const { emscriptenOpts } = result;
    emscriptenOpts.preRun = [...(emscriptenOpts.preRun ?? []), change];
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

/** Emscripten gives each new file the mode that the engine asked for, with `chmod`, whatever the umask of the process. */
function keepPrivate(operations: { setattr: SetAttributes }): void {
  const { setattr } = operations;
  operations.setattr = (target, attributes) => {
    const { mode } = attributes;
    setattr(target, mode === undefined ? attributes : { ...attributes, mode: mode & ~OTHERS });
  };
}

/** PGlite's start parameters without `-F` (no fsync); its fdatasync does nothing, so WAL is synced by fsync. */
export const DURABLE_START_PARAMS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];
