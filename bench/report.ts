import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/repository.mjs';
import type { Measurement } from './measurement';

const results = path.join(root, 'bench', 'results');

/** The table as printed, one line per measurement. */
export function table(measurements: readonly Measurement[]): string {
  const rows = measurements.map(({ name, value, unit, comparedWith, target }) => [
    name,
    `${value.toFixed(2)} ${unit}`,
    target === undefined ? '' : `≤ ${target}`,
    verdict(value, target),
    comparedWith,
  ]);
  const lines = [['name', 'value', 'target', '', 'compared with'], ...rows];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

export function saveResults(measurements: readonly Measurement[]): void {
  mkdirSync(results, { recursive: true });
  const at = new Date().toISOString();
  const text = JSON.stringify({ at, node: process.version, measurements }, undefined, 2);
  writeFileSync(path.join(results, 'latest.json'), `${text}\n`);
}

export function savePlot(svg: string): void {
  mkdirSync(results, { recursive: true });
  writeFileSync(path.join(results, 'cost.svg'), svg);
}

function verdict(value: number, target: number | undefined): string {
  if (target === undefined) {
    return '';
  }
  return value <= target ? 'met' : 'missed';
}
