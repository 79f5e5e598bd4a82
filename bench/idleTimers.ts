import { setTimeout as delay } from 'node:timers/promises';
import type { BenchWindow } from './benchWindow';
import type { Measurement } from './measurement';

const WATCHED_MS = 5000;
/** What a turn leaves behind may take so long to end: an announcement, a copied mark. */
const SETTLE_MS = 3000;
/** Far apart enough that the browser does not slow it down. */
const CONTROL_MS = 100;
const FIRED = new Set(['TimerFire', 'FireAnimationFrame', 'FireIdleCallback']);

interface TraceEvent {
  readonly name: string;
  readonly args?: { readonly data?: { readonly frame?: string } };
}

/** Timers and frames of the chat that run while nobody does anything, after a turn with everything in it. */
export async function measureIdleTimers(window: BenchWindow): Promise<readonly Measurement[]> {
  await window.newSession();
  await window.turn('turn');
  await window.settled();
  await delay(SETTLE_MS);
  const fired = await countFired(window);
  // A count of nothing proves nothing unless the same way of counting sees something that is there.
  await window.chat.frame.evaluate((ms) => void setInterval(() => undefined, ms), CONTROL_MS);
  const control = await countFired(window);
  if (control < WATCHED_MS / CONTROL_MS / 2) {
    throw new Error(`Only ${control} firings of a timer that runs every ${CONTROL_MS} ms were seen.`);
  }
  return [
    {
      name: 'idleTimers',
      value: fired,
      unit: 'fired',
      comparedWith: `none: timers, frames and idle callbacks of the idle chat in ${WATCHED_MS / 1000} s`,
      target: 0,
      samples: { fired, control },
    },
  ];
}

async function countFired(window: BenchWindow): Promise<number> {
  const { page } = window.workbench;
  const browser = page.context().browser();
  const frameId = await idOfChat(window);
  await browser?.startTracing(page, { categories: ['devtools.timeline'] });
  await delay(WATCHED_MS);
  const trace = JSON.parse(String(await browser?.stopTracing())) as { traceEvents: readonly TraceEvent[] };
  return trace.traceEvents.filter(({ name, args }) => FIRED.has(name) && args?.data?.frame === frameId)
    .length;
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly name?: string };
  readonly childFrames?: readonly FrameTree[];
}

/** What VS Code calls the innermost frame of a webview, once it shows something. */
const WEBVIEW = 'active-frame';

/** By the id that the browser's own tools have for the frame. */
async function idOfChat({ workbench }: BenchWindow): Promise<string> {
  const devtools = await workbench.page.context().newCDPSession(workbench.page);
  try {
    const { frameTree } = await devtools.send('Page.getFrameTree');
    const [webview, ...others] = allFrames(frameTree).filter(({ frame }) => frame.name === WEBVIEW);
    if (webview === undefined || others.length > 0) {
      throw new Error('There is not exactly one webview.');
    }
    return webview.frame.id;
  } finally {
    await devtools.detach();
  }
}

function allFrames(tree: FrameTree): readonly FrameTree[] {
  return [tree, ...(tree.childFrames ?? []).flatMap(allFrames)];
}
