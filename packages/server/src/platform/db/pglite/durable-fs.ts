import fs from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface StreamOps {
  fsync?: (stream: { nfd?: number }) => number;
}
type SetAttributes = (target: unknown, attributes: { mode?: number }) => void;
interface NodeOps {
  setattr: SetAttributes;
  mknod: (parent: unknown, name: string, ...rest: unknown[]) => unknown;
}
interface EmscriptenFS {
  filesystems: { NODEFS: { stream_ops: StreamOps & { setattr: SetAttributes }; node_ops: NodeOps } };
  /** Finds a file in the table of known names, or on the disk. */
  lookupNode(parent: unknown, name: string): unknown;
  /** Removes a file from the table of known names. */
  destroyNode(node: unknown): void;
}
interface EmscriptenModule {
  FS: EmscriptenFS;
}

const OTHERS = 0o077;

/**
 * PGlite's directory file system with private files and a real fsync. PGlite itself does not sync
 * (electric-sql/pglite#1107), so a power failure can lose its commits. The class uses internals of Emscripten, so the
 * version of PGlite is pinned.
 */
export class DurableNodeFS extends NodeFS {
  readonly #onFailure: (reason: string) => never;
  #complaint: string | undefined;

  /** `onFailure` must end the thread: the content of the disk is unknown, or the engine no longer answers. */
  constructor(directory: string, onFailure: (reason: string) => never) {
    super(directory);
    this.#onFailure = onFailure;
  }

  /** The last PANIC or FATAL message of the engine. */
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
      forgetFailedFiles(node_ops, FS);
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

/** Removes the access of other users to new files. Emscripten sets modes with `chmod`, which ignores the umask. */
function keepPrivate(operations: { setattr: SetAttributes }): void {
  const { setattr } = operations;
  operations.setattr = (target, attributes) => {
    const { mode } = attributes;
    setattr(target, mode === undefined ? attributes : { ...attributes, mode: mode & ~OTHERS });
  };
}

/**
 * When the creation of a file fails, Emscripten keeps the name of the file. Without this function, every later attempt
 * fails with EEXIST.
 */
function forgetFailedFiles(operations: NodeOps, FS: EmscriptenFS): void {
  const { mknod } = operations;
  operations.mknod = (parent, name, ...rest) => {
    try {
      return mknod(parent, name, ...rest);
    } catch (error) {
      FS.destroyNode(FS.lookupNode(parent, name));
      throw error;
    }
  };
}

/** `-F` turns fsync off. fdatasync does nothing in PGlite, so fsync must sync the write-ahead log. */
export const DURABLE_START_PARAMS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];
