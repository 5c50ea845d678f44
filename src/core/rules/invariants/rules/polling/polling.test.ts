/** Rules about polling, PO-1 to PO-3. */
import { expect, test } from 'vitest'
import { openHarness, type Wire } from '../../../../../../test/support/in-process-harness.ts'
import {
  testInvariant,
  type InvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { createScriptedJudge } from '../../../../../../test/support/scripted-judge.ts'
import { judgeTolerances } from '../../../../../../test/support/judge-tolerances.ts'
import { says } from '../../../../../../test/support/says.ts'
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

const poll = 'GET /events:polling'

testInvariants(`
  PO-1 [ORD-OPS-01] when a poll fails
    with { faults: [{ fail: { operation: pollingEvents, limit: 1 } }] }
    play order TAKEOUT; 60000
    poll-dies-on-error -: not polled for 185 s … 503 => GET /events:polling  503

  PO-1 [ORD-OPS-01] when an order cannot be read
    with { faults: [{ hang: { operation: getOrder } }] }
    play 10000; order TAKEOUT; 60000
    poll-waits-for-orders -: not poll for 4#.# s … usual pause is 1 s => GET /events:polling  200; GET /events:polling  204

  PO-1 [ORD-OPS-01] when a poll is never answered
    with { faults: [{ hang: { operation: pollingEvents, event: CONFIRMED, limit: 1 } }] }
    play order TAKEOUT; 150000
    no-poll-timeout -: not polled for 274 s … never answered => GET /events:polling  200

  PO-1 [ORD-OPS-01] when the connection of a poll breaks after ten minutes
    with { faults: [{ hang: { operation: pollingEvents, event: CONFIRMED, limit: 1 } }] }
    play order TAKEOUT; 620000
    no-poll-timeout -: not poll for 60# s … got no reply => GET /events:polling  HUNG; GET /events:polling  200

  RT-7 [ORD-OPS-01] when a poll is never answered
    with { faults: [{ hang: { operation: pollingEvents, event: CONFIRMED, limit: 1 } }] }
    play order TAKEOUT; 150000
    no-poll-timeout -: waiting for 273 s … req(pollingEvents,o1,CONFIRMED) … at 15:00:0#.### =>
`)

/** An event without a type, followed by another order's event in the same batch. */
const poisoned: InvariantStory['play'] = async (harness) => {
  const { session } = harness
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(30_000)
  const made = await session.submit({
    kind: 'event.emit',
    orderId,
    eventType: 'PREPARATION_REQUESTED',
  })
  const [emitted] = made.ok ? made.value : []
  if (emitted?.kind !== 'event.emitted') throw new Error('no event was emitted')
  const { eventId } = emitted.event
  await session.submit({ kind: 'event.alter', eventId, change: { eventType: 7 } })
  await harness.order('TAKEOUT')
  await harness.pass(30_000)
}

testInvariant({
  id: 'PO-1',
  clauses: 'ORD-OPS-01',
  when: 'when a poll brings an event without a type',
  story: { play: poisoned },
  caught: {
    'poll-dies-on-poison': {
      slot: null,
      because: says('not polled for 154 s', 'got a reply'),
      lines: [`${poll}  200`],
    },
  },
})

testInvariant({
  id: 'PO-3',
  clauses: 'ORD-OPS-01, ORD-OPS-02',
  when: 'when a poll brings an event without a type',
  story: { play: poisoned },
  caught: {
    'poll-dies-on-poison': {
      slot: null,
      because: says('not polled again', 'an event without a type'),
      lines: [`${poll}  200`],
    },
    'batch-aborts-on-poison': {
      slot: 'o2',
      because: says('CREATED of o2', 'an event without a type', 'never acknowledged'),
      lines: [`${poll}  200`],
    },
  },
})

testInvariants(`
  PO-2 [TRN-STA-10] when events come
    play order TAKEOUT; 60000
    polls-again-at-once -: after 1 ms … not for the first time … 500 ms
      => GET /events:polling  200; GET /events:polling  204; GET /events:polling  200; GET /events:polling  204
`)

test('[TRN-STA-10] PO-2 reports a service that polls without pauses within seconds', async () => {
  await using harness = await openHarness({ defects: ['polls-without-pause'] })
  await harness.pass(1000)
  const verdict = (await harness.session.judge()).find(({ id }) => id === 'PO-2')
  expect(verdict).toMatchObject({
    outcome: 'failed',
    violations: 1,
    findings: [
      { because: expect.stringMatching(/^The service polled again after 1 ms/) as string },
    ],
  })
})

/** Names no event of the first acknowledgment a third time: the second was refused, and polls bring it no more. */
function acknowledgesTwiceAtMost(): Wire {
  let first: string | undefined
  let times = 0
  return async (request, next) => {
    if (!request.url.endsWith('/events/acknowledgment')) return next(request)
    const body = await request.clone().text()
    first ??= body
    return body === first && ++times > 2 ? new Response(null, { status: 202 }) : next(request)
  }
}

test('[ORD-OPS-02, TRN-STA-10] PO-3, AK-1 and AK-2 owe nothing for events whose acknowledgment took effect late, though the second was answered 429', async () => {
  await using harness = await openHarness({
    wire: acknowledgesTwiceAtMost(),
    faults: [
      { 'ack-lag': { polls: 6, nth: 1 } },
      { 'rate-limit': { operation: 'acknowledgeEvents', nth: 2, by: '10s' } },
      { batch: { as: 'backlog', of: 2, atMost: '3s' } },
      { 'unknown-event': { event: 'CREATED' } },
    ],
  })
  await harness.order('TAKEOUT')
  await harness.pass(30_000)
  const verdicts = await harness.judgeAll()
  const about = verdicts.filter(({ id }) => ['PO-3', 'AK-1', 'AK-2'].includes(id))
  expect(about.map(({ id, findings }) => [id, findings.map(({ because }) => because)])).toEqual([
    ['AK-1', []],
    ['AK-2', []],
    ['PO-3', []],
  ])
  const acknowledgments = harness.session
    .facts()
    .filter(({ fact }) => fact.kind === 'fault.fired')
    .map(({ fact }) => (fact.kind === 'fault.fired' ? fact.name : ''))
  expect(acknowledgments).toEqual(expect.arrayContaining(['ack-lag', 'rate-limit']))
})

test('[ORD-OPS-01, TRN-STA-12] PO-1: pauses between failed polls may grow beyond the time to recover, and not without end', () => {
  const judged = (...pauses: readonly number[]) => {
    const limits = { ...judgeTolerances, convergeMs: 20_000 }
    const scripted = createScriptedJudge({ limits })
    for (const seconds of [1, 1, 1])
      scripted.call({ operation: 'pollingEvents', status: 204 }).pass(seconds * 1000)
    for (const seconds of pauses)
      scripted.call({ operation: 'pollingEvents', status: 503 }).pass(seconds * 1000)
    scripted.call({ operation: 'pollingEvents', status: 204 })
    return scripted.verdict('PO-1').outcome
  }
  expect(judged(2, 4, 8, 16, 30)).toBe('passed')
  expect(judged(2, 4, 8, 25)).toBe('failed')
  expect(judged(2, 30)).toBe('failed')
  expect(judged(2, 4, 8, 16, 32, 61)).toBe('failed')
})
