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

/** Permissions of the group and of others. */
const OTHERS = 0o077;

/**
 * PGlite's directory file system with private files and a real fsync. PGlite's own has none
 * (electric-sql/pglite#1107), so a commit would not survive a power failure. It uses internals of Emscripten; tests
 * that count fsync calls and fill the disk guard it, and one PGlite version is pinned.
 */
export class DurableNodeFS extends NodeFS {
  readonly #onFailure: (reason: string) => never;
  #complaint: string | undefined;

  /**
   * `onFailure` must end the thread. After a failed fsync the state of the disk is unknown. After a panic, for
   * example because of a full disk, the engine answers nothing.
   */
  constructor(directory: string, onFailure: (reason: string) => never) {
    super(directory);
    this.#onFailure = onFailure;
  }

  /** The last message of the engine before it stopped. */
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

/**
 * Removes the access of others to new files: Emscripten sets their mode with `chmod`, whatever the umask of the
 * process is.
 */
function keepPrivate(operations: { setattr: SetAttributes }): void {
  const { setattr } = operations;
  operations.setattr = (target, attributes) => {
    const { mode } = attributes;
    setattr(target, mode === undefined ? attributes : { ...attributes, mode: mode & ~OTHERS });
  };
}

/**
 * PGlite's start parameters without `-F`, which turns fsync off. Its fdatasync does nothing, so fsync syncs the
 * write-ahead log.
 */
export const DURABLE_START_PARAMS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];
