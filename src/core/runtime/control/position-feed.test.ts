import { connect } from 'node:net'
import { expect, test, onTestFinished } from 'vitest'
import { listenOnSocket } from '../../../../test/support/on-socket.ts'
import { openSession } from '../../session/open-session.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import { startControl } from './control.ts'
import { createPositionFeed, maxViewers } from './position-feed.ts'

async function started(more: { readonly viewToken?: string } = {}) {
  const session = await openSession({ clock: 'stepped', listen: false, seed: 7 })
  const control = await startControl({ session, host: '127.0.0.1', port: 0, ...more })
  onTestFinished(session.close)
  onTestFinished(control.close)
  return { session, control }
}

interface StreamEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

const eventsIn = (text: string): readonly StreamEvent[] =>
  Array.from(text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm), ([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data) as StreamEvent['data'],
  }))

/** A viewer that reads the stream; `events` grows while it is connected. */
async function view(url: string, token?: string) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const response = await fetch(`${url}/position`, {
    signal: leaving.signal,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  })
  let text = ''
  const read = async (): Promise<void> => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk
  }
  const ended = read().catch(() => undefined)
  return { response, events: () => eventsIn(text), ended, leave: () => leaving.abort() }
}

test('a viewer is greeted with the position of the session, and notified of each change', async () => {
  const { session, control } = await started()
  const { info } = await session.look({})
  const { response, events } = await view(control.url)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  // A proxy such as nginx would keep the events back until it has many.
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  await expect.poll(events).toHaveLength(1)
  expect(events()[0]).toEqual({
    event: 'hello',
    data: {
      session: response.headers.get('sparring-session'),
      version: info.version,
      access: 'control',
      seed: 7,
      facts: info.counts.facts,
      exchanges: 0,
    },
  })
  await session.createOrder()
  const { facts } = (await session.look({})).info.counts
  await expect.poll(() => events().at(-1)?.data['facts']).toBe(facts)
  await session.reset(9)
  await expect.poll(() => events().at(-1)?.data['seed']).toBe(9)
})

test('a change that is not counted is sent too: the same numbers are sent again', async () => {
  const { session, control } = await started()
  const { events } = await view(control.url)
  await expect.poll(events).toHaveLength(1)
  await session.setClock({ speed: 3 })
  await expect.poll(() => events().map(({ event }) => event)).toEqual(['hello', 'position'])
  const [hello, position] = events()
  expect(hello?.data).toMatchObject(position?.data ?? {})
})

test('the greeting says what the token of the viewer allows, and that both tokens are known', async () => {
  const { control } = await started({ viewToken: 'looks' })
  expect(control.token).toMatch(/^[\w-]{32}$/)
  for (const [token, access] of [
    ['looks', 'view'],
    [control.token ?? '', 'control'],
  ] as const) {
    const { events } = await view(control.url, token)
    await expect.poll(() => events()[0]?.data['access']).toBe(access)
  }
  expect((await view(control.url)).response.status).toBe(401)
})

test('when the session is stopped, viewers are notified, and a look is answered for a moment', async () => {
  const { session, control } = await started()
  const { events, ended } = await view(control.url)
  await expect.poll(events).toHaveLength(1)
  const closed = control.close()
  await expect.poll(() => events().at(-1)?.event).toBe('end')
  const look = await fetch(`${control.url}/look`, { method: 'POST', body: '{}' })
  expect(await look.json()).toMatchObject({ info: { seed: (await session.look({})).info.seed } })
  await Promise.all([closed, ended])
  await expect(fetch(`${control.url}/session`)).rejects.toThrow('fetch failed')
})

test('a viewer too many is refused until another one leaves', async () => {
  const { control } = await started()
  const viewers = await Promise.all(Array.from({ length: maxViewers }, () => view(control.url)))
  expect(viewers.every(({ response }) => response.status === 200)).toBe(true)
  const refused = await fetch(`${control.url}/position`)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toEqual({
    error: { code: 'UNAVAILABLE', message: `${maxViewers} viewers are there already` },
  })
  viewers[0]?.leave()
  await expect.poll(async () => (await view(control.url)).response.status).toBe(200)
})

/** A session of which only the number of facts is known. */
function counted() {
  let facts = 0
  const listeners = new Set<() => void>()
  let looked = Promise.resolve()
  const session = {
    look: async () => {
      await looked
      return { info: { version: '1.0.0', seed: 7, counts: { facts, exchanges: 0 } } }
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as Pick<SessionApi, 'look' | 'subscribe'>
  return {
    session,
    listeners,
    change: (to: number): void => {
      facts = to
      for (const listener of listeners) listener()
    },
    /** Looks are answered when this is resolved. */
    lookAfter: (pause: Promise<void>) => void (looked = pause),
  }
}

/** A feed behind a socket; `before` has the response first. */
async function feedOf(
  session: Pick<SessionApi, 'look' | 'subscribe'>,
  before: (response: Parameters<ReturnType<typeof createPositionFeed>['follow']>[0]) => void,
) {
  const closing = new AbortController()
  let changes = 0
  const feed = createPositionFeed({
    session,
    sessionId: 's',
    closing: closing.signal,
    onChange: () => changes++,
    onError: (error) => expect.unreachable(String(error)),
  })
  const server = await listenOnSocket((_, response) => {
    before(response)
    void feed.follow(response, 'view')
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write('GET /position HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  return { feed, socket, changes: () => changes, closing }
}

test('a viewer that does not read gets the newest position later, and none of those before', async () => {
  const { session, change } = counted()
  // Fills the buffers of both ends, so that nothing is left of the event after it.
  const filler = '.'.repeat(16_000_000)
  const { socket, changes } = await feedOf(session, ({ socket: theirs }) => theirs?.write(filler))
  socket.pause()
  await expect
    .poll(() => {
      change(changes() + 1)
      return changes()
    })
    .toBe(3)
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk.replaceAll('.', '')))
  socket.resume()
  await expect.poll(() => text, { timeout: 20_000 }).toContain('event: position')
  // Without the sizes of the chunks.
  const events = eventsIn(text.replaceAll(/^[\da-f]+\r\n|\r\n/gm, ''))
  expect(events.map(({ event }) => event)).toEqual(['hello', 'position'])
  expect(events[1]?.data['facts']).toBeGreaterThanOrEqual(3)
})

test('a change during the look of the greeting comes after the greeting', async () => {
  const { session, change, lookAfter, listeners } = counted()
  const looked = Promise.withResolvers<void>()
  lookAfter(looked.promise)
  const { socket, changes } = await feedOf(session, () => undefined)
  await expect.poll(() => listeners.size).toBe(1)
  lookAfter(Promise.resolve())
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  change(5)
  await expect.poll(changes).toBe(1)
  looked.resolve()
  await expect.poll(() => text).toContain('event: position')
  expect(text.indexOf('event: hello')).toBeLessThan(text.indexOf('event: position'))
  expect(text.startsWith('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream')).toBe(true)
})

test('without viewers the session is not observed, and one that left before it was greeted is none', async () => {
  const { session, listeners } = counted()
  const gone = Promise.withResolvers<void>()
  const { socket, feed } = await feedOf(session, (response) => {
    response.on('close', gone.resolve)
    const { follow } = feed
    void gone.promise.then(() => follow(response, 'view'))
  })
  await expect.poll(feed.viewers).toBe(1)
  expect(listeners.size).toBe(1)
  socket.destroy()
  await gone.promise
  await expect.poll(feed.viewers).toBe(0)
  expect(listeners.size).toBe(0)
})
