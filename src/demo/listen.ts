/**
 * A reference service on the machine's clock and a loopback socket. It listens before it works, so that its address is
 * known to a partner which has to be notified.
 */
import { machineClock, scaledClock } from './clock.ts'
import type { DefectName } from './defects.ts'
import { profiles } from './lifecycle.ts'
import { createOrderingApplication } from './ordering-application.ts'
import type { Pace } from './pace.ts'
import type { ReferenceOptions, ReferenceService } from './reference-options.ts'
import { createSoftwareService } from './software-service.ts'
import type { Credentials } from './token-cache.ts'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fetch } from './send.ts'

/** Serves a fetch-style handler on a loopback socket. */
interface ListeningServer {
  readonly port: number
  readonly close: () => Promise<void>
}

/** Maximum request body; far above any body of the protocol. */
const maxBytes = 4 * 1024 * 1024

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
  }
  return bytes <= maxBytes ? Buffer.concat(chunks) : undefined
}

function headersOf({ headers }: IncomingMessage): Headers {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) all.set(name, Array.isArray(value) ? value.join(', ') : value)
  return all
}

async function requestOf(incoming: IncomingMessage): Promise<Request | undefined> {
  const body = await bodyOf(incoming)
  if (!body) return undefined
  const { method = 'GET', url = '/', headers } = incoming
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: headersOf(incoming),
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
  })
}

/** Loopback only: it is meant for tests and experiments. */
export async function serve(handle: Fetch, port: number): Promise<ListeningServer> {
  const server = createServer((incoming, response) => {
    const respond = async (): Promise<void> => {
      // Aborted, oversized or malformed requests get 400.
      const request = await requestOf(incoming).catch(() => undefined)
      const answer = request ? await handle(request) : new Response(null, { status: 400 })
      const body = Buffer.from(await answer.arrayBuffer())
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(body)
    }
    void respond()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The roles that a reference service can play. */
export const demoRoles = ['software-service', 'ordering-application'] as const

export interface DemoServiceOptions {
  readonly as: (typeof demoRoles)[number]
  /** Base URL of the other side: the Ordering Application of a Software Service, and the other way round. */
  readonly partner: string
  /** Base URL of a Delivery Platform, which then delivers DELIVERY orders. */
  readonly platform?: string | undefined
  /** How a Software Service hears of orders. */
  readonly channel: 'polling' | 'webhook' | 'both'
  readonly defects: readonly DefectName[]
  readonly pace: Partial<Pace>
  /** Factor by which its clock runs faster. */
  readonly speed: number
  /** Number of orders that an Ordering Application places. */
  readonly orders: number
  /** Milliseconds between two of these orders. */
  readonly orderPauseMs: number
  /** File in which a Software Service remembers. */
  readonly memory?: string | undefined
  readonly credentials: Credentials
  /** The clients that may get a token from it: its partners; any client when absent. */
  readonly clients?: readonly Credentials[]
  /** Last segment of /.well-known/. */
  readonly protocol: string
  /** Receives one sentence per problem. */
  readonly complain: (sentence: string) => void
}

export interface DemoService {
  readonly url: string
  /** Begins to work; before, requests are answered with 503. */
  readonly start: (options: DemoServiceOptions) => void
  readonly stop: () => Promise<void>
}

/** Listens on a port of 127.0.0.1, a free one for 0; rejects when the port is taken. */
export async function listenAsDemo(port: number): Promise<DemoService> {
  let service: ReferenceService | undefined
  const serving = await serve(
    (request) => service?.fetch(request) ?? Promise.resolve(new Response(null, { status: 503 })),
    port,
  )
  const url = `http://127.0.0.1:${serving.port}`
  return {
    url,
    start(options) {
      service = serviceOf(options, url)
      service.start()
    },
    async stop() {
      await service?.stop()
      await serving.close()
    },
  }
}

function serviceOf(options: DemoServiceOptions, base: string): ReferenceService {
  const { as, channel, memory, speed } = options
  const clock = speed === 1 ? machineClock : scaledClock(machineClock, speed)
  const common: ReferenceOptions = { ...options, base, clock }
  if (as === 'software-service')
    return createSoftwareService({
      ...common,
      channel,
      ...(memory === undefined ? {} : { memory }),
    })
  const application = createOrderingApplication(common)
  let isRunning = true
  async function placeOrders(): Promise<void> {
    for (let number = 0; number < options.orders && isRunning; number++) {
      application.place(profiles[number % profiles.length] ?? 'DELIVERY')
      await clock.sleep(options.orderPauseMs)
    }
  }
  return {
    ...application,
    start() {
      application.start()
      void placeOrders()
    },
    async stop() {
      isRunning = false
      await application.stop()
    },
  }
}
