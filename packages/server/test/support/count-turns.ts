/** Counts the turns that other tasks of this thread get, until `stop`. */
export function countTurns(): { readonly count: number; stop(): void } {
  let count = 0;
  let isOver = false;
  const turn = () => {
    count++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    get count() {
      return count;
    },
    stop() {
      isOver = true;
    },
  };
}
