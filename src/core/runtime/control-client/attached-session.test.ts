// @module-tag slow
import type { ServerResponse } from 'node:http'
import { compact } from '../../base/compact.ts'
import { expect, test, onTestFinished } from 'vitest'
import { listenOnSocket } from '../../../../test/support/on-socket.ts'
import { startTcpRelay } from '../../../../test/support/tcp-relay.ts'
import type { AttachmentNotice } from '../../session-api/attachment.ts'
import type { Session } from '../../session-api/session.ts'
import { openSession } from '../../session/open-session.ts'
import { type AttachOptions, AttachedSession } from './attached-session.ts'
import { type ControlServer, startControl } from '../control/control.ts'
import { openRemoteSession } from './remote-session.ts'

async function opened(seed = 7): Promise<Session> {
  const session = await openSession({ clock: 'stepped', listen: false, seed })
  onTestFinished(session.close)
  return session
}

async function controlOf(
  session: Session,
  more: Partial<Parameters<typeof startControl>[0]> = {},
): Promise<ControlServer> {
  const control = await startControl({ session, host: '127.0.0.1', port: 0, ...more })
  onTestFinished(control.close)
  return control
}

/** An attached viewer, and the news of its connection. */
async function attach(
  { url, token }: Pick<ControlServer, 'url' | 'token'>,
  more: Partial<AttachOptions> = {},
) {
  const notices: AttachmentNotice[] = []
  let ends = 0
  const session = new AttachedSession({
    target: { url, ...compact({ token }) },
    firstRetryMs: 10,
    maxRetryMs: 40,
    onEnd: () => ends++,
    ...more,
  })
  session.subscribeToNotices((notice) => notices.push(notice))
  onTestFinished(session.close)
  await session.connected
  return { session, notices, ends: () => ends }
}

test('a look is that of the session, and says where it is attached', async () => {
  const near = await opened()
  const control = await controlOf(near)
  const { session } = await attach(control)
  await near.createOrder()
  const view = { journal: { limit: 20 }, orders: { limit: 5 }, agenda: { limit: 5 } }
  const { attached, ...snapshot } = await session.look(view)
  expect(snapshot).toEqual(JSON.parse(JSON.stringify(await near.look(view))))
  expect(attached).toEqual({
    url: control.url,
    session: expect.stringMatching(/^[\w-]{12}$/) as string,
    readOnly: false,
    notices: [],
  })
  expect(session.lostForMs()).toBeUndefined()
})

test('of two viewers in control, each sees at once what the other one changes', async () => {
  const near = await opened()
  const control = await controlOf(near)
  const [one, other] = [await attach(control), await attach(control)]
  const seen: string[] = []
  const look = async (): Promise<void> => {
    const { info } = await other.session.look({})
    seen.push(`${info.counts.orders} ${info.clock.mode} x${info.clock.speed}`)
  }
  // One that is under way when the viewer is closed fails.
  onTestFinished(other.session.subscribe(() => void look().catch(() => undefined)))
  await look()
  expect(seen).toEqual(['0 stepped x1'])
  expect((await one.session.createOrder()).ok).toBe(true)
  await expect.poll(() => seen.at(-1)).toBe('1 stepped x1')
  await one.session.setClock({ speed: 4 })
  await expect.poll(() => seen.at(-1)).toBe('1 stepped x4')
  // What a viewer has changed itself is in its next look, though looks are shared for a moment.
  const view = { orders: { limit: 5 } }
  expect((await other.session.look(view)).orders).toHaveLength(1)
  await other.session.createOrder()
  expect((await other.session.look(view)).orders).toHaveLength(2)
})

const changes: readonly (readonly [what: string, change: (session: Session) => unknown])[] = [
  ['submit', (session) => session.submit({ kind: 'agenda.undo' })],
  ['createOrder', (session) => session.createOrder()],
  ['resend', (session) => session.resend(1)],
  ['fork', (session) => session.fork(1)],
  ['judge', (session) => session.judge()],
  ['step', (session) => session.step()],
  ['setClock', (session) => session.setClock({ speed: 2 })],
  ['advance', (session) => session.advance(1000)],
  ['reset', (session) => session.reset(9)],
  ['stop', (session) => (session as unknown as { stop: () => unknown }).stop()],
]

/** The message of a refusal, or of a problem. */
async function refusalOf(change: (session: Session) => unknown, session: unknown): Promise<string> {
  try {
    const result = (await change(session as Session)) as { error?: { message: string } }
    return result.error?.message ?? 'it was done'
  } catch (error) {
    return String(error)
  }
}

test('a viewer that only looks is refused every change with a sentence, and so is one by its token', async () => {
  const near = await opened()
  let stops = 0
  const face = { ...near, stop: () => Promise.resolve(void stops++) }
  const control = await controlOf(face, { viewToken: 'looks' })
  const facts = JSON.stringify(near.facts())
  const byFlag = await attach(control, { readOnly: true })
  const byToken = await attach({ ...control, token: 'looks' })
  // The server does not leave it to the viewer.
  const remote = openRemoteSession({ url: control.url, token: 'looks' })
  for (const [what, change] of changes)
    expect([
      what,
      await refusalOf(change, byFlag.session),
      await refusalOf(change, byToken.session),
      await refusalOf(change, remote),
    ]).toEqual([
      what,
      expect.stringMatching(/this viewer only looks.*attach without --read-only/i),
      expect.stringMatching(/this token lets you look.*attach with the token of the session/i),
      expect.stringMatching(/this token lets you look at the session, not change it.*--token/),
    ])
  for (const { session } of [byFlag, byToken])
    expect((await session.look({})).attached?.readOnly).toBe(true)
  expect([JSON.stringify(near.facts()), stops]).toEqual([facts, 0])
})

test('a token for viewers reads everything and changes nothing, whatever the method', async () => {
  const control = await controlOf(await opened(), { viewToken: 'looks', token: 'all' })
  const status = async (method: string, path: string, token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${control.url}${path}`, { method, headers })
    await response.arrayBuffer()
    return response.status
  }
  for (const path of ['/session', '/orders', '/journal', '/metrics', '/openapi.json'])
    expect([path, await status('GET', path, 'looks')]).toEqual([path, 200])
  expect(await status('POST', '/look', 'looks')).toBe(200)
  for (const [method, path] of [
    ['POST', '/orders'],
    ['POST', '/clock'],
    ['POST', '/reset'],
    ['POST', '/judge'],
    ['POST', '/commands'],
    ['POST', '/agenda/step'],
    ['DELETE', '/faults'],
  ] as const)
    expect([path, await status(method, path, 'looks')]).toEqual([path, 403])
  expect(await status('POST', '/orders', 'all')).toBe(201)
  expect(await status('GET', '/session', 'look')).toBe(401)
})

/** A session behind a relay, whose connections can be cut, and a viewer of it. */
async function relayed(more: Partial<AttachOptions> = {}) {
  const near = await opened()
  const control = await controlOf(near)
  const relay = await startTcpRelay(control.url)
  onTestFinished(relay.close)
  return { near, control, relay, ...(await attach(relay, more)) }
}

const kindsOf = (notices: readonly AttachmentNotice[]) => () => notices.map(({ kind }) => kind)

test('after an interruption it says what came meanwhile, by numbers that can be looked up', async () => {
  const { near, relay, session, notices } = await relayed()
  const before = (await near.look({})).info.counts
  relay.cut()
  await expect.poll(kindsOf(notices)).toEqual(['lost'])
  expect(notices[0]?.text).toMatch(/^the connection to http:\S+ is lost: the connection was broken/)
  expect(session.lostForMs()).toBeGreaterThanOrEqual(0)
  await expect(session.look({})).rejects.toThrow(
    /^since \d\d:\d\d:\d\d, for \d+ s: the connection was broken \(ECONNRESET\); trying again$/,
  )
  await near.createOrder()
  await near.fetch(new Request(`${near.urls.get('ordering-application')}/.well-known/protocol`))
  const { counts } = (await near.look({})).info
  relay.mend()
  await expect.poll(kindsOf(notices)).toEqual(['lost', 'back'])
  const facts = counts.facts - before.facts
  expect(notices[1]?.text).toMatch(
    new RegExp(
      `^connected again after \\d+ s: ${facts} journal entries and 1 exchange came meanwhile$`,
    ),
  )
  expect((await session.look({})).attached).toMatchObject({
    notices: [{ seq: 1 }, { seq: 2 }],
    missed: {
      facts: { after: before.facts, to: counts.facts },
      exchanges: { after: 0, to: 1 },
    },
  })
  expect(session.lostForMs()).toBeUndefined()

  // What was missed is that of the last interruption.
  relay.cut()
  await expect.poll(kindsOf(notices)).toEqual(['lost', 'back', 'lost'])
  relay.mend()
  await expect.poll(() => notices[3]?.text).toMatch(/: nothing has happened meanwhile$/)
  expect((await session.look({})).attached?.missed).toBeUndefined()
})

test('a world that was reset meanwhile is said to be a fresh one', async () => {
  const { near, relay, session, notices } = await relayed()
  relay.cut()
  await expect.poll(kindsOf(notices)).toEqual(['lost'])
  await near.reset(9)
  const { facts } = (await near.look({})).info.counts
  relay.mend()
  await expect.poll(() => notices[1]?.text).toMatch(/: the world is a fresh one; /)
  expect((await session.look({})).attached?.missed?.facts).toEqual({ after: 0, to: facts })
})

test('a session that was started anew is another one, and says whether its seed is the same', async () => {
  const { control, relay, session, notices, ends } = await relayed()
  const [again, other] = [await controlOf(await opened(7)), await controlOf(await opened(9))]
  const first = (await session.look({})).attached?.session
  relay.leadTo(again.url)
  await control.close()
  await expect.poll(kindsOf(notices)).toEqual(['lost', 'restarted'])
  expect(ends()).toBe(1)
  expect(notices.map(({ text }) => text)).toEqual([
    expect.stringMatching(/: the session was stopped$/) as string,
    expect.stringMatching(/to another session: it was started anew; the seed is 7 again$/),
  ])
  relay.leadTo(other.url)
  await again.close()
  await expect.poll(() => notices[3]?.text).toMatch(/; its seed is 9, before it was 7$/)
  const { attached, info } = await session.look({})
  expect([info.seed, attached?.missed]).toEqual([9, undefined])
  expect(attached?.session).not.toBe(first)
})

test('a patient look waits for the connection; it fails when the viewer is closed', async () => {
  const { relay, session, notices } = await relayed()
  relay.cut()
  await expect.poll(kindsOf(notices)).toEqual(['lost'])
  const waiting = session.patientLook({})
  relay.mend()
  expect((await waiting).info.seed).toBe(7)
  const underWay = session.patientLook({})
  relay.cut()
  const waitingAgain = session.patientLook({})
  const ends = [underWay, waitingAgain].map((left) =>
    expect(left).rejects.toThrow(/the viewer was closed/),
  )
  session.close()
  await Promise.all(ends)
})

test('a patient look does not wait where the view itself is wrong', async () => {
  const { session } = await relayed()
  await expect(session.patientLook({ orders: { limit: -1 } })).rejects.toThrow(
    /asking the session at .* for \/look: .*limit/,
  )
})

test('a look under way when the connection is lost does not wait for its answer', async () => {
  let follower: ServerResponse | undefined
  let looks = 0
  await using server = await listenOnSocket((request, response) => {
    if (request.url !== '/position') looks++
    else if (follower) response.writeHead(503).end()
    else {
      follower = response
      response.write('event: hello\ndata: {"session":"s","facts":1,"exchanges":0,"seed":7}\n\n')
    }
  })
  const { session } = await attach(server)
  const underWay = session.look({})
  await expect.poll(() => looks).toBe(1)
  follower?.destroy()
  await expect(underWay).rejects.toThrow(/^since \S+, for \d+ s: .*; trying again$/)
})

test('a session that another version started anew is announced with its version', async () => {
  const greetings = ['{"session":"a","version":"1.0.0"', '{"session":"b","version":"1.1.0"']
  let follower: ServerResponse | undefined
  await using server = await listenOnSocket((_, response) => {
    follower = response
    const greeting = greetings.shift()
    response.write(`event: hello\ndata: ${greeting},"facts":1,"exchanges":0,"seed":7}\n\n`)
  })
  const { notices } = await attach(server)
  follower?.destroy()
  await expect
    .poll(() => notices.at(-1)?.text)
    .toMatch(/the seed is 7 again; it is Sparring 1\.1\.0, before it was 1\.0\.0: attach anew with/)
})

test('where the first connection is refused, attaching is', async () => {
  await using busy = await listenOnSocket((_, response) => response.writeHead(503).end())
  await expect(attach(busy)).rejects.toMatchObject({
    exit: 3,
    message: `attaching to the session at ${busy.url}: it has too many viewers. Try again later.`,
  })
})
