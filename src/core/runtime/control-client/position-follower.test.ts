import type { ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { type OnSocket, listenOnSocket } from '../../../../test/support/on-socket.ts'
import { createControlClient } from './control-client.ts'
import { followPosition, type PositionFollowerOptions } from './position-follower.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of open.splice(0).toReversed()) await close()
})

const hello = { session: 's', version: '1.0.0', access: 'view', seed: 7, facts: 3, exchanges: 1 }
const eventText = (event: string, data: object): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

type Connection = (response: ServerResponse) => void

/** A server that treats each connection by its own script, and those after the last one by that. */
async function server(...connections: readonly Connection[]) {
  let count = 0
  const started = await listenOnSocket((_, response) => {
    const connection = connections[Math.min(count++, connections.length - 1)]
    connection?.(response)
  })
  open.push(() => started[Symbol.asyncDispose]())
  return { ...started, connections: () => count }
}

/** Everything that a follower tells, in order. */
function follow({ url }: Pick<OnSocket, 'url'>, more: Partial<PositionFollowerOptions> = {}) {
  const reported: unknown[] = []
  const pauses: number[] = []
  const stopping = new AbortController()
  open.push(() => stopping.abort())
  const ended = followPosition({
    client: createControlClient({ url }),
    signal: stopping.signal,
    firstRetryMs: 10,
    maxRetryMs: 40,
    onGreeting: ({ facts }) => reported.push(['hello', facts]),
    onPosition: ({ facts }) => reported.push(['position', facts]),
    onEnd: () => reported.push('end'),
    onLost(because, retryMs) {
      reported.push(because)
      pauses.push(retryMs)
    },
    ...more,
  })
  return { reported, pauses, ended, stop: () => stopping.abort() }
}

test('greeting, positions and the end are reported as they come, in whatever parts they come', async () => {
  const text = `retry: 1000\n\n${eventText('hello', hello)}: still here\n\n${eventText('position', { facts: 4 })}${eventText('end', {})}`
  const each = await server((response) => {
    response.write(text.slice(0, 31))
    setImmediate(() => response.end(text.slice(31)))
  })
  const { reported, stop, ended } = follow(each)
  await expect.poll(() => reported.length).toBeGreaterThanOrEqual(4)
  stop()
  await ended
  expect(reported.slice(0, 4)).toEqual([
    ['hello', 3],
    ['position', 4],
    'end',
    'the session was stopped',
  ])
})

test('the pause before each new attempt grows up to a limit, and begins anew after a greeting', async () => {
  const refuse: Connection = (response) => response.writeHead(503).end()
  const each = await server(
    refuse,
    refuse,
    refuse,
    refuse,
    (response) => response.end(eventText('hello', hello)),
    refuse,
  )
  const { reported, pauses, stop } = follow(each)
  await expect.poll(() => pauses.length).toBeGreaterThanOrEqual(6)
  stop()
  expect(pauses.slice(0, 6)).toEqual([10, 20, 40, 40, 10, 20])
  expect(reported.slice(3, 6)).toEqual([
    'it has too many viewers',
    ['hello', 3],
    'the connection was closed',
  ])
})

test('a connection on which nothing came for 45 s counts as broken; a sign of life is enough', async () => {
  // Sockets keep their own time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let send = (_facts: number): unknown => undefined
  const each = await server((response) => {
    response.write(eventText('hello', hello))
    send = (facts) => response.write(eventText('position', { facts }))
  })
  const { reported } = follow(each)
  await expect.poll(() => reported).toEqual([['hello', 3]])
  for (const facts of [4, 5, 6]) {
    vi.advanceTimersByTime(44_000)
    send(facts)
    await expect.poll(() => reported.at(-1)).toEqual(['position', facts])
  }
  expect(reported).toHaveLength(4)
  vi.advanceTimersByTime(45_000)
  await expect.poll(() => reported[4]).toBe('nothing came for 45 s')
  await expect.poll(() => each.connections()).toBeGreaterThan(1)
})

test.each<[what: string, connection: Connection, because: RegExp]>([
  ['a refused token', (response) => response.writeHead(401).end(), /^it asks for another token$/],
  ['a foreign server', (response) => response.writeHead(404).end(), /^it answered 404$/],
  [
    'a stream without events',
    (response) => response.end('.'.repeat(70_000)),
    /^what it sends is no event stream$/,
  ],
  ['a broken connection', (response) => response.destroy(), /ECONNRESET/],
  [
    'a greeting that is cut off',
    (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('event: hello\n', () => response.destroy())
    },
    /aborted|ECONNRESET/,
  ],
])('%s is reported in one phrase', async (_, connection, because) => {
  const { reported } = follow(await server(connection))
  await expect.poll(() => reported[0]).toMatch(because)
})

test('a token that a restarted session takes no more is exchanged for the one that it takes now', async () => {
  const takes = 'second'
  const { url, ...each } = await listenOnSocket((request, response) => {
    if (request.headers.authorization === `Bearer ${takes}`)
      response.write(eventText('hello', hello))
    else response.writeHead(401).end()
  })
  open.push(() => each[Symbol.asyncDispose]())
  const client = createControlClient({ url, token: 'first', freshToken: () => takes })
  const { reported } = follow({ url }, { client })
  await expect.poll(() => reported).toEqual([['hello', 3]])
})

test('with nothing listening it says so, and finds the server that is started later', async () => {
  const { url, ...each } = await listenOnSocket(() => undefined)
  await each[Symbol.asyncDispose]()
  const { reported } = follow({ url })
  await expect.poll(() => reported[0]).toBe('nothing answers there (ECONNREFUSED)')
  const later = await listenOnSocket(
    (_, response) => response.write(eventText('hello', hello)),
    Number(new URL(url).port),
  )
  open.push(() => later[Symbol.asyncDispose]())
  await expect.poll(() => reported.at(-1)).toEqual(['hello', 3])
})

test('when it is stopped nothing more is reported', async () => {
  const each = await server((response) => response.write(eventText('hello', hello)))
  const { reported, stop, ended } = follow(each)
  await expect.poll(() => reported).toEqual([['hello', 3]])
  stop()
  await ended
  expect(reported).toEqual([['hello', 3]])
})
