/** Functions that stop opened servers, in the order of their start. */
export type Stops = (() => Promise<unknown>)[];

/**
 * Runs `open`, which starts servers and adds the stop of each to the list. If `open` fails, stops the servers that have
 * started. `stop` stops the newest server first.
 */
export async function openAll<T>(open: (stops: Stops) => Promise<T>): Promise<T & { stop(): Promise<void> }> {
  const stops: Stops = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    return Object.assign((await open(stops)) as T & object, { stop });
  } catch (error) {
    await stop();
    throw error;
  }
}
