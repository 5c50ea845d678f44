/**
 * `npm run bench`: ratios of server CPU against hand-written baselines, measured side by side on this machine. It
 * measures the built product; a row about a part that no built file holds alone bundles that part from the sources, and says
 * so. No row runs sources through a loader: that would measure the loader.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, platform, release } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runBench } from './bench.ts'
import { type BenchOptions, readBenchOptions, usageText } from './options.ts'
import { performancePage, rowJson, rowText, tableHead } from './report.ts'
import type { BenchRow } from './row.ts'
import { peerCatalogue } from './peers/catalogue.ts'
import { installPeers } from './peers/install.ts'
import { rowMakers } from './rows/catalogue.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

function parseOptions(): BenchOptions | undefined {
  try {
    return readBenchOptions(process.argv.slice(2), root)
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}

function selectMakers({ rows, peers, quick }: BenchOptions) {
  return rowMakers.filter((row) => {
    if (rows.length > 0) return row.names.some((name) => rows.includes(name))
    return quick ? row.quick : peers || !row.optional
  })
}

/** `Sparring 0.1.0, Node v24.21.0, linux 6.18, 2 × …` */
function machineText(): string {
  const processors = cpus()
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const model = processors[0]?.model.trim() || 'a processor without a name'
  return `Sparring ${version}, Node ${process.version}, ${platform()} ${release()}, ${processors.length} × ${model}`
}

async function main(chosen: BenchOptions): Promise<number> {
  if (!existsSync(join(chosen.root, 'dist/index.js'))) {
    process.stderr.write(`bench: ${chosen.root} is not built. Run \`npm run build\` first.\n`)
    return 2
  }
  const makers = selectMakers(chosen)
  if (makers.length === 0) {
    const known = rowMakers.flatMap(({ names }) => names).join(', ')
    process.stderr.write(`bench: there is no row ${chosen.rows.join(', ')}. Rows: ${known}.\n`)
    return 2
  }
  if (chosen.install) installPeers(peerCatalogue)
  const tty = process.stderr.isTTY
  const began = performance.now()
  const rows: BenchRow[] = []
  if (!chosen.json) process.stdout.write(`${tableHead}\n`)
  await runBench(chosen, makers, {
    showProgress: (text) => {
      if (tty) process.stderr.write(`\r\u001B[K${text}`)
    },
    onRow: (row) => {
      rows.push(row)
      if (tty) process.stderr.write('\r\u001B[K')
      process.stdout.write(`${chosen.json ? rowJson(row) : `${rowText(row)}\n`}\n`)
    },
  })
  if (chosen.page !== undefined) writeFileSync(chosen.page, performancePage(rows, machineText()))
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  process.stderr.write(`bench: ${seconds} s, Node ${process.version}\n`)
  return 0
}

/** The bench of exploration counts schedules, not time: it has options and a table of its own. */
async function runExplore(argv: readonly string[]): Promise<number> {
  const { runExploreBench } = await import('./explore/explore-bench.ts')
  try {
    return await runExploreBench(argv)
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}

/** The bench of certification measures seconds of real time. */
async function runCertify(argv: readonly string[]): Promise<number> {
  const { runCertifyBench } = await import('./certify/certify-bench.ts')
  try {
    return await runCertifyBench(argv)
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}

/** Benches with a table and options of their own. */
const otherBenches = new Map([
  ['explore', runExplore],
  ['certify', runCertify],
])

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(130))

const [first, ...others] = process.argv.slice(2)
const otherBench = otherBenches.get(first ?? '')
const chosen = otherBench ? undefined : parseOptions()
if (otherBench) process.exitCode = await otherBench(others)
else if (chosen) process.exitCode = await main(chosen)
else {
  process.stderr.write(usageText)
  process.exitCode = process.argv.some((each) => each === '--help' || each === '-h') ? 0 : 2
}
