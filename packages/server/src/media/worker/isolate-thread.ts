const NETWORK = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'] as const;

/**
 * Takes the network and the console from this thread's code: parsers print what they find in files, and a file
 * must not make the service call an address. Gives the count of attempts so far.
 */
export function isolateThread(): () => number {
  let attempts = 0;
  const refuse = function refuse() {
    attempts += 1;
    throw new Error('The media engine has no network');
  };
  for (const name of NETWORK)
    Object.defineProperty(globalThis, name, { value: refuse, writable: false, configurable: false });
  for (const method of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const)
    console[method] = () => {};
  return () => attempts;
}
