/**
 * `sparring import` of an HTTP archive (HAR) full of secrets, redacted as it is by default, beside the same with `--raw`:
 * whole processes, with their start, the last pass and the most memory of each. Twice the archive shows that memory does
 * not grow with it.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generateOrder } from '../../src/core/partners/seed-data/orders.ts'
import { createPopulation } from '../../src/core/partners/seed-data/population.ts'
import { createChance } from '../../src/core/engine/chance.ts'
import { archivedAt, type ArchivedEntry, archivedOrderId, writeHarArchive } from '../har-archive.ts'
import { quickSizes } from '../options.ts'
import { costRatio, costSpread, rotateVariants, type RoundCosts, spreadOf } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'

const run = promisify(execFile)
const redacted = 'redacted'
const raw = '--raw=unsafe'
const startedAt = archivedAt(0).getTime()

/** Entries of an archive of about 50 MB. */
const fullSize = 27_000
/** Entries for which one token is used. */
const entriesPerToken = 40

const sizeOf = ({ sizes }: BenchContext): number =>
  sizes.measured < quickSizes.measured ? sizes.exchanges : fullSize

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
type NextBody = (index: number) => string

/** Every second body is an order with its customer; others are polls for one event. */
async function createBodies(): Promise<NextBody> {
  const chance = createChance(1, 'redacted-import')
  const population = await createPopulation({ chance, now: startedAt })
  return (index) => {
    if (index % 4 === 0)
      return JSON.stringify(
        generateOrder({ population, chance, now: startedAt, type: 'DELIVERY', lines: 3 }),
      )
    return index % 4 === 2
      ? JSON.stringify([
          { eventId: digest(`event ${index}`), eventType: 'CREATED', orderId: index },
        ])
      : ''
  }
}

function archivedEntry(index: number, text: string): ArchivedEntry {
  const session = Math.floor(index / entriesPerToken)
  const sid = digest(`cookie ${session}`)
  return {
    orderId: archivedOrderId(index),
    cookies: { sid },
    requestHeaders: {
      Host: 'partner.example',
      Accept: 'application/json',
      Authorization: `Bearer ${digest(`token ${session}`)}`,
      Cookie: `theme=dark; sid=${sid}`,
      'User-Agent': 'node',
      'Accept-Encoding': 'gzip, deflate',
      'X-Request-Id': `request-${index}`,
    },
    responseHeaders: {
      'content-type': 'application/json',
      Date: archivedAt(index).toUTCString(),
      'Keep-Alive': 'timeout=10',
      'X-Trace': `seen ${digest(`token ${session + 1}`)}`,
    },
    text,
  }
}

/** Returns the number of bytes. */
async function writeArchive(file: string, count: number): Promise<number> {
  const nextBody = await createBodies()
  return writeHarArchive(file, count, (index) => archivedEntry(index, nextBody(index)))
}

/** Prints the most memory of the process when it ends, in KiB. */
const reportMemory = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => process.stderr.write(`\\nmost ${process.resourceUsage().maxRSS}\\n`))',
)}`

interface ImportCost {
  readonly ms: number
  readonly mostMb: number
}

async function importOnce(
  { folder, root }: BenchContext,
  file: string,
  flags: readonly string[],
): Promise<ImportCost> {
  const program = join(root, 'bin/sparring.js')
  const output = join(folder, 'imported.rec.ndjson')
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder }
  const began = performance.now()
  const { stderr } = await run(
    process.execPath,
    ['--import', reportMemory, program, 'import', file, '-o', output, ...flags],
    { env },
  )
  const ms = performance.now() - began
  rmSync(output)
  return { ms, mostMb: Number(/\nmost (\d+)\n/.exec(stderr)?.[1]) / 1024 }
}

export const redactedImport: RowMaker = {
  names: ['redacted-import'],
  async measure(bench) {
    const count = sizeOf(bench)
    const file = join(bench.folder, 'secrets.har')
    const twice = join(bench.folder, 'secrets-twice.har')
    bench.showProgress(`redacted-import: writing ${count * 3} entries`)
    const bytes = await writeArchive(file, count)
    await writeArchive(twice, count * 2)
    const rounds: RoundCosts[] = []
    const most = { [redacted]: [] as number[], [raw]: [] as number[] }
    for (let round = 0; round < bench.sizes.slowRounds; round++) {
      const costs = new Map<string, number>()
      for (const variant of rotateVariants([redacted, raw] as const, round)) {
        bench.showProgress(`redacted-import: round ${round + 1}, ${variant}`)
        const { ms, mostMb } = await importOnce(bench, file, variant === raw ? [raw] : [])
        costs.set(variant, (ms * 1000) / count)
        most[variant].push(mostMb)
      }
      rounds.push(costs)
    }
    bench.showProgress('redacted-import: twice the archive')
    const larger = await importOnce(bench, twice, [])
    rmSync(file)
    rmSync(twice)
    const line = (what: string): RowLine => ({
      what,
      ratio: costRatio(rounds, what, raw),
      raw: costSpread(rounds, what),
      unit: 'µs per entry',
    })
    const memory = spreadOf(most[redacted])
    const memoryLine: RowLine = {
      what: 'its most memory',
      ratio: spreadOf(most[redacted].map((each, round) => each / (most[raw][round] ?? each))),
      raw: memory,
      unit: 'MB',
    }
    return [
      {
        kind: 'measured',
        name: 'redacted-import',
        baseline: 'the same import with --raw; times its time and its memory',
        rounds: rounds.length,
        lines: [line(redacted), line(raw), memoryLine],
        checks: [
          {
            what: 'memory for twice the archive',
            value: larger.mostMb / memory.median,
            unit: 'times that',
            atMost: 1.25,
          },
        ],
        details: {
          entries: count,
          bytes,
          entriesPerSecond: 1_000_000 / costSpread(rounds, redacted).median,
          mostMbOfTwice: larger.mostMb,
        },
      },
    ]
  },
}
