/**
 * From the start of the process to the first screen of a recording of 600,000 exchanges, in a real terminal, with the
 * most memory until then; beside a program by hand that prints the first lines of the file.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openPty, type Pty } from '../../test/support/terminal.ts'
import { quickSizes } from '../options.ts'
import { costRatio, costSpread, rotateVariants, type RoundCosts, spreadOf } from '../ratio.ts'
import type { BenchContext, RowCheck, RowMaker } from '../row.ts'
import { writeBenchRecording } from '../synthetic-recording.ts'

const ours = 'sparring replay'
const byHand = 'by hand'
const fullSize = 600_000
const size = { columns: 120, rows: 40 }
const timeoutMs = 60_000

const linesByHand = `
  const { openSync, readSync } = require('node:fs')
  const block = Buffer.alloc(262144)
  const count = readSync(openSync(process.argv[1], 'r'), block)
  for (const line of block.toString('utf8', 0, count).split('\\n').slice(1, 30)) {
    const { _rec, response } = JSON.parse(line)
    console.log('#' + _rec.seq, _rec.op, response.status)
  }
  setInterval(() => undefined, 1000)`

const sizeOf = ({ sizes }: BenchContext): number =>
  process.env['SPARRING_BENCH_GIGABYTE'] === undefined && sizes.measured <= quickSizes.measured
    ? Math.min(50_000, sizes.measured * 10)
    : fullSize

/** The most memory of a process so far, where the system tells; in MB. */
function mostMemory(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024
  } catch {
    return undefined
  }
}

interface FirstScreen {
  readonly ms: number
  readonly mostMb: number | undefined
}

/** Starts a program and waits for a row of the recording on the screen. */
async function firstScreen(
  bench: BenchContext,
  args: readonly string[],
  then: (pty: Pty) => Promise<void> = () => Promise.resolve(),
): Promise<FirstScreen> {
  const began = performance.now()
  const pty = openPty({ file: process.execPath, args, ...size, env: { HOME: bench.folder } })
  try {
    await pty.until(/#12\b/, timeoutMs)
    const ms = performance.now() - began
    const mostMb = mostMemory(pty.pid)
    await then(pty)
    return { ms, mostMb }
  } finally {
    await pty.close()
  }
}

/** Leaves in order, so that the compile cache is written that the next start reads. */
async function quit(pty: Pty): Promise<void> {
  pty.press('q')
  await pty.exited
}

export const playerOpen: RowMaker = {
  names: ['player-open'],
  async measure(bench) {
    const count = sizeOf(bench)
    const file = join(bench.folder, 'player.rec.ndjson')
    bench.showProgress(`player-open: writing ${count} exchanges`)
    const bytes = writeBenchRecording(file, count)
    const variants = {
      [ours]: [join(bench.root, 'bin/sparring.js'), 'replay', file],
      [byHand]: ['-e', linesByHand, file],
    }
    await firstScreen(bench, variants[ours], quit)
    const rounds: RoundCosts[] = []
    const most: number[] = []
    for (let round = 0; round < bench.sizes.starts; round++) {
      bench.showProgress(`player-open: round ${round + 1}`)
      const took = new Map<string, number>()
      for (const name of rotateVariants([ours, byHand] as const, round)) {
        const { ms, mostMb } = await firstScreen(bench, variants[name])
        took.set(name, ms)
        if (name === ours && mostMb !== undefined) most.push(mostMb)
      }
      rounds.push(took)
    }
    let wholeMs = 0
    const began = performance.now()
    const whole = await firstScreen(bench, variants[ours], async (pty) => {
      await pty.until(new RegExp(`of ${count} `), timeoutMs)
      wholeMs = performance.now() - began
    })
    rmSync(file)
    const memory = most.length > 0 ? spreadOf(most).median : undefined
    const memoryCheck: RowCheck[] =
      memory === undefined
        ? []
        : [{ what: 'memory until then', value: memory, unit: 'MB', atMost: 120 }]
    const line = (what: string) => ({
      what,
      ratio: costRatio(rounds, what, byHand),
      raw: costSpread(rounds, what),
      unit: 'ms to the first screen',
    })
    return [
      {
        kind: 'measured',
        name: 'player-open',
        baseline: 'a program by hand that prints the first lines of the file; times its time',
        rounds: rounds.length,
        lines: [line(ours), line(byHand)],
        checks: [
          {
            what: 'first screen',
            value: costSpread(rounds, ours).median,
            unit: 'ms',
            atMost: 1000,
          },
          ...memoryCheck,
        ],
        details: { exchanges: count, bytes, wholeMs, firstMs: whole.ms },
      },
    ]
  },
}
