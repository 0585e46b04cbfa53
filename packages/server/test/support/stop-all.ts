/** The functions that stop the servers, in the order of their starts. */
export type Stops = (() => Promise<unknown>)[];

/** If `open` fails, stops the servers that it has started. `stop` stops the newest server first. */
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
