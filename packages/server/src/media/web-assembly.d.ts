/** The part of the WebAssembly JavaScript Interface that is used here; Node's own types leave it out. */
declare namespace WebAssembly {
  /** Compiled code, which threads can share. */
  interface Module {
    readonly __compiled: unique symbol;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
