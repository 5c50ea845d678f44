/**
 * Other mock servers on the nearest equivalent, GET of an order: how much more work we do for the same CPU. A missing server
 * is reported as skipped, with the command that installs it. They do less: no token, no status, no journal.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createServer, type AddressInfo } from 'node:net'
import { platform } from 'node:os'
import { callChild } from '../ipc.ts'
import { type StartedChild, startChildProgram } from '../child-processes.ts'
import type { BenchOrder } from '../documents.ts'
import { type PeerServer, peerCatalogue } from '../peers/catalogue.ts'
import { installedProgram } from '../peers/install.ts'
import { costSpread, type RoundCosts, workRatio } from '../ratio.ts'
import type { BenchContext, BenchRow, RowMaker } from '../row.ts'
import { cpuPerRequest, getOrderRequest, startBenchServer } from './server-cost.ts'

const rounds = 3
const timeoutMs = 20_000

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

const isJava = ({ program }: PeerServer): boolean => 'jar' in program

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
  const started = isJava(peer)
    ? await startChildProgram(fileURLToPath(new URL('../peers/java.ts', import.meta.url)), [
        file,
        ...args,
      ])
    : await startChildProgram(file, args, { execArgv: ['--import', probe], env })
  await waitUntilReady(`http://127.0.0.1:${port}/orders/${orders[0]?.id}`)
  return { ...started, port }
}

/** CPU per read; `divisor` divides the number of requests for slow servers. */
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
  const skipped = (because: string): BenchRow => ({ kind: 'skipped', name: peer.name, because })
  const file = installedProgram(peer)
  if (file === undefined) return skipped('not installed: npm run bench -- peers --install')
  if (isJava(peer) && platform() !== 'linux')
    return skipped('the CPU of Java is read on Linux alone')
  const orders = JSON.parse(readFileSync(bench.documents.file, 'utf8')) as BenchOrder[]
  const costs: RoundCosts[] = []
  for (let round = 0; round < rounds; round++) {
    bench.showProgress(`${peer.name}: round ${round + 1}`)
    const theirs = await startPeer(bench, peer, file)
    const theirCost = await costOfReads(
      bench,
      theirs,
      orders.map(({ id }) => id),
      // A virtual machine of Java is slow until it has compiled what it runs.
      isJava(peer) ? 1 : 5,
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
        [peer.package, theirCost],
      ]),
    )
  }
  const line = (what: string) => ({
    what,
    ratio: workRatio(costs, what, peer.package),
    raw: costSpread(costs, what),
    unit: 'CPU µs per request',
  })
  return {
    kind: 'measured',
    name: peer.name,
    baseline: `GET of a document by ${peer.package} ${peer.version}`,
    rounds,
    lines: [
      { ...line('ours'), ...(isJava(peer) ? {} : { target: { atLeast: 5 } }) },
      line(peer.package),
    ],
    details: {},
  }
}

/** The name of all these rows. */
const all = 'peers'

export const peers: RowMaker = {
  names: [all, ...peerCatalogue.map(({ name }) => name)],
  optional: true,
  async measure(bench) {
    const rows: BenchRow[] = []
    const isNamed = ({ name }: PeerServer): boolean => bench.rows.includes(name)
    const isChosen = (peer: PeerServer): boolean =>
      bench.rows.includes(all) || !peerCatalogue.some(isNamed) || isNamed(peer)
    for (const peer of peerCatalogue.filter(isChosen))
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
