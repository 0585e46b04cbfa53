/** The part of the WebAssembly JavaScript Interface that this service uses. Node's own types lack it. */
declare namespace WebAssembly {
  /** Compiled code, which threads can share. */
  interface Module {
    readonly __compiled: unique symbol;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
