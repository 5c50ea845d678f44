/** How soon the product is there: from its start to the first answer, and for help. Wall time, in turns. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { timed, watched } from '../children.ts'
import { costRatio, costSpread, type Round } from '../ratio.ts'
import type { Bench, Bound, Line, Row, RowMaker } from '../row.ts'

const patienceMs = 20_000

/** Milliseconds from the start of a program that prints its URL to the first 200 from there. */
async function untilAnswer(args: readonly string[], path: string): Promise<number> {
  const began = performance.now()
  const child = watched(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] }))
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
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
    child.kill('SIGKILL')
    await ended
  }
}

const helloText = `
  const server = require('node:http').createServer((request, response) => response.end('{}'))
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

interface Contest {
  readonly name: string
  readonly ours: string
  readonly baseline: string
  readonly target: Bound
  readonly measureOurs: () => Promise<number>
  readonly measureBaseline: () => Promise<number>
}

async function contest(bench: Bench, given: Contest): Promise<Row> {
  // The first start of each fills the caches of the disk and of the compiler.
  await given.measureOurs()
  await given.measureBaseline()
  const rounds: Round[] = []
  for (let round = 0; round < bench.sizes.starts; round++) {
    bench.say(`${given.name}: round ${round + 1}`)
    const baseline = await given.measureBaseline()
    const ours = await given.measureOurs()
    const again = await given.measureBaseline()
    rounds.push(
      new Map([
        [given.ours, ours],
        [given.baseline, baseline],
        ['again (control)', again],
      ]),
    )
  }
  const line = (what: string): Line => ({
    what,
    ratio: costRatio(rounds, what, given.baseline),
    raw: costSpread(rounds, what),
    unit: 'ms',
  })
  return {
    kind: 'measured',
    name: given.name,
    baseline: `${given.baseline}; times its time`,
    rounds: rounds.length,
    lines: [
      { ...line(given.ours), target: given.target },
      line('again (control)'),
      line(given.baseline),
    ],
    details: {},
  }
}

export const coldStart: RowMaker = {
  names: ['cold-start'],
  async measure(bench) {
    const command = join(bench.root, 'bin/sparring.js')
    const up = [command, 'up', 'ordering-application', '--port', '0', '--quiet']
    const row = await contest(bench, {
      name: 'cold-start',
      ours: 'sparring up to its first 200',
      baseline: 'node:http hello to its first 200',
      target: { atMost: 2.5 },
      measureOurs: () => untilAnswer(up, '/.well-known/protocol'),
      measureBaseline: () => untilAnswer(['-e', helloText], '/'),
    })
    return [row]
  },
}

export const help: RowMaker = {
  names: ['help'],
  async measure(bench) {
    const command = join(bench.root, 'bin/sparring.js')
    const row = await contest(bench, {
      name: 'help',
      ours: 'sparring --help',
      baseline: 'node -e 0',
      target: { atMost: 2 },
      measureOurs: () => timed(process.execPath, [command, '--help']),
      measureBaseline: () => timed(process.execPath, ['-e', '0']),
    })
    return [row]
  },
}
