import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';

const IDLE_MS = 1000;

/**
 * How long the page's main thread was busy, in milliseconds of its own processor time: what other programs do meanwhile
 * does not count. The webview's frame shares the thread with the workbench, so the messages that the workbench carries
 * to it are in the figure, and what the workbench does when nothing happens is taken out of it.
 */
export class BusyMeter {
  private idleShare = 0;

  private constructor(private readonly devtools: CDPSession) {}

  static async attach(page: Page): Promise<BusyMeter> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new BusyMeter(devtools);
  }

  /** Call while the window has nothing to do. */
  async calibrate(): Promise<void> {
    this.idleShare = 0;
    this.idleShare = (await this.during(() => delay(IDLE_MS))) / IDLE_MS;
  }

  async during(action: () => Promise<unknown>): Promise<number> {
    const before = await this.busyMs();
    const started = performance.now();
    await action();
    const elapsed = performance.now() - started;
    return (await this.busyMs()) - before - elapsed * this.idleShare;
  }

  private async busyMs(): Promise<number> {
    const { metrics } = await this.devtools.send('Performance.getMetrics');
    const metric = metrics.find(({ name }) => name === 'TaskDuration');
    if (metric === undefined) {
      throw new Error('This browser does not say how long its main thread was busy.');
    }
    return metric.value * 1000;
  }
}
