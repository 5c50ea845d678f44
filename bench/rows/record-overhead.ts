/** Latency that the recording proxy adds: the same sequential calls to one partner, directly and through the proxy. */
import { spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { startChild, trackChild } from '../child-processes.ts'
import { costRatio, costSpread, rotateVariants, type RoundCosts, spreadOf } from '../ratio.ts'
import type { BenchContext, RowLine, RowMaker } from '../row.ts'

const direct = 'straight to the partner'
const through = 'through sparring record'
const control = 'straight again (control)'

const timeoutMs = 20_000
/** About 1000 bytes, like the order in a webhook or a read. */
const body = JSON.stringify({ orderId: 'o-1', note: 'x'.repeat(960) })

/** Starts the built proxy in front of a partner; returns its URL and how to stop it. */
async function startProxy({ root, folder }: BenchContext, partner: string) {
  const file = join(folder, 'overhead.rec.ndjson')
  const args = ['record', '--to', partner, '--as', 'software-service', '--port', '0', '-o', file]
  const child = trackChild(
    spawn(process.execPath, [join(root, 'bin/sparring.js'), ...args, '--json', '--quiet'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const found = /"ordering-application":"([^"]+)"/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`sparring record ended with ${code}`)))
  })
  clearTimeout(timer)
  return {
    url,
    stop: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

/** One call on a keep-alive connection; returns its milliseconds. */
function call(url: string, agent: Agent): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const sent = request(`${url}/v2/orders/o-1/confirm`, { method: 'POST', agent, headers })
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(performance.now() - began))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function timesOf(url: string, calls: number): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (let made = 0; made < calls; made++) times.push(await call(url, agent))
  agent.destroy()
  return times.toSorted((a, b) => a - b)
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

export const recordOverhead: RowMaker = {
  names: ['record-overhead'],
  async measure(bench) {
    const partner = await startChild('./servers/hello.ts', {})
    const partnerUrl = `http://127.0.0.1:${partner.port}`
    const proxy = await startProxy(bench, partnerUrl)
    const variants = [
      { name: direct, url: partnerUrl },
      { name: through, url: proxy.url },
      { name: control, url: partnerUrl },
    ]
    const calls = bench.sizes.webhooks
    for (const { url } of variants) await timesOf(url, calls)
    const rounds: RoundCosts[] = []
    const tailRounds: RoundCosts[] = []
    for (let round = 0; round < bench.sizes.rounds; round++) {
      const medians = new Map<string, number>()
      const tails = new Map<string, number>()
      for (const { name, url } of rotateVariants(variants, round)) {
        bench.showProgress(`record-overhead: round ${round + 1}, ${name}`)
        const sorted = await timesOf(url, calls)
        medians.set(name, percentile(sorted, 0.5))
        tails.set(name, percentile(sorted, 0.99))
      }
      rounds.push(medians)
      tailRounds.push(tails)
    }
    await proxy.stop()
    await partner.stop()
    const added = (compared: readonly RoundCosts[]): number =>
      spreadOf(compared.map((round) => (round.get(through) ?? 0) - (round.get(direct) ?? 0))).median
    const line = (what: string): RowLine => ({
      what,
      ratio: costRatio(rounds, what, direct),
      raw: costSpread(rounds, what),
      unit: 'ms at the median',
    })
    return [
      {
        kind: 'measured',
        name: 'record-overhead',
        baseline: `${direct}; times its time`,
        rounds: rounds.length,
        lines: [line(through), line(control), line(direct)],
        checks: [
          { what: 'added at the median', value: added(rounds), unit: 'ms', atMost: 1 },
          {
            what: 'added at the 99th of a hundred',
            value: added(tailRounds),
            unit: 'ms',
            atMost: 5,
          },
        ],
        details: { calls, bytes: body.length },
      },
    ]
  },
}
