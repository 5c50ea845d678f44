/**
 * Importing an HTTP archive (HAR) entry by entry in bounded memory, against JSON.parse of the whole archive without
 * converting its entries.
 */
import { execFile } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
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

function entryJson(index: number): string {
  const id = `0a1b2c3d-0000-4000-8000-${String(index).padStart(12, '0')}`
  const text = JSON.stringify({ id, displayId: String(index), items, total: 239.4 })
  return JSON.stringify({
    startedDateTime: new Date(1_790_000_000_000 + index * 20).toISOString(),
    time: 12.5,
    request: {
      method: 'GET',
      url: `https://partner.example/v2/orders/${id}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [
        { name: 'Accept', value: 'application/json' },
        { name: 'X-Request-Id', value: `request-${index}` },
      ],
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: text.length, mimeType: 'application/json', text },
      redirectURL: '',
      headersSize: -1,
      bodySize: text.length,
    },
    cache: {},
    timings: { send: 0, wait: 12.5, receive: 0 },
  })
}

/** Returns the number of bytes. */
function writeArchive(file: string, count: number): number {
  const fd = openSync(file, 'w')
  let bytes = writeSync(fd, '{"log":{"version":"1.2","creator":{"name":"bench"},"entries":[\n')
  for (let index = 0; index < count; index++)
    bytes += writeSync(fd, (index === 0 ? '' : ',\n') + entryJson(index))
  bytes += writeSync(fd, '\n]}}\n')
  closeSync(fd)
  return bytes
}

async function readOnce(file: string, reader: string): Promise<HarReadResult> {
  const program = fileURLToPath(new URL('../har-reader.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [program, file, reader])
  return JSON.parse(stdout) as HarReadResult
}

export const harImport: RowMaker = {
  names: ['har-import'],
  async measure(bench) {
    const count = sizeOf(bench)
    const file = join(bench.folder, 'bench.har')
    bench.showProgress(`har-import: writing ${count} entries`)
    const bytes = writeArchive(file, count)
    const rounds: RoundCosts[] = []
    const results: HarReadResult[] = []
    for (let round = 0; round < bench.sizes.slowRounds; round++) {
      const costs = new Map<string, number>()
      for (const reader of rotateVariants([ours, whole], round)) {
        bench.showProgress(`har-import: round ${round + 1}, ${reader}`)
        const result = await readOnce(file, reader)
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
