/** Functions that stop opened servers, in the order of their start. */
export type Stops = (() => Promise<unknown>)[];

/** Opens servers, each of which adds its stop to the list. When one does not start, stops those that have started. */
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
