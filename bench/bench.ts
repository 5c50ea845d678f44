/** Runs the measurements one after another: two never share the machine. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killAll, start } from './children.ts'
import { writeDocuments } from './documents.ts'
import type { BenchOptions } from './options.ts'
import type { Bench, Row, RowMaker } from './row.ts'

/** Number of orders that every server reads from. */
const documentCount = 1000

export interface Watching {
  readonly say: (text: string) => void
  readonly onRow: (row: Row) => void
}

/** Kills all child processes and removes all files, however the run ends. */
export async function runBench(
  options: BenchOptions,
  makers: readonly RowMaker[],
  { say, onRow }: Watching,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-bench-'))
  const clean = (): void => {
    killAll()
    rmSync(folder, { recursive: true, force: true })
  }
  // An interruption exits the process without running `finally`.
  process.once('exit', clean)
  try {
    const documents = await writeDocuments(folder, documentCount)
    const load = await start('./load/load.ts', {})
    const bench: Bench = { ...options, folder, documents, load, say }
    for (const { measure } of makers) for (const row of await measure(bench)) onRow(row)
    await load.stop()
  } finally {
    process.off('exit', clean)
    clean()
  }
}
