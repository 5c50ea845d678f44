/** False positives: situations that differ by one circumstance from those that CV-8, CV-9, CV-13 and TK-1 are about. */
import { expect, test } from 'vitest'
import {
  createScriptedJudge,
  type ScriptedCall,
} from '../../../../../test/support/scripted-judge.ts'
import { createTimedJudge } from '../../../../../test/support/timed-judge.ts'
import { judgeTolerances } from '../../../../../test/support/judge-tolerances.ts'
import { openOrdersWire, type OrdersWire } from '../../../../../test/support/wire.ts'
import type { Verdict } from '../verdict.ts'

const verdictOf = async ({ session }: OrdersWire, id: string): Promise<Verdict | undefined> =>
  (await session.judge()).find((each) => each.id === id)

test('[ORD-EVR-04] CV-8 a cancellation after CREATED is not early, though the order was never read', async () => {
  for (const isDelayed of [false, true]) {
    await using wire = await openOrdersWire({
      faults: isDelayed ? [{ delay: { event: 'CREATED', by: '10s' } }] : [],
    })
    const orderId = await wire.create({ type: 'TAKEOUT' })
    const before = await wire.drain(orderId)
    await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
    await wire.pass(1000)
    const after = await wire.drain(orderId)
    expect([before.length, after.length]).toEqual(isDelayed ? [0, 1] : [1, 1])
    await wire.pass(30_000)
    await wire.drain(orderId)
    expect(await wire.ask(orderId, 'confirm')).toBe(409)
    const expected = isDelayed ? ['failed', 1] : ['not-exercised', 0]
    const verdict = await verdictOf(wire, 'CV-8')
    expect([verdict?.outcome, verdict?.findings.length]).toEqual(expected)
  }
})

test('[ORD-EVR-03] CV-9 an event that a second poll returns is as old as itself, and no other', async () => {
  await using wire = await openOrdersWire()
  await wire.create({ type: 'TAKEOUT' })
  const [first] = await wire.poll()
  const [second] = await wire.poll()
  expect(second).toEqual(first)
  await wire.pass(400_000)
  expect(await verdictOf(wire, 'CV-9')).toMatchObject({ outcome: 'not-exercised', findings: [] })
})

test.each(['the subject', 'Sparring'])(
  '[ORD-GEN-05] CV-13 while calls of %s about one order fail, the other stands still',
  (caller) => {
    const { call, verdict, pass } = createTimedJudge()
    for (let tries = 0; tries < 20; tries++) {
      pass(20_000)
      if (caller === 'Sparring')
        call({ by: 'sparring', operation: 'receiveOrderEvent', order: 'a', status: 503 })
      else call({ operation: 'getOrder', order: 'a', status: 503 })
    }
    expect(verdict('CV-13').outcome).toBe(caller === 'Sparring' ? 'not-exercised' : 'failed')
  },
)

const token = (at: number, name: string): ScriptedCall => ({
  at,
  operation: 'issueToken',
  token: '',
  body: 'grant_type=client_credentials&client_id=subject&client_secret=secret&scope=proto.orders',
  status: 200,
  answer: { access_token: name, expires_in: 3600 },
  took: 10,
})

test('[AUT-TOK-03] TK-1 a second token within a moment of the first is one too many, and a later one is not', () => {
  const secondAfter = (ms: number) =>
    createScriptedJudge()
      .call(token(0, 't1'))
      .call(token(10 + ms, 't2'))
      .verdict('TK-1')
  const { inFlightMs } = judgeTolerances
  const justAnswered = expect.stringContaining('in progress or had just been answered')
  expect(secondAfter(1)).toMatchObject({ outcome: 'failed', reported: [justAnswered] })
  expect(secondAfter(inFlightMs - 1)).toMatchObject({ outcome: 'failed' })
  expect(secondAfter(inFlightMs)).toMatchObject({ outcome: 'passed', reported: [] })
})
