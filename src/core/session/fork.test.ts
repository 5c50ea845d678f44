/** Fork of a session: the same seed and the same actions afterwards give the same journal. */
import { expect, test, onTestFinished } from 'vitest'
import { journalText } from '../engine/journal.ts'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import type { Session } from '../session-api/session.ts'
import { openSession } from './open-session.ts'

async function session(): Promise<Session> {
  const opened = await openSession({
    seed: 11,
    clock: 'virtual',
    automatic: false,
    listen: false,
    capabilities: ordersOnly,
  })
  onTestFinished(() => opened[Symbol.asyncDispose]())
  return opened
}

const last = async (of: Session): Promise<number> => (await of.look({})).info.counts.facts
const lines = (of: Session): readonly string[] => journalText(of.facts()).split('\n')
const now = async (of: Session): Promise<number> => (await of.look({})).info.clock.now

/** The first differing line; a full diff of two journals would be too long. */
function difference(one: Session, other: Session): readonly (string | undefined)[] {
  const [a, b] = [lines(one), lines(other)]
  const index = a.findIndex((line, place) => line !== b[place])
  return index < 0 && a.length === b.length ? [] : [a[index], b[index]]
}

test('a fork followed by the same actions gives the same journal, byte for byte', async () => {
  const whole = await session()
  await whole.createOrder({ type: 'DELIVERY' })
  await whole.advance(20_000)
  await whole.createOrder({ type: 'TAKEOUT' })
  await whole.advance(60_000)

  const forked = await session()
  await forked.createOrder({ type: 'DELIVERY' })
  await forked.advance(20_000)
  const [at, then] = [await last(forked), await now(forked)]
  await forked.createOrder({ type: 'INDOOR' })
  await forked.submit({ kind: 'fault.add', spec: 'drop:event=CONFIRMED' })
  await forked.advance(60_000)
  expect(await forked.fork(at)).toEqual({ ok: true, value: { at } })
  expect((await forked.look({})).info).toMatchObject({ forked: at, clock: { mode: 'stepped' } })
  // Session time is that of the fact.
  await forked.advance(then - (await now(forked)))
  await forked.createOrder({ type: 'TAKEOUT' })
  await forked.advance(60_000)
  expect(difference(forked, whole)).toEqual([])
  expect(await last(forked)).toBeGreaterThan(at)
})

test('a fork removes later operator actions, and new ones are logged', async () => {
  const one = await session()
  await one.createOrder({ type: 'DELIVERY' })
  await one.advance(30_000)
  const at = await last(one)
  await one.createOrder({ type: 'TAKEOUT' })
  // Within the 30 s advance: shortened to what had passed by then.
  const early = await one.fork(Math.floor(at / 2))
  expect(early.ok).toBe(true)
  const { operatorActions, info, orders } = await one.look({
    operatorActions: true,
    orders: { limit: 9 },
  })
  expect(orders).toHaveLength(1)
  expect(operatorActions.map(({ what }) => what.kind)).toEqual(['order', 'advance'])
  const [, passed] = operatorActions
  expect(passed?.what).toEqual({ kind: 'advance', ms: info.clock.now - (passed?.at ?? 0) })
})

test('a call in flight at the fork is repeated, so that no loop stops', async () => {
  const one = await session()
  await one.createOrder({ type: 'DELIVERY' })
  await one.advance(3000)
  const placed = one.facts().findLast(({ fact }) => fact.kind === 'call.placed')
  await one.fork(placed?.seq ?? 0)
  await one.advance(120_000)
  expect((await one.look({ orders: { limit: 1 } })).orders[0]?.status).toMatch(
    /DELIVERED|CONCLUDED/,
  )
})

test('an unknown fact is refused with the reason', async () => {
  const one = await session()
  expect(await one.fork(99_999)).toMatchObject({
    error: { code: 'NOT_FOUND', message: expect.stringContaining('there is no fact 99999 yet') },
  })
})

test('after a fork an in-process service continues, and is no longer judged', async () => {
  const harness = await openHarness({ seed: 3, defects: ['double-apply-duplicate'] as never })
  onTestFinished(() => harness[Symbol.asyncDispose]())
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(30_000)
  const at = await last(harness.session)
  await harness.pass(30_000)
  await harness.session.fork(at)
  expect(harness.session.verdicts()).toEqual([])
  expect(await harness.session.judge()).toEqual([])
  await harness.pass(240_000)
  const next = await harness.order('TAKEOUT')
  await harness.pass(240_000)
  expect([await harness.status(orderId), await harness.status(next)]).toEqual([
    'CONCLUDED',
    'CONCLUDED',
  ])
})

test('after a reset an in-process service continues as well', async () => {
  await using harness = await openHarness({ channel: 'polling' })
  await harness.pass(20_000)
  await harness.session.reset()
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(125_000)
  expect(await harness.status(orderId)).toBe('CONCLUDED')
})
