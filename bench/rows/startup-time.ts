/**
 * Startup time: wall time from the start of the process to the first HTTP answer, and of `--help`; variants take turns.
 * Node compiles the program at its first start on a machine and stores that in its compile cache, so that every later start
 * is faster: the later one has the target, and the first stands beside it. The files are in the disk cache either way.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { timeCommand, trackChild } from '../child-processes.ts'
import { costRatio, costSpread, rotateVariants, type RoundCosts } from '../ratio.ts'
import type { BenchContext, RatioBound, RowLine, BenchRow, RowMaker } from '../row.ts'

const timeoutMs = 20_000

/** An environment with this folder as the place of temporary files, where the compile cache is. */
const withTemporaryFolder = (folder: string): NodeJS.ProcessEnv => {
  const { NODE_COMPILE_CACHE: _folder, ...env } = process.env
  return { ...env, TMPDIR: folder, TEMP: folder, TMP: folder }
}

/** An environment whose compile cache is empty. */
const withEmptyCache = ({ folder }: BenchContext): NodeJS.ProcessEnv =>
  withTemporaryFolder(mkdtempSync(join(folder, 'first-start-')))

/** How a program is ended: at once, or gracefully, so that it writes the caches that its next start reads. */
type EndSignal = 'SIGKILL' | 'SIGTERM'

/** Milliseconds from the start of a program that prints its URL to the first 200 from that URL. */
async function timeToFirstAnswer(
  args: readonly string[],
  path: string,
  end: EndSignal,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const began = performance.now()
  const child = trackChild(
    spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env }),
  )
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
  // Fills the disk cache and the compile cache, which is written at exit.
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
  quick: true,
  async measure(bench) {
    const up = [join(bench.root, 'bin/sparring.js'), 'up', '--port', '0', '--quiet']
    const asService = ['--as', 'software-service']
    const answer = (args: readonly string[], env: () => NodeJS.ProcessEnv) => (end: EndSignal) =>
      timeToFirstAnswer([...up, ...args], '/.well-known/protocol', end, env())
    const filled = withTemporaryFolder(bench.folder)
    const second = (name: string, args: readonly string[] = []): Contender => ({
      name,
      measure: answer(args, () => filled),
      target: { atMost: 2 },
    })
    const first = (name: string, args: readonly string[] = []): Contender => ({
      name,
      measure: answer(args, () => withEmptyCache(bench)),
    })
    const row = await measureContenders(
      bench,
      'cold-start',
      [
        second('second start (compile cache filled)'),
        second('second start, --as software-service', asService),
        first('first start (compile cache empty)'),
        first('first start, --as software-service', asService),
      ],
      {
        name: 'node:http hello',
        measure: (end) => timeToFirstAnswer(['-e', helloProgram], '/', end, filled),
      },
    )
    return [row]
  },
}

export const help: RowMaker = {
  names: ['help'],
  quick: true,
  async measure(bench) {
    const command = [join(bench.root, 'bin/sparring.js'), '--help']
    const filled = withTemporaryFolder(bench.folder)
    const time = (args: readonly string[], env = filled) => timeCommand(process.execPath, args, env)
    const row = await measureContenders(
      bench,
      'help',
      [
        {
          name: '--help (compile cache filled)',
          measure: () => time(command),
          target: { atMost: 2 },
        },
        {
          name: '--help (compile cache empty)',
          measure: () => time(command, withEmptyCache(bench)),
        },
      ],
      { name: 'node -e 0', measure: () => time(['-e', '0']) },
    )
    return [row]
  },
}
