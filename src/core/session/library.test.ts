/** The public library: the documented example, and its errors. */
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Command, openSession, Problem, type Verdict } from '../../sparring/library/index.ts'
import { compact } from '../base/compact.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { Order } from '../protocol/orders/order.ts'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { createInProcessService } from '../../../test/support/in-process-service.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import type { DefectName } from '../../demo/defects.ts'
import { readRecording } from '../runtime/recording/read-recording.ts'

/** The smallest service: accepts everything. */
const app = {
  fetch: (request: Request): Promise<Response> =>
    Promise.resolve(new Response(null, { status: request.method === 'POST' ? 204 : 404 })),
}

test('the example of the documentation', async () => {
  await using session = await openSession({
    as: 'software-service',
    subject: app.fetch,
    seed: 42,
    clock: 'virtual',
  })
  const order = await session.createOrder({ type: 'DELIVERY' })
  session.faults.add({ drop: { event: 'CONFIRMED' } })
  await session.settle()
  expect(session.verdicts()).toEqual([])

  expect(order.ok).toBe(true)
  const { orders } = await session.look({ orders: { limit: 1 } })
  expect(orders).toMatchObject([{ profile: 'DELIVERY', status: 'CREATED' }])
})

test('what a session cannot do any more, or never could, is refused and changes nothing', async () => {
  const session = await openSession({
    as: 'software-service',
    subject: app.fetch,
    clock: 'virtual',
  })
  await expect(session.setClock({ speed: -3 })).rejects.toThrow(
    'setting the clock: speed is -3, and it must be more than 0',
  )
  const typo: object = { sped: 3 }
  await expect(session.setClock(typo)).rejects.toThrow('Did you mean "speed"?')
  expect((await session.look({})).info.clock).toMatchObject({ mode: 'virtual', speed: 1 })
  const verdicts = session.verdicts('all')
  await session.close()

  const closed = 'using a session: it is closed'
  await expect(session.createOrder()).rejects.toThrow(closed)
  await expect(session.advance(1000)).rejects.toThrow(closed)
  await expect(session.reset()).rejects.toThrow(closed)
  expect(() => session.faults.add('drop:event=CONFIRMED')).toThrow(closed)
  expect(session.verdicts('all')).toEqual(verdicts)
  await session.close()
})

test('a service with a webhook alone, in process and on virtual time: no setting, no socket, no wait', async () => {
  const heard: string[] = []
  const service = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname !== '/webhooks/orders') return new Response(null, { status: 404 })
    const text = await request.text()
    const signature = createHmac('sha256', 'secret').update(text).digest('hex')
    if (request.headers.get('x-app-signature') !== signature)
      return new Response(null, { status: 401 })
    heard.push((JSON.parse(text) as { eventType: string }).eventType)
    return new Response(null, { status: 204 })
  }
  await using session = await openSession({
    as: 'software-service',
    subject: service,
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    clock: 'virtual',
  })
  await session.createOrder({ type: 'DELIVERY' })
  await session.settle()
  expect(heard).toEqual(['CREATED'])
})

test('[ORD-GEN-05] settle goes to the end of the tolerances: a service that takes events and does nothing is failed', async () => {
  await using session = await openSession({
    as: 'software-service',
    subject: () => Promise.resolve(new Response(null, { status: 204 })),
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    clock: 'virtual',
  })
  expect(session.hasExercisedRules()).toBe(false)
  await session.createOrder({ type: 'DELIVERY' })
  const before = session.clock.now()
  await session.settle()
  expect(session.hasExercisedRules()).toBe(true)
  expect(session.verdicts().map(({ id }) => id)).toEqual(['CV-1', 'CV-2', 'WH-1'])
  const took = session.clock.now() - before
  expect(took).toBeGreaterThan(120_000)
  // Nothing is open any more: no further time passes.
  await session.settle()
  expect(session.clock.now() - before).toBe(took)
})

test('settle takes no time for a service that has brought its orders to their end', async () => {
  await using duel = await openHarness({ channel: 'webhook' })
  await duel.order('TAKEOUT')
  const before = duel.session.clock.now()
  await duel.session.settle()
  expect(duel.session.clock.now() - before).toBeLessThan(120_000)
  expect(duel.session.verdicts()).toEqual([])
})

test('faults apply as soon as they are added, and are listed, removed and ended', async () => {
  await using duel = await openHarness({ channel: 'webhook' })
  const { faults } = duel.session
  expect(faults.list()).toEqual([])
  const [drop] = faults.add({ drop: { event: 'CONFIRMED', limit: 1 } })
  expect(drop).toMatchObject({ id: 1, name: 'drop', legal: true, fired: 0, limit: 1 })
  const [twice] = faults.add('duplicate:event=PREPARING')
  await duel.order('TAKEOUT')
  await duel.pass(60_000)
  expect(faults.list()).toMatchObject([
    { id: 2, name: 'duplicate', fired: 1 },
    { id: 1, name: 'drop', fired: 1, over: 'spent' },
  ])
  faults.remove(twice?.id ?? 0)
  faults.add({ drop: { event: 'DELIVERED' } })
  faults.end()
  expect(faults.list().map(({ id, over }) => [id, over])).toEqual([
    [1, 'spent'],
    [2, 'removed'],
    [3, 'ended'],
  ])
  // Operator actions are logged, so that a scenario can be generated.
  const { operatorActions } = await duel.session.look({ operatorActions: true })
  const kinds = operatorActions.flatMap(({ what }) =>
    what.kind === 'command' ? [what.command.kind] : [],
  )
  expect(kinds).toEqual(['fault.add', 'fault.add', 'fault.remove', 'fault.add', 'fault.end'])
})

test('an invalid fault is a problem that names valid ones, and changes nothing', async () => {
  await using session = await openSession({ clock: 'virtual', listen: false })
  const problemOf = (act: () => unknown): string => {
    try {
      act()
    } catch (error) {
      expect(error).toBeInstanceOf(Problem)
      return (error as Problem).message
    }
    throw new Error('it went through')
  }
  expect(problemOf(() => session.faults.add({ dropp: {} }))).toMatch(
    /^adding a fault: .*dropp.*drop/,
  )
  expect(problemOf(() => session.faults.add({ drop: { evnt: 'CONFIRMED' } }))).toMatch(/evnt/)
  expect(problemOf(() => session.faults.remove(7))).toBe(
    'removing fault 7: no fault 7 is active. See faults.list().',
  )
  expect(session.faults.list()).toEqual([])
})

test('verdicts have the same shape from session, look and judge', async () => {
  await using duel = await openHarness({})
  await duel.order('TAKEOUT')
  await duel.pass(60_000)
  const all: readonly Verdict[] = await duel.session.judge()
  const { verdicts } = await duel.session.look({ verdicts: true })
  expect(verdicts.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  expect(duel.session.verdicts()).toEqual(all.filter(({ outcome }) => outcome === 'failed'))
  expect((await duel.session.look({})).verdicts).toEqual([])
  await using alone = await openSession({ clock: 'virtual', listen: false })
  expect(await alone.judge()).toEqual([])
})

const problemIn = async (act: () => Promise<unknown>): Promise<string> => {
  const error: unknown = await act().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Problem)
  return (error as Problem).message
}

test('invalid options are a problem, worded as on the command line', async () => {
  const opened = (options: object) => problemIn(() => openSession(options))
  expect(await opened({ as: 'software-service', subject: app.fetch, sede: 1, clock: 'reel' })).toBe(
    'opening the session: clock is "reel", and it must be real, stepped or virtual. Did you mean "real"?' +
      ' "sede" is not known. Did you mean "seed"?',
  )
  expect(await opened({ as: 'software-service', subject: 42 })).toMatch(
    /^opening the session: subject is 42, which is no service\. Give its URL, its handler/,
  )
  expect(await opened({ as: 'kitchen', subject: app.fetch })).toMatch(
    /^opening the session: subject.role is "kitchen", and it must be /,
  )
})

test('a service without a role is refused: nothing would call it, and no invariant could break', async () => {
  const sentence = /^opening the session: it was given your service, but it is not given which role/
  expect(await problemIn(() => openSession({ subject: app.fetch, clock: 'virtual' }))).toMatch(
    sentence,
  )
  expect(await problemIn(() => openSession({ subject: 'http://127.0.0.1:1', port: 0 }))).toMatch(
    sentence,
  )
})

test('a role in `only` that cannot be played is refused', async () => {
  const only = (...roles: readonly string[]) =>
    problemIn(() => openSession({ as: 'software-service', listen: false, only: roles as ['crm'] }))
  expect(await only('crm', 'software-service')).toMatch(
    /software-service is the role that your service plays\. Name in only/,
  )
  expect(await only('pos')).toMatch(/there is no role pos\./)
})

test('ports beyond 65535 are a problem, and no socket stays open', async () => {
  expect(await problemIn(() => openSession({ port: 65_534 }))).toBe(
    'choosing a port for the software-service: the roles take the ports after the control port 65534, and 65535 is the' +
      ' last there is. Choose one up to 65531 with --port <n>; --port 0 finds free ones.',
  )
  // The port of the first role was released.
  await using again = await openSession({
    port: 0,
    only: ['ordering-application'],
    counterparts: { 'ordering-application': { port: 65_535 } },
  })
  expect(again.urls.size).toBe(1)
})

test('[ORD-GEN-03] where your service is the Ordering Application no order is created here, and the refusal says where', async () => {
  const because =
    'orders originate in your service, the Ordering Application: create it there, and CREATED brings it here'
  await using session = await openSession({
    as: 'ordering-application',
    listen: false,
    clock: 'virtual',
  })
  const refusal = { ok: false, error: { code: 'CONFLICT', message: because } }
  expect(await session.createOrder({ type: 'TAKEOUT' })).toEqual(refusal)
  const order = Order.parse(minimalOrder('o-1', 'TAKEOUT'))
  expect(await session.submit({ kind: 'order.create', order })).toEqual(refusal)
  expect(session.facts().filter(({ fact }) => fact.kind === 'order.created')).toEqual([])

  await using crm = await openSession({ only: ['crm'], listen: false, clock: 'virtual' })
  expect(await crm.createOrder()).toMatchObject({
    error: { message: expect.stringContaining('start a session that plays it') },
  })
})

test('an order request that cannot be fulfilled is refused, and no order is created', async () => {
  await using session = await openSession({ clock: 'virtual', listen: false })
  const refused = async (wish: object): Promise<string> => {
    const made = await session.createOrder(wish)
    return made.ok ? 'made' : `${made.error.code} ${made.error.message}`
  }
  expect(await refused({ type: 'DELIVER' })).toBe(
    'INVALID_PAYLOAD type is "DELIVER", and it must be DELIVERY, TAKEOUT or INDOOR. Did you mean "DELIVERY"?',
  )
  for (const items of [-4, 0, 2.5, 501, Number.NaN])
    expect(await refused({ items })).toMatch(/^INVALID_PAYLOAD items is .*, and it must be /)
  expect(await refused({ type: 'TAKEOUT', order: {} })).toMatch(/takes no other field beside it/)
  const { info } = await session.look({})
  expect(info.counts.orders).toBe(0)
  expect((await session.createOrder({ items: 500 })).ok).toBe(true)
})

test('advancing by infinite or negative time is refused', async () => {
  await using session = await openSession({ clock: 'virtual', listen: false })
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, -5, '5s' as unknown as number])
    expect(await problemIn(() => session.advance(ms))).toMatch(
      /^advancing the clock by .*: that is no length of time\. Give milliseconds/,
    )
  const { info: before } = await session.look({})
  await session.advance(0)
  await session.advance(2500)
  const { info } = await session.look({})
  expect(info.clock.now - before.clock.now).toBe(2500)
})

test('a request aborted before it began is rejected, as with fetch', async () => {
  await using session = await openSession({ clock: 'virtual', listen: false })
  await session.settle()
  const { info: before } = await session.look({})
  const url = `${session.urls.get('ordering-application')}/.well-known/protocol`
  const request = new Request(url, { signal: AbortSignal.abort() })
  await expect(session.fetch(request)).rejects.toThrow(
    expect.objectContaining({ name: 'AbortError' }),
  )
  const { info } = await session.look({})
  expect(info.counts.exchanges).toBe(before.counts.exchanges)
})

test('session.open is refused for an open session, now or planned: every loop would run twice', async () => {
  await using session = await openSession({ clock: 'virtual', listen: false })
  const { info: before } = await session.look({})
  const again = { kind: 'session.open' } as const
  const refused = { ok: false, error: { code: 'CONFLICT' } }
  expect(await session.submit(again)).toMatchObject(refused)
  expect(
    await session.submit({ kind: 'agenda.plan', command: again, afterMs: 1000 }),
  ).toMatchObject(refused)
  const { info } = await session.look({})
  expect(info.counts.loops).toBe(before.counts.loops)
  await session.reset()
  expect((await session.look({})).info.counts.orders).toBe(0)
})

test('a command of the wrong shape is refused at the door, and the session goes on', async () => {
  await using session = await openSession({ clock: 'virtual', listen: false })
  // As plain JavaScript calls it, without types.
  const submit = (command: unknown) => session.submit(command as Command)
  for (const [command, message] of [
    [null, 'this is no command: it: '],
    [{ kind: 'order.aply', orderId: 'a' }, 'this is no command: kind: '],
    [{ kind: 'order.create', order: {} }, 'this is no command: order'],
    [{ kind: 'agenda.hold', id: 'soon' }, 'this is no command: id: '],
    [{ kind: 'order.apply', orderId: 'a', trigger: 'confirm', x: 1 }, 'this is no command: '],
  ] as const) {
    const result = await submit(command)
    expect(result.ok ? 'it is taken' : result.error.message).toContain(message)
  }
  expect((await session.createOrder({ type: 'TAKEOUT' })).ok).toBe(true)
})

test('a recording goes on behind that of an earlier session, which is said, and keeps what failed', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-library-')), 'x.rec.ndjson')
  const warnings: string[] = []
  const record = async (defects: readonly DefectName[]): Promise<void> => {
    const service = createInProcessService({ defects })
    await using session = await openSession({
      as: 'software-service',
      subject: service.fetch,
      clock: 'virtual',
      recording: { file },
      capabilities: ordersOnly,
      onWarning: (text) => void warnings.push(text),
    })
    await using _started = service.start(session)
    await session.createOrder({ type: 'TAKEOUT' })
    await session.settle()
  }
  await record(['confirms-unread'])
  expect(warnings).toEqual([])
  await record([])
  expect(warnings).toEqual([
    expect.stringMatching(/goes on behind an earlier session \(\d+ lines\)/),
  ])
  const read = await readRecording(file)
  const outcomes = read.ok ? read.value.end?.verdicts.map(({ id, outcome }) => [id, outcome]) : []
  expect(Object.fromEntries(outcomes ?? [])).toMatchObject({ 'SE-7': 'failed', 'CV-1': 'passed' })
  const other = openSession({ as: 'crm', listen: false, clock: 'virtual', recording: { file } })
  await expect(other).rejects.toThrow(
    'it is about software-service, and this session about crm. Name another file',
  )
})

test.skipIf(!existsSync('/dev/full'))(
  'closing a session whose recording is not whole rejects, or calls back where that is wanted',
  async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sparring-library-')), 'x.rec.ndjson')
    symlinkSync('/dev/full', file)
    const options = { as: 'software-service', subject: app.fetch, recording: { file } } as const
    const losses: string[] = []
    for (const onLoss of [undefined, (sentence: string) => void losses.push(sentence)]) {
      const session = await openSession({ ...options, ...compact({ onLoss }) })
      await session.createOrder({ type: 'DELIVERY' })
      await session.settle()
      if (onLoss) await session.close()
      else await expect(session.close()).rejects.toThrow(/^closing the session: .* not whole/)
    }
    expect(losses).toEqual([expect.stringMatching(/0 of \d+ exchanges .* the disk is full/)])
  },
)
