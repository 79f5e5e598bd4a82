/** Work on one path never overlaps other work on it; different paths do not wait for each other. */
export class PathQueue {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(path: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(path) ?? Promise.resolve();
    // What came before has told its own failure to whom it belongs.
    const mine = before.catch(() => undefined).then(work);
    this.last.set(path, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(path) === mine) {
        this.last.delete(path);
      }
    }
  }
}
