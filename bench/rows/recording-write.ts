/**
 * Exchanges are recorded and redacted: processor time of all threads for each, against the same
 * exchanges as plain JSON lines by hand. What each way of forcing them to the disk costs, and what segments that are
 * compressed cost besides; how many come through in a second is told with it, and depends on what else runs.
 */
import { execFile } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { bundled } from '../bundled.ts'
import type { Written } from '../recording-writer.ts'
import { benchExchange } from '../recordings.ts'
import { costRatio, costSpread, rotated, type Round, spreadOf } from '../ratio.ts'
import type { Bench, Line, RowMaker } from '../row.ts'

const run = promisify(execFile)
const byHand = 'by hand'
const leastPerSecond = 20_000

const ways = [
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

async function writeOnce(args: readonly string[]): Promise<Written> {
  const { stdout } = await run(process.execPath, [...args])
  return JSON.parse(stdout) as Written
}

export const recordingWrite: RowMaker = {
  names: ['recording-write'],
  async measure(bench: Bench) {
    const count = bench.sizes.exchanges
    const writer = await bundled('./recording-writer.ts', bench.folder)
    const rounds: Round[] = []
    const seen = new Map<string, Written[]>(ways.map(({ name }) => [name, []]))
    for (let round = 0; round < bench.sizes.lifeRounds; round++) {
      const folder = mkdtempSync(join(bench.folder, 'write-'))
      const costs = new Map<string, number>()
      for (const { name, sync, ending } of rotated(ways, round)) {
        bench.say(`recording-write: round ${round + 1}, ${name}`)
        const told = await writeOnce([writer, join(folder, `${sync}${ending}`), `${count}`, sync])
        seen.get(name)?.push(told)
        costs.set(name, told.cpuMicros)
      }
      costs.set(byHand, await writeByHand(join(folder, 'hand.ndjson'), count))
      rounds.push(costs)
      rmSync(folder, { recursive: true })
    }
    const line = (what: string): Line => ({
      what,
      ratio: costRatio(rounds, what, byHand),
      raw: costSpread(rounds, what),
      unit: 'CPU µs per exchange',
    })
    const told = (name: string, of: keyof Written): number =>
      spreadOf((seen.get(name) ?? []).map((each) => each[of])).median
    const all = (of: keyof Written) =>
      Object.fromEntries(ways.map(({ name }) => [name, Math.round(told(name, of))]))
    const [timer] = ways
    return [
      {
        kind: 'measured',
        name: 'recording-write',
        baseline: 'the same as plain JSON lines by hand, not redacted; times its time',
        rounds: rounds.length,
        lines: [line(timer.name), ...[...ways.slice(1).map(({ name }) => name), byHand].map(line)],
        checks: [
          {
            what: 'an exchange, recorded and redacted',
            value: costSpread(rounds, timer.name).median,
            unit: 'CPU µs',
            atMost: 1e6 / leastPerSecond,
          },
        ],
        details: {
          exchanges: count,
          perSecond: all('perSecond'),
          mostMb: all('mostMb'),
        },
      },
    ]
  },
}
