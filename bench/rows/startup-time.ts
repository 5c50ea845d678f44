/**
 * Startup time: wall time from the start of the process to the first HTTP answer, and of `--help`; variants take turns.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { timeCommand, trackChild } from '../child-processes.ts'
import { costRatio, costSpread, rotateVariants, type RoundCosts } from '../ratio.ts'
import type { BenchContext, RatioBound, RowLine, BenchRow, RowMaker } from '../row.ts'

const timeoutMs = 20_000

/** How a program is ended: at once, or gracefully, so that it writes the caches that its next start reads. */
type EndSignal = 'SIGKILL' | 'SIGTERM'

/** Milliseconds from the start of a program that prints its URL to the first 200 from that URL. */
async function timeToFirstAnswer(
  args: readonly string[],
  path: string,
  end: EndSignal,
): Promise<number> {
  const began = performance.now()
  const child = trackChild(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] }))
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let text = ''
      child.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text.includes('\n') ? text : '')
        if (found) resolve(found[0])
      })
      child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)))
    })
    const { status } = await fetch(`${url}${path}`)
    if (status !== 200) throw new Error(`${url}${path} answers ${status}`)
    return performance.now() - began
  } finally {
    clearTimeout(timer)
    const ended =
      child.exitCode !== null || new Promise((resolve) => child.once('exit', () => resolve(true)))
    child.kill(end)
    await ended
  }
}

const helloProgram = `
  const server = require('node:http').createServer((request, response) => response.end('{}'))
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

interface Contender {
  readonly name: string
  readonly measure: (end: EndSignal) => Promise<number>
  readonly target?: RatioBound
}

const control = 'again (control)'

/** Runs all contenders in turn, several rounds; each is compared with the baseline of the same round. */
async function measureContenders(
  bench: BenchContext,
  name: string,
  ours: readonly [Contender, ...Contender[]],
  baseline: Contender,
): Promise<BenchRow> {
  const [first, ...others] = ours
  const all = [baseline, ...ours, { ...baseline, name: control }]
  // The first start fills the disk cache and the compile cache; the compile cache is written at exit.
  for (const { measure } of [baseline, ...ours]) await measure('SIGTERM')
  const rounds: RoundCosts[] = []
  for (let round = 0; round < bench.sizes.starts; round++) {
    bench.showProgress(`${name}: round ${round + 1}`)
    const took = new Map<string, number>()
    for (const each of rotateVariants(all, round))
      took.set(each.name, await each.measure('SIGKILL'))
    rounds.push(took)
  }
  const line = ({ name: what, target }: Contender): RowLine => ({
    what,
    ratio: costRatio(rounds, what, baseline.name),
    raw: costSpread(rounds, what),
    unit: 'ms',
    ...(target ? { target } : {}),
  })
  return {
    kind: 'measured',
    name,
    baseline: `${baseline.name}; times its time`,
    rounds: rounds.length,
    lines: [line(first), ...[...others, { ...baseline, name: control }, baseline].map(line)],
    details: {},
  }
}

export const coldStart: RowMaker = {
  names: ['cold-start'],
  async measure(bench) {
    const up = [join(bench.root, 'bin/sparring.js'), 'up', '--port', '0', '--quiet']
    const target = { atMost: 2.5 }
    const answer = (args: readonly string[]) => (end: EndSignal) =>
      timeToFirstAnswer([...up, ...args], '/.well-known/protocol', end)
    const row = await measureContenders(
      bench,
      'cold-start',
      [
        { name: 'sparring up', measure: answer([]), target },
        {
          name: 'sparring up --as software-service',
          measure: answer(['--as', 'software-service']),
          target,
        },
      ],
      {
        name: 'node:http hello',
        measure: (end) => timeToFirstAnswer(['-e', helloProgram], '/', end),
      },
    )
    return [row]
  },
}

export const help: RowMaker = {
  names: ['help'],
  async measure(bench) {
    const command = join(bench.root, 'bin/sparring.js')
    const row = await measureContenders(
      bench,
      'help',
      [
        {
          name: 'sparring --help',
          measure: () => timeCommand(process.execPath, [command, '--help']),
          target: { atMost: 2 },
        },
      ],
      { name: 'node -e 0', measure: () => timeCommand(process.execPath, ['-e', '0']) },
    )
    return [row]
  },
}
