import { toDisposable, type IDisposable } from './lifecycle';

export type Event<T> = (listener: (value: T) => void) => IDisposable;

/** VS Code's event shape without VS Code. A listener that throws does not keep the others from hearing. */
export class Emitter<T> implements IDisposable {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    this.listeners.add(listener);
    return toDisposable(() => this.listeners.delete(listener));
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      // Gone because of what another listener did.
      if (!this.listeners.has(listener)) {
        continue;
      }
      try {
        listener(value);
      } catch (error) {
        console.error(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
