/**
 * Opening, filtering and seeking in a recording of any size, against a hand-written pass over its bytes that counts
 * line feeds. The full size of one gigabyte runs with SPARRING_BENCH_GIGABYTE=1 or without --quick. The index is bundled
 * from the sources: no built file holds it alone.
 */
import { execFile } from 'node:child_process'
import { closeSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundleProgram } from '../bundle-program.ts'
import type { RecordingOpenResult } from '../recording-opener.ts'
import { writeBenchRecording } from '../synthetic-recording.ts'
import { quickSizes } from '../options.ts'
import { costRatio, costSpread, type RoundCosts, spreadOf } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'

const ours = 'ours'
const byHand = 'by hand'
const fullSize = 600_000
const run = promisify(execFile)

const sizeOf = ({ sizes }: BenchContext): number =>
  process.env['SPARRING_BENCH_GIGABYTE'] === undefined && sizes.measured <= quickSizes.measured
    ? Math.min(50_000, sizes.measured * 10)
    : fullSize

function countByHand(file: string): number {
  const began = performance.now()
  const block = Buffer.allocUnsafe(1024 * 1024)
  const fd = openSync(file, 'r')
  let lines = 0
  for (let at = 0; ;) {
    const count = readSync(fd, block, 0, block.length, at)
    if (count === 0) break
    at += count
    const part = block.subarray(0, count)
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, end + 1)) lines++
  }
  closeSync(fd)
  return performance.now() - began
}

async function openOnce(
  opener: string,
  file: string,
  needle: string,
): Promise<RecordingOpenResult> {
  const { stdout } = await run(process.execPath, [opener, file, needle])
  return JSON.parse(stdout) as RecordingOpenResult
}

export const recordingOpen: RowMaker = {
  names: ['recording-open'],
  async measure(bench) {
    const count = sizeOf(bench)
    const file = join(bench.folder, 'open.rec.ndjson')
    bench.showProgress(`recording-open: writing ${count} exchanges`)
    const bytes = writeBenchRecording(file, count)
    const opener = await bundleProgram('./recording-opener.ts', bench.folder)
    const rounds: RoundCosts[] = []
    const results: RecordingOpenResult[] = []
    for (let round = 0; round < bench.sizes.slowRounds; round++) {
      bench.showProgress(`recording-open: round ${round + 1}`)
      const opened = await openOnce(opener, file, `request-${count}`)
      if (opened.count !== count || opened.found !== 1)
        throw new Error(`${opened.count} of ${count} exchanges, ${opened.found} found`)
      results.push(opened)
      rounds.push(
        new Map([
          [ours, opened.openMs],
          [byHand, countByHand(file)],
        ]),
      )
    }
    rmSync(file)
    const line = (what: string): RowLine => ({
      what,
      ratio: costRatio(rounds, what, byHand),
      raw: costSpread(rounds, what),
      unit: 'ms to open',
    })
    const median = (key: keyof RecordingOpenResult): number =>
      spreadOf(results.map((each) => each[key])).median
    const check = (what: string, key: keyof RecordingOpenResult, atMost: number, unit = 'ms') => ({
      what,
      value: median(key),
      unit,
      atMost,
    })
    return [
      {
        kind: 'measured',
        name: 'recording-open',
        baseline: 'a pass over its bytes by hand that counts lines; times its time',
        rounds: rounds.length,
        lines: [line(ours), line(byHand)],
        checks: [
          check('opened', 'openMs', 4000),
          check('first screen', 'firstMs', 1000),
          check('filtered by columns', 'filterMs', 4000),
          check('filtered by text', 'textMs', 4000),
          check('seek, the slowest', 'seekMs', 5),
          check('memory at most', 'mostMb', 150, 'MB'),
        ],
        details: { exchanges: count, bytes, baseMb: median('baseMb') },
      },
    ]
  },
}
