/** Values that arrive, and takers that wait for them. */
export class Queue<T> {
  #values: T[] = [];
  #takers: ((value: T) => void)[] = [];

  push(value: T): void {
    const taker = this.#takers.shift();
    if (taker) taker(value);
    else this.#values.push(value);
  }

  next(): Promise<T> {
    if (this.#values.length > 0) return Promise.resolve(this.#values.shift() as T);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  get size(): number {
    return this.#values.length;
  }
}
