/** What waits, taken in turns by tenant, so that nobody waits for all that another sent. */
export class TurnQueue<Item> {
  /** In the order of the turns. */
  readonly #waiting = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(tenant: string): number {
    return this.#waiting.get(tenant)?.length ?? 0;
  }

  push(tenant: string, item: Item): void {
    const items = this.#waiting.get(tenant);
    if (items === undefined) this.#waiting.set(tenant, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** The one that `take` would give. */
  peek(): Item | undefined {
    const [items] = this.#waiting.values();
    return items?.[0];
  }

  /** The next one; its tenant has its next turn after all others. */
  take(): Item | undefined {
    const [tenant, items] = this.#waiting.entries().next().value ?? [];
    const item = items?.[0];
    if (tenant === undefined || items === undefined || item === undefined) return undefined;
    this.remove(tenant, item);
    if (this.#waiting.delete(tenant)) this.#waiting.set(tenant, items);
    return item;
  }

  remove(tenant: string, item: Item): void {
    const items = this.#waiting.get(tenant);
    const index = items?.indexOf(item) ?? -1;
    if (items === undefined || index === -1) return;
    items.splice(index, 1);
    this.#size -= 1;
    if (items.length === 0) this.#waiting.delete(tenant);
  }

  /** Takes all. */
  drain(): Item[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }
}
