/**
 * Memory of a session over many large exchanges: whatever keeps exchanges keeps few bytes of them. The heap is measured
 * after a full collection, so a new place that keeps bodies is found without being named here.
 */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { ordersOnly } from '../../test/support/orders-only.ts'
import type { Session } from '../session-api/session.ts'
import { openSession } from './open-session.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Characters of the large part of each exchange. */
const large = 500_000
const exchanges = 12

/** Text of its own for each exchange: equal ones could be shared. */
const largeText = (number: number): string => `${number} `.padEnd(large, 'x')

/** Megabytes on the heap and outside it that are reachable. */
async function reachableMb(): Promise<number> {
  // Finalizers of requests and responses run between two collections.
  for (let round = 0; round < 2; round++) {
    collectGarbage()
    await setImmediate()
  }
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

interface Flow {
  readonly session: Session
  readonly call: (
    method: string,
    path: string,
    init?: { readonly body?: string; readonly headers?: Readonly<Record<string, string>> },
  ) => Promise<Response>
  /** Has one order made, whose webhook is answered with `answer`. */
  readonly order: (answer: string, status?: number) => Promise<string>
}

async function subjectFlow(): Promise<Flow> {
  let webhook = { status: 200, body: '' }
  const session = await openSession({
    listen: false,
    clock: 'stepped',
    automatic: false,
    faults: [{ fail: { operation: 'setOrderPreparing' } }],
    capabilities: { ...ordersOnly, logistics: true },
    counterparts: { 'ordering-application': { channel: 'both' } },
    subject: { role: 'software-service' },
    handler: async () => new Response(webhook.body, { status: webhook.status }),
  })
  const base = session.urls.get('ordering-application') ?? ''
  const client = { client_id: 'subject', client_secret: 'secret' }
  const issued = await session.fetch(
    new Request(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams(client) }),
  )
  const { access_token: token } = (await issued.json()) as { access_token: string }
  return {
    session,
    async call(method, path, { body, headers = {} } = {}) {
      const authorization = `Bearer ${token}`
      const all = { authorization, 'content-type': 'application/json', ...headers }
      const init = body === undefined ? { method, headers: all } : { method, headers: all, body }
      const answer = await session.fetch(new Request(`${base}${path}`, init))
      await answer.arrayBuffer()
      return answer
    },
    async order(answer, status = 200) {
      webhook = { status, body: answer }
      const made = await session.createOrder({ type: 'TAKEOUT' })
      if (!made.ok) throw new Error(made.error.message)
      await session.advance(1000)
      return made.value.orderId
    },
  }
}

/** One large exchange of each kind that something may keep. */
const flows: Readonly<Record<string, (flow: Flow, number: number) => Promise<unknown>>> = {
  'answers to webhooks of orders that nobody reads': ({ order }, number) =>
    order(largeText(number)),
  'refusals of webhooks': ({ order }, number) => order(largeText(number), 500),
  'acknowledgments of unknown events': ({ call }, number) =>
    call('POST', '/events/acknowledgment', {
      body: JSON.stringify({ eventIds: [largeText(number)] }),
    }),
  'acknowledgments that are no list': ({ call }, number) =>
    call('POST', '/events/acknowledgment', { body: JSON.stringify({ more: largeText(number) }) }),
  'requests for tokens': ({ call }, number) =>
    call('POST', '/oauth/token', {
      body: JSON.stringify({
        client_id: 'subject',
        client_secret: 'secret',
        more: largeText(number),
      }),
    }),
  'requests for tokens that are refused': ({ call }, number) =>
    call('POST', '/oauth/token', {
      body: JSON.stringify({ client_id: largeText(number), client_secret: 'secret' }),
    }),
  'calls with a rejected token': ({ call }, number) =>
    call('POST', `/orders/o-${number}/confirm`, {
      body: JSON.stringify({ more: largeText(number) }),
      headers: { authorization: `Bearer rejected-${number}` },
    }),
  'calls that are refused for good': ({ call }, number) =>
    call('POST', `/orders/o-${number}/confirm`, {
      body: JSON.stringify({ more: largeText(number) }),
      headers: { 'x-request-id': `r-${number}` },
    }),
  'calls that may be tried again': ({ call }, number) =>
    call('POST', `/orders/o-${number}/preparing`, {
      body: JSON.stringify({ more: largeText(number) }),
    }),
  'deliveries of orders of a very long name': ({ call }, number) =>
    call('POST', '/logistics/delivery', {
      body: JSON.stringify({ orderId: largeText(number) }),
    }),
  'calls of no operation': ({ call }, number) =>
    call('POST', `/nowhere/${number}`, { body: largeText(number) }),
}

test('large exchanges of any kind leave no large part behind', async () => {
  const subject = await subjectFlow()
  // What is loaded or grown once is no part of it, and the window of the traffic is full.
  for (const flow of Object.values(flows)) await flow(subject, 0)
  await subject.session.judge()
  const kept: string[] = []
  let before = await reachableMb()
  for (const [what, flow] of Object.entries(flows)) {
    for (let number = 1; number <= exchanges; number++) await flow(subject, number)
    await subject.session.judge()
    const after = await reachableMb()
    if (after - before > (exchanges * large) / 1e6 / 3)
      kept.push(`${what}: ${(after - before).toFixed(1)} MB`)
    before = after
  }
  await subject.session.close()
  expect(kept).toEqual([])
})
