/**
 * The built command with everything on, as a user starts it: `sparring up --as software-service`, with every partner, the
 * control API, the log lines of a session without a terminal, and all invariants. Only its clock is faster: couriers ride
 * for half a minute. This program starts it and serves the calls of the bench in its place: it creates orders through the
 * control API, and waits there for their effects.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startChildProgram } from '../child-processes.ts'
import { createOrderSource } from '../documents.ts'
import { callChild, serveIpc } from '../ipc.ts'
import { fetchToken } from './our-session.ts'

interface UpServerOptions {
  /** The folder that holds `dist` and `bin`. */
  readonly root: string
  readonly orders: string
  /** For what the command writes. */
  readonly folder: string
  /** Speed of the clock; by default couriers ride for half a minute. */
  readonly speed?: number
  /** Its metrics are read once a second. */
  readonly scraped?: true
  /** It exports spans, to a collector that takes everything. */
  readonly traced?: true
}

interface AgendaRow {
  readonly kind: string
}

interface ReadyFile {
  readonly control: string
  readonly counterparts: { readonly 'ordering-application': string }
}

const {
  root,
  orders: file,
  folder,
  speed = 20,
  scraped,
  traced,
} = JSON.parse(process.argv[2] ?? '{}') as UpServerOptions
const nextOrder = createOrderSource(file)
const readyPath = join(folder, `up-${process.pid}.json`)
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A collector of traces in this process, whose CPU is not measured. */
async function openSink(): Promise<string> {
  const sink = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'))
  })
  await once(sink.listen(0, '127.0.0.1'), 'listening')
  sink.unref()
  return `http://127.0.0.1:${(sink.address() as AddressInfo).port}`
}

const otlp = traced ? { OTEL_EXPORTER_OTLP_ENDPOINT: await openSink() } : {}

const command = await startChildProgram(
  join(root, 'bin/sparring.js'),
  [
    'up',
    '--as',
    'software-service',
    '--port',
    '0',
    '--speed',
    String(speed),
    '--ready-file',
    readyPath,
    ...(traced ? ['--tracing'] : []),
  ],
  {
    cwd: folder,
    execArgv: ['--import', new URL('../peers/probe.ts', import.meta.url).href],
    env: { ...process.env, ...otlp, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder },
  },
)

async function readWhenReady(): Promise<ReadyFile> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(readyPath, 'utf8')) as ReadyFile
    } catch {
      await pause(20)
    }
  }
}

const { control, counterparts } = await readWhenReady()
rmSync(readyPath, { force: true })
const url = counterparts['ordering-application']

async function ask(path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${control}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

const scrapeMs = 1000

async function scrape(): Promise<void> {
  const response = await fetch(`${control}/metrics`)
  if (!(await response.text()).includes('sparring_exchanges_total{'))
    throw new Error(`/metrics was answered ${response.status}, without exchanges`)
}

let scraping = Promise.resolve()
const scrapes = scraped
  ? setInterval(() => {
      scraping = scrape()
    }, scrapeMs)
  : undefined

async function create(count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++) {
    const { orderId } = (await ask('/orders', { order: nextOrder() })) as { orderId: string }
    ids.push(orderId)
  }
  return ids
}

/** Until no delivery is under way: an order has its last effects with its delivery. */
async function waitUntilDelivered(): Promise<object> {
  for (;;) {
    const items = (await ask('/agenda?limit=1000&background=false')) as readonly AgendaRow[]
    if (!items.some(({ kind }) => kind.startsWith('delivery.'))) return {}
    await pause(100)
  }
}

serveIpc(
  {
    usage: () => callChild(command.child, 'usage', {}),
    calm: waitUntilDelivered,
    create: ({ count }) => create(count),
    async stop() {
      clearInterval(scrapes)
      await scraping
      const exited = once(command.child, 'exit')
      command.child.kill('SIGTERM')
      await exited
      return {}
    },
  },
  { port: Number(new URL(url).port), token: await fetchToken(url), control },
)
