/**
 * Importing an HTTP archive (HAR) entry by entry in bounded memory, against JSON.parse of the whole archive without
 * converting its entries. The importer is bundled from the sources, to be measured without the rest of `sparring import`.
 */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundleProgram } from '../bundle-program.ts'
import { type ArchivedEntry, archivedOrderId, writeHarArchive } from '../har-archive.ts'
import type { HarReadResult } from '../har-reader.ts'
import { quickSizes } from '../options.ts'
import { costSpread, rotateVariants, type RoundCosts, spreadOf, workRatio } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'

const ours = 'ours'
const whole = 'whole'
const run = promisify(execFile)

/** Entries of an archive of 111 MB. */
const fullSize = 60_000

const sizeOf = ({ sizes }: BenchContext): number =>
  sizes.measured < quickSizes.measured ? sizes.exchanges : fullSize

const items = Array.from({ length: 7 }, (_, index) => ({
  id: `item-${index}`,
  name: 'Pizza Margherita grande com borda',
  quantity: 2,
  unitPrice: { value: 39.9, currency: 'BRL' },
}))

function archivedEntry(index: number): ArchivedEntry {
  const orderId = archivedOrderId(index)
  return {
    orderId,
    requestHeaders: { Accept: 'application/json', 'X-Request-Id': `request-${index}` },
    responseHeaders: { 'content-type': 'application/json' },
    text: JSON.stringify({ id: orderId, displayId: String(index), items, total: 239.4 }),
  }
}

async function readOnce(program: string, file: string, reader: string): Promise<HarReadResult> {
  const { stdout } = await run(process.execPath, [program, file, reader])
  return JSON.parse(stdout) as HarReadResult
}

export const harImport: RowMaker = {
  names: ['har-import'],
  async measure(bench) {
    const count = sizeOf(bench)
    const file = join(bench.folder, 'bench.har')
    bench.showProgress(`har-import: writing ${count} entries`)
    const bytes = writeHarArchive(file, count, archivedEntry)
    const program = await bundleProgram('./har-reader.ts', bench.folder)
    const rounds: RoundCosts[] = []
    const results: HarReadResult[] = []
    for (let round = 0; round < bench.sizes.slowRounds; round++) {
      const costs = new Map<string, number>()
      for (const reader of rotateVariants([ours, whole], round)) {
        bench.showProgress(`har-import: round ${round + 1}, ${reader}`)
        const result = await readOnce(program, file, reader)
        if (result.entries !== count) throw new Error(`${result.entries} of ${count} entries`)
        costs.set(reader, (result.ms * 1000) / count)
        if (reader === ours) results.push(result)
      }
      rounds.push(costs)
    }
    rmSync(file)
    const line = (what: string): RowLine => ({
      what,
      ratio: workRatio(rounds, what, whole),
      raw: costSpread(rounds, what),
      unit: 'µs per entry',
    })
    const median = (key: keyof HarReadResult): number =>
      spreadOf(results.map((each) => each[key])).median
    return [
      {
        kind: 'measured',
        name: 'har-import',
        baseline: 'the archive whole through JSON.parse, nothing made of it; times its work',
        rounds: rounds.length,
        lines: [line(ours), line(whole)],
        checks: [
          // Equals 50,000 entries a second.
          { what: 'an entry', value: costSpread(rounds, ours).median, unit: 'µs', atMost: 20 },
          { what: 'memory at most', value: median('mostMb'), unit: 'MB', atMost: 150 },
          {
            what: 'memory that reading takes',
            value: median('mostMb') - median('baseMb'),
            unit: 'MB',
            atMost: 100,
          },
        ],
        details: { entries: count, bytes, baseMb: median('baseMb') },
      },
    ]
  },
}
