/**
 * Recording and redacting exchanges: CPU of all threads per exchange, against writing the same exchanges as plain JSON
 * lines. Compares the fsync policies and compressed segments; throughput is reported too, but depends on the load of
 * the machine. The recorder is bundled from the sources: no built file holds it alone.
 */
import { execFile } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { bundleProgram } from '../bundle-program.ts'
import type { RecordingWriteResult } from '../recording-writer.ts'
import { benchExchange } from '../synthetic-recording.ts'
import { costRatio, costSpread, rotateVariants, type RoundCosts, spreadOf } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'

const run = promisify(execFile)
const byHand = 'by hand'
const minPerSecond = 20_000

const variants = [
  { name: '--fsync timer', sync: 'timer', ending: '.rec.ndjson' },
  { name: '--fsync each', sync: 'each', ending: '.rec.ndjson' },
  { name: '--fsync off', sync: 'off', ending: '.rec.ndjson' },
  { name: 'into a folder', sync: 'timer', ending: '/' },
] as const

async function writeByHand(file: string, count: number): Promise<number> {
  const began = process.cpuUsage()
  const stream = createWriteStream(file)
  for (let seq = 1; seq <= count; seq++)
    if (!stream.write(`${JSON.stringify(benchExchange(seq))}\n`)) await once(stream, 'drain')
  stream.end()
  await finished(stream)
  const { user, system } = process.cpuUsage(began)
  return (user + system) / count
}

async function writeOnce(args: readonly string[]): Promise<RecordingWriteResult> {
  const { stdout } = await run(process.execPath, [...args])
  return JSON.parse(stdout) as RecordingWriteResult
}

export const recordingWrite: RowMaker = {
  names: ['recording-write'],
  quick: true,
  async measure(bench: BenchContext) {
    const count = bench.sizes.exchanges
    const writer = await bundleProgram('./recording-writer.ts', bench.folder)
    const rounds: RoundCosts[] = []
    const results = new Map<string, RecordingWriteResult[]>(variants.map(({ name }) => [name, []]))
    for (let round = 0; round < bench.sizes.slowRounds; round++) {
      const folder = mkdtempSync(join(bench.folder, 'write-'))
      const costs = new Map<string, number>()
      for (const { name, sync, ending } of rotateVariants(variants, round)) {
        bench.showProgress(`recording-write: round ${round + 1}, ${name}`)
        const result = await writeOnce([writer, join(folder, `${sync}${ending}`), `${count}`, sync])
        results.get(name)?.push(result)
        costs.set(name, result.cpuMicros)
      }
      costs.set(byHand, await writeByHand(join(folder, 'hand.ndjson'), count))
      rounds.push(costs)
      rmSync(folder, { recursive: true })
    }
    const line = (what: string): RowLine => ({
      what,
      ratio: costRatio(rounds, what, byHand),
      raw: costSpread(rounds, what),
      unit: 'CPU µs per exchange',
    })
    const median = (name: string, key: keyof RecordingWriteResult): number =>
      spreadOf((results.get(name) ?? []).map((each) => each[key])).median
    const mediansOf = (key: keyof RecordingWriteResult) =>
      Object.fromEntries(variants.map(({ name }) => [name, Math.round(median(name, key))]))
    const [timer] = variants
    return [
      {
        kind: 'measured',
        name: 'recording-write',
        baseline: 'the same as plain JSON lines by hand, not redacted; times its time',
        rounds: rounds.length,
        lines: [
          line(timer.name),
          ...[...variants.slice(1).map(({ name }) => name), byHand].map(line),
        ],
        checks: [
          {
            what: 'an exchange, recorded and redacted',
            value: costSpread(rounds, timer.name).median,
            unit: 'CPU µs',
            atMost: 1e6 / minPerSecond,
          },
        ],
        details: {
          exchanges: count,
          perSecond: mediansOf('perSecond'),
          mostMb: mediansOf('mostMb'),
        },
      },
    ]
  },
}
