/** Counts the turns of other tasks of this thread. */
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
