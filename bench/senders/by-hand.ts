/**
 * Baseline sender of webhooks, hand-written: creates an event, serializes, signs and sends it. Sent by node:http with
 * keep-alive, or by the built-in fetch.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { serveIpc } from '../ipc.ts'
import { type BenchOrder, createOrderSource } from '../documents.ts'
import { measureCpu } from '../servers/process-usage.ts'

export interface HandSenderOptions {
  readonly orders: string
  readonly port: number
  readonly way: 'node:http' | 'fetch'
}

const { orders: file, port, way } = JSON.parse(process.argv[2] ?? '{}') as HandSenderOptions
const nextOrder = createOrderSource(file)
const agent = new Agent({ keepAlive: true, maxSockets: 64, maxFreeSockets: 64 })
const url = `http://127.0.0.1:${port}/webhooks/orders`
const orders: BenchOrder[] = []

function headersFor(body: string, merchantId: string): Record<string, string | number> {
  return {
    accept: 'application/json',
    authorization: 'Bearer sink',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': randomUUID(),
    'x-app-id': 'subject',
    'x-app-merchantid': merchantId,
    'x-app-signature': createHmac('sha256', 'secret').update(body, 'utf8').digest('hex'),
  }
}

type Send = (body: string, headers: Record<string, string | number>) => Promise<number>

const sendByNodeHttp: Send = (body, headers) =>
  new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
    })
    request.setTimeout(10_000, () => request.destroy(new Error('no answer')))
    request.on('error', reject)
    request.end(body)
  })

const sendByFetch: Send = async (body, { 'content-length': _length, ...headers }) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body,
    signal: AbortSignal.timeout(10_000),
  })
  await response.text()
  return response.status
}

const send = way === 'fetch' ? sendByFetch : sendByNodeHttp

async function push({ id, sourceAppId, merchant }: BenchOrder): Promise<boolean> {
  const body = JSON.stringify({
    eventId: randomUUID(),
    eventType: 'PREPARATION_REQUESTED',
    orderId: id,
    createdAt: new Date().toISOString(),
    sourceAppId,
    orderURL: `http://127.0.0.1/orders/${id}`,
  })
  return (await send(body, headersFor(body, merchant.id))) === 204
}

serveIpc(
  {
    usage: measureCpu,
    create: ({ count }) => {
      for (let made = 0; made < count; made++) orders.push(nextOrder())
      return orders.map(({ id }) => id)
    },
    async send({ count, atOnce }) {
      let next = 0
      let accepted = 0
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (let index = next++; index < count; index = next++) {
            const order = orders[index % orders.length]
            if (order && (await push(order))) accepted++
          }
        }),
      )
      return { taken: accepted }
    },
    stop() {
      agent.destroy()
      return {}
    },
  },
  { port: 0, token: '' },
)
