/**
 * `sparring import` of an HTTP archive (HAR) full of secrets, redacted as it is by default, beside the same with `--raw`:
 * whole processes, with their start, the last pass and the most memory of each. Twice the archive shows that memory does
 * not grow with it.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generateOrder } from '../../src/seed-data/orders.ts'
import { createPopulation } from '../../src/seed-data/population.ts'
import { createChance } from '../../src/engine/chance.ts'
import { quickSizes } from '../options.ts'
import { costRatio, costSpread, rotateVariants, type RoundCosts, spreadOf } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'

const run = promisify(execFile)
const redacted = 'redacted'
const raw = '--raw'
const startedAt = 1_790_000_000_000

/** Entries of an archive of about 50 MB. */
const fullSize = 27_000
/** Entries for which one token is used. */
const entriesPerToken = 40

const sizeOf = ({ sizes }: BenchContext): number =>
  sizes.measured < quickSizes.measured ? sizes.exchanges : fullSize

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
const named = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

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

function entryJson(index: number, text: string): string {
  const session = Math.floor(index / entriesPerToken)
  return JSON.stringify({
    startedDateTime: new Date(startedAt + index * 20).toISOString(),
    time: 12.5,
    request: {
      method: 'GET',
      url: `https://partner.example/v2/orders/0a1b2c3d-0000-4000-8000-${String(index).padStart(12, '0')}`,
      httpVersion: 'HTTP/1.1',
      cookies: [{ name: 'sid', value: digest(`cookie ${session}`) }],
      headers: named({
        Host: 'partner.example',
        Accept: 'application/json',
        Authorization: `Bearer ${digest(`token ${session}`)}`,
        Cookie: `theme=dark; sid=${digest(`cookie ${session}`)}`,
        'User-Agent': 'node',
        'Accept-Encoding': 'gzip, deflate',
        'X-Request-Id': `request-${index}`,
      }),
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named({
        'content-type': 'application/json',
        Date: new Date(startedAt + index * 20).toUTCString(),
        'Keep-Alive': 'timeout=10',
        'X-Trace': `seen ${digest(`token ${session + 1}`)}`,
      }),
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
function writeArchive(file: string, count: number, nextBody: NextBody): number {
  const fd = openSync(file, 'w')
  let bytes = writeSync(fd, '{"log":{"version":"1.2","creator":{"name":"bench"},"entries":[\n')
  for (let index = 0; index < count; index++)
    bytes += writeSync(fd, (index === 0 ? '' : ',\n') + entryJson(index, nextBody(index)))
  bytes += writeSync(fd, '\n]}}\n')
  closeSync(fd)
  return bytes
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
    const bytes = writeArchive(file, count, await createBodies())
    writeArchive(twice, count * 2, await createBodies())
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
