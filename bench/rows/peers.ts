/**
 * Other mock servers on the nearest equivalent, GET of an order: how much more work we do for the same CPU. Nothing is
 * installed; a missing server is reported as skipped, with the command that installs it. They do less: no token, no
 * status, no journal.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { callChild } from '../ipc.ts'
import { type StartedChild, startChildProgram } from '../child-processes.ts'
import type { BenchOrder } from '../documents.ts'
import { type PeerServer, peerCatalogue } from '../peers/catalogue.ts'
import { costSpread, type RoundCosts, workRatio } from '../ratio.ts'
import type { BenchContext, BenchRow, RowMaker } from '../row.ts'
import { cpuPerRequest, getOrderRequest, startBenchServer } from './server-cost.ts'

const rounds = 3
const timeoutMs = 20_000

/** The program of a command, if npm finds it offline. */
function locate(peer: PeerServer): string | undefined {
  const find = ['exec', '--no', '--offline', `--package=${peer.package}`, '-c']
  try {
    const found = execFileSync('npm', [...find, `command -v ${peer.command}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: timeoutMs,
    })
    return realpathSync(found.trim())
  } catch {
    return undefined
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

async function waitUntilReady(url: string): Promise<void> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    if (performance.now() > end) throw new Error(`${url} answers ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function startPeer(
  bench: BenchContext,
  peer: PeerServer,
  file: string,
): Promise<StartedChild> {
  const orders = JSON.parse(readFileSync(bench.documents.file, 'utf8')) as BenchOrder[]
  const port = await freePort()
  const args = peer.prepare(bench.folder, orders, port)
  const probe = new URL('../peers/probe.ts', import.meta.url).href
  const env = { ...process.env, NODE_ENV: 'development' }
  const started = await startChildProgram(file, args, { execArgv: ['--import', probe], env })
  await waitUntilReady(`http://127.0.0.1:${port}/orders/${orders[0]?.id}`)
  return { ...started, port }
}

/** CPU per read; `part` divides the number of requests for slow servers. */
async function costOfReads(
  bench: BenchContext,
  server: StartedChild,
  ids: readonly string[],
  divisor: number,
) {
  const { warmUp, measured } = bench.sizes
  const shots = (count: number) =>
    Array.from({ length: Math.ceil(count / divisor) }, (_, index) =>
      getOrderRequest(ids[index % ids.length] ?? ''),
    )
  await cpuPerRequest(bench, server, shots(warmUp), 200)
  return cpuPerRequest(bench, server, shots(measured), 200)
}

async function measurePeer(bench: BenchContext, peer: PeerServer): Promise<BenchRow> {
  const file = locate(peer)
  if (file === undefined) {
    const because = `not installed: npm install --no-save ${peer.package}, then again with --peers`
    return { kind: 'skipped', name: peer.name, because }
  }
  const orders = JSON.parse(readFileSync(bench.documents.file, 'utf8')) as BenchOrder[]
  const costs: RoundCosts[] = []
  for (let round = 0; round < rounds; round++) {
    bench.showProgress(`${peer.name}: round ${round + 1}`)
    const theirs = await startPeer(bench, peer, file)
    const theirCost = await costOfReads(
      bench,
      theirs,
      orders.map(({ id }) => id),
      5,
    )
    await theirs.stop()
    const ours = await startBenchServer(bench, 'ours')
    const ids = await callChild(ours.child, 'create', { count: bench.documents.count })
    await callChild(ours.child, 'calm', {})
    const ourCost = await costOfReads(bench, ours, ids, 1)
    await ours.stop()
    costs.push(
      new Map([
        ['ours', ourCost],
        [peer.command, theirCost],
      ]),
    )
  }
  const line = (what: string) => ({
    what,
    ratio: workRatio(costs, what, peer.command),
    raw: costSpread(costs, what),
    unit: 'CPU µs per request',
  })
  return {
    kind: 'measured',
    name: peer.name,
    baseline: `GET of a document by ${peer.package}`,
    rounds,
    lines: [line('ours'), line(peer.command)],
    details: {},
  }
}

export const peers: RowMaker = {
  names: peerCatalogue.map(({ name }) => name),
  optional: true,
  async measure(bench) {
    const rows: BenchRow[] = []
    for (const peer of peerCatalogue)
      rows.push(
        await measurePeer(bench, peer).catch((error: unknown) => ({
          kind: 'skipped' as const,
          name: peer.name,
          because: `cannot be measured: ${error instanceof Error ? error.message : String(error)}`,
        })),
      )
    return rows
  },
}
