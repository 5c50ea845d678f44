/** Runs the measurements one after another: two never share the machine. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killChildren, startChild } from './child-processes.ts'
import { writeBenchDocuments } from './documents.ts'
import type { BenchOptions } from './options.ts'
import { type BenchContext, type BenchRow, noiseOf, type RowMaker, tooNoisy } from './row.ts'

/** Number of orders that every server reads from. */
const documentCount = 1000

export interface BenchObserver {
  readonly showProgress: (text: string) => void
  readonly onRow: (row: BenchRow) => void
}

/** Measures rows again where the control of one is off, and takes the calmer measurement; quick rows are measured once. */
async function measureCalmly(
  { measure }: RowMaker,
  bench: BenchContext,
): Promise<readonly BenchRow[]> {
  const first = await measure(bench)
  const noise = (rows: readonly BenchRow[]): number => Math.max(0, ...rows.map(noiseOf))
  if (bench.quick || noise(first) <= tooNoisy) return first
  const second = await measure(bench)
  return noise(second) < noise(first) ? second : first
}

/** Kills all child processes and removes all files, however the run ends. */
export async function runBench(
  options: BenchOptions,
  makers: readonly RowMaker[],
  { showProgress: say, onRow }: BenchObserver,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-bench-'))
  const clean = (): void => {
    killChildren()
    rmSync(folder, { recursive: true, force: true })
  }
  // An interruption exits the process without running `finally`.
  process.once('exit', clean)
  try {
    const documents = await writeBenchDocuments(folder, documentCount)
    const load = await startChild('./load/load.ts', {})
    const bench: BenchContext = { ...options, folder, documents, load, showProgress: say }
    for (const maker of makers) for (const row of await measureCalmly(maker, bench)) onRow(row)
    await load.stop()
  } finally {
    process.off('exit', clean)
    clean()
  }
}
