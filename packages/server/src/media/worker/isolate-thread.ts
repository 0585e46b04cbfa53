const CONNECTIONS = ['XMLHttpRequest', 'WebSocket', 'EventSource'] as const;
const CONSOLE = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

/**
 * Removes the network and the console: a file must not cause requests, and parsers print parts of files. The result
 * returns the number of attempts to reach the network since its last call.
 */
export function isolateThread(): () => number {
  let attempts = 0;
  const refuse = () => {
    attempts += 1;
    return new Error('The media engine has no network');
  };
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, writable: false, configurable: false });
  define('fetch', () => Promise.reject(refuse()));
  for (const name of CONNECTIONS)
    define(name, function connect() {
      throw refuse();
    });
  for (const method of CONSOLE) console[method] = () => {};
  return () => {
    const counted = attempts;
    attempts = 0;
    return counted;
  };
}
