import { compact } from '../../base/compact.ts'
import { expect, test, onTestFinished } from 'vitest'
import { type ControlOptions, startControl } from '../control/control.ts'
import { openRemoteSession } from './remote-session.ts'
import { openSession } from '../../session/open-session.ts'
import { listenOnSocket } from '../../../../test/support/on-socket.ts'

async function both(more: Partial<ControlOptions> = {}) {
  const near = await openSession({ clock: 'stepped', listen: false })
  const control = await startControl({ session: near, host: '127.0.0.1', port: 0, ...more })
  onTestFinished(near.close)
  onTestFinished(control.close)
  const { url, token } = control
  return { near, url, far: openRemoteSession({ url, ...compact({ token }) }) }
}

test('a remote look equals a local one', async () => {
  const { near, far } = await both()
  const made = await far.createOrder({ type: 'INDOOR', items: 1 })
  expect(made.ok).toBe(true)
  const orderId = made.ok ? made.value.orderId : ''
  const view = {
    journal: { limit: 20 },
    traffic: { limit: 20, filter: 'status>=400' },
    agenda: { limit: 20, background: true },
    orders: { limit: 20 },
    orderId,
  }
  expect(await far.look(view)).toEqual(JSON.parse(JSON.stringify(await near.look(view))))
  expect((await far.look({ traffic: { limit: 1, filter: 'ms>x' } })).problem).toContain('a number')
})

test('a remote refusal equals the local one', async () => {
  const { near, far } = await both()
  const command = { kind: 'order.apply', orderId: 'nobody', trigger: 'confirm' } as const
  const refused = await far.submit(command)
  expect(refused.ok).toBe(false)
  expect(refused).toEqual(await near.submit(command))
  const wrong = { order: { items: [{ quantity: 'two' }], customer: 5 } }
  const answer = await far.createOrder(wrong)
  expect(answer).toMatchObject({ ok: false, error: { code: 'INVALID_PAYLOAD' } })
  expect(answer).toEqual(await near.createOrder(wrong))
})

test('submit, step, advance and reset work remotely', async () => {
  const { near, far } = await both()
  const made = await far.createOrder()
  const orderId = made.ok ? made.value.orderId : ''
  const facts = await far.submit({ kind: 'order.apply', orderId, trigger: 'confirm' })
  expect(facts.ok && facts.value.map(({ kind }) => kind)).toContain('order.moved')

  const [first] = (await near.look({ agenda: { limit: 1 } })).agenda
  expect((await far.step())?.id).toBe(first?.id)

  const before = (await near.look({})).info.clock.now
  await far.advance(60_000)
  await far.setClock({ speed: 3 })
  expect((await near.look({})).info.clock).toMatchObject({ now: before + 60_000, speed: 3 })

  await far.reset(9)
  expect((await near.look({})).info).toMatchObject({ seed: 9, counts: { orders: 0 } })
})

test('batched edits and fork work remotely', async () => {
  const { near, far } = await both()
  await far.createOrder({ type: 'INDOOR' })
  const [first, second] = (await far.look({ agenda: { limit: 2 } })).agenda
  const ids = [first?.id ?? 0, second?.id ?? 0]
  const at = (await near.look({})).info.counts.facts
  const edits = ids.map((id) => ({ kind: 'agenda.hold', id }) as const)
  expect((await far.submit({ kind: 'agenda.batch', edits })).ok).toBe(true)
  expect((await near.look({})).info.counts.held).toBe(2)
  expect((await far.submit({ kind: 'agenda.undo' })).ok).toBe(true)
  expect((await near.look({})).info.counts.held).toBe(0)
  expect(await far.submit({ kind: 'agenda.undo' })).toMatchObject({ error: { code: 'NOT_FOUND' } })
  expect((await far.look({ item: ids[0] ?? 0, pinned: [] })).item?.row.id).toBe(ids[0])

  expect(await far.fork(at)).toEqual({ ok: true, value: { at } })
  expect((await near.look({})).info).toMatchObject({ forked: at, counts: { facts: at } })
  expect(await far.fork(9999)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
})

test('a remote subscriber is notified of changes', async () => {
  const { near, far } = await both()
  let heard = 0
  const stop = far.subscribe(() => heard++)
  await expect.poll(() => heard).toBeGreaterThan(0)
  const before = heard
  await near.createOrder()
  await expect.poll(() => heard).toBeGreaterThan(before)
  stop()
})

test('the token gives access, and without it the problem names the flag', async () => {
  const { far, url } = await both({ token: 'mine' })
  expect((await far.look({})).info.version).toMatch(/^\d/)
  await expect(openRemoteSession({ url }).look({})).rejects.toMatchObject({
    exit: 3,
    message: expect.stringContaining('--token') as string,
  })
})

test('with nothing listening the problem says how to start a session', async () => {
  const { url, close } = await startControl({
    session: await openSession({ listen: false }),
    host: '127.0.0.1',
    port: 0,
  })
  await close()
  const far = openRemoteSession({ url })
  await expect(far.look({})).rejects.toMatchObject({
    exit: 3,
    message: `talking to the session at ${url}: nothing answers there (ECONNREFUSED). Start one with sparring up, or name another with --control <url> or SPARRING_CONTROL.`,
  })
})

test.each([
  [404, 'not found'],
  [200, '<html>hello</html>'],
  [500, '{"oops":true}'],
  [204, ''],
])('another server that answers %i is detected', async (status, text) => {
  await using server = await listenOnSocket((_, response) => response.writeHead(status).end(text))
  await expect(openRemoteSession({ url: `${server.url}/` }).look({})).rejects.toMatchObject({
    exit: 3,
    message: expect.stringContaining('no control API of Sparring') as string,
  })
})
