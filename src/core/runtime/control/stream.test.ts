import { compact } from '../../base/compact.ts'
import { expect, test, onTestFinished } from 'vitest'
import { startControl } from './control.ts'
import { maxStreams } from './stream.ts'
import { openSession } from '../../session/open-session.ts'

async function started() {
  const session = await openSession({ clock: 'stepped', listen: false })
  const control = await startControl({ session, host: '127.0.0.1', port: 0 })
  onTestFinished(session.close)
  onTestFinished(control.close)
  return { session, url: control.url }
}

interface Message {
  readonly id?: string
  readonly event: string
  readonly data: { readonly kind?: string; readonly seq?: number }
}

function messageOf(block: string): Message | undefined {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
  )
  const { id, event, data } = fields
  if (event === undefined || data === undefined) return undefined
  return { event, data: JSON.parse(data) as Message['data'], ...compact({ id }) }
}

interface Reading {
  readonly headers?: Record<string, string>
  readonly whenOpen?: () => Promise<unknown>
}

/** Reads messages until one matches. */
async function read(
  url: string,
  last: (message: Message) => boolean,
  { headers = {}, whenOpen }: Reading = {},
): Promise<readonly Message[]> {
  const response = await fetch(`${url}/stream`, { headers })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  await whenOpen?.()
  const messages: Message[] = []
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    messages.push(...blocks.flatMap((block) => messageOf(block) ?? []))
    if (messages.some(last)) return messages
  }
  throw new Error('the stream ended')
}

test('all changes are streamed in order, without those from before', async () => {
  const { session, url } = await started()
  await session.createOrder()
  const { info } = await session.look({})
  const messages = await read(url, ({ data }) => data.kind === 'order.moved', {
    async whenOpen() {
      const made = await session.createOrder()
      const orderId = made.ok ? made.value.orderId : ''
      await session.submit({ kind: 'order.apply', orderId, trigger: 'confirm' })
    },
  })
  const facts = messages.filter(({ event }) => event === 'fact').map(({ data }) => data)
  expect(facts[0]?.seq).toBe(info.counts.facts + 1)
  const kinds = facts.map(({ kind }) => kind)
  expect(kinds.indexOf('order.created')).toBe(0)
  expect(kinds).toContain('order.moved')
})

test('a broken stream resumes after its last event id', async () => {
  const { session, url } = await started()
  await session.createOrder()
  const { info } = await session.look({})
  const messages = await read(url, ({ data }) => data.seq === info.counts.facts, {
    headers: { 'last-event-id': '1-0' },
  })
  expect(messages[0]?.data.seq).toBe(2)
  // A reader cut off mid-batch resumes from its start: only the last event has the id.
  expect(messages.map(({ id }) => id).filter((id) => id !== undefined)).toEqual([
    `${info.counts.facts}-0`,
  ])
  expect(messages.at(-1)?.id).toBe(`${info.counts.facts}-0`)
})

test('a reader with an event id of another session gets the exchanges of this one', async () => {
  const { session, url } = await started()
  await session.fetch(
    new Request(`${session.urls.get('ordering-application')}/.well-known/protocol`),
  )
  const messages = await read(url, ({ event }) => event === 'exchange', {
    headers: { 'last-event-id': '9000-5000' },
  })
  expect(messages.find(({ event }) => event === 'exchange')?.data.seq).toBe(1)
})

test('a change that is neither a fact nor an exchange is sent as `session`', async () => {
  const { url } = await started()
  const [message] = await read(url, ({ event }) => event === 'session')
  expect(message?.data).toMatchObject({ clock: { mode: 'stepped' } })
})

test('the number of streams is limited, and a closed one makes room', async () => {
  const { url } = await started()
  const stops: AbortController[] = []
  for (let count = 0; count < maxStreams; count++) {
    const stop = new AbortController()
    stops.push(stop)
    expect((await fetch(`${url}/stream`, { signal: stop.signal })).status).toBe(200)
  }
  const refused = await fetch(`${url}/stream`)
  expect(refused.status).toBe(503)
  await refused.body?.cancel()
  for (const stop of stops) stop.abort()
  await expect
    .poll(async () => {
      const again = await fetch(`${url}/stream`)
      await again.body?.cancel()
      return again.status
    })
    .toBe(200)
})
