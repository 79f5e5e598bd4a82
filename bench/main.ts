import { BenchWindow } from './benchWindow';
import { costPlot } from './costPlot';
import { measureFlood } from './flood';
import { measureHostUpdate } from './hostUpdate';
import { measureIdleTimers } from './idleTimers';
import type { Measurement } from './measurement';
import { measureOpenStored } from './openStored';
import { savePlot, saveResults, table } from './report';
import { measureResponsiveness } from './responsiveness';
import { measureSnapshot } from './snapshot';
import { measureStreamCost } from './streamCost';
import { measureTurnGrowth } from './turnGrowth';

type Measure = () => Promise<readonly Measurement[]>;

const benches: Readonly<Record<string, Measure>> = {
  hostUpdate: measureHostUpdate,
  snapshot: measureSnapshot,
  streamCost: inWindow(measureStreamCost),
  turnGrowth: inWindow(measureTurnGrowth),
  flood: inWindow(measureFlood),
  openStored: inWindow(measureOpenStored),
  responsiveness: inWindow(measureResponsiveness),
  idleTimers: inWindow(measureIdleTimers),
};

void main(process.argv.slice(2));

async function main(asked: readonly string[]): Promise<void> {
  const measurements: Measurement[] = [];
  for (const name of asked.length === 0 ? Object.keys(benches) : asked) {
    const measure = benches[name];
    if (measure === undefined) {
      throw new Error(`There is no bench "${name}"; there are ${Object.keys(benches).join(', ')}.`);
    }
    console.log(`Measuring ${name} …`);
    measurements.push(...(await measure()));
  }
  saveResults(measurements);
  savePlot(costPlot(measurements));
  console.log(`\n${table(measurements)}\n\nWritten to bench/results: latest.json, cost.svg`);
}

/** A window of its own for each, so that none inherits what another has left behind. */
function inWindow(measure: (window: BenchWindow) => Promise<readonly Measurement[]>): Measure {
  return async () => {
    const window = await BenchWindow.open();
    try {
      return await measure(window);
    } finally {
      await window.close();
    }
  };
}
