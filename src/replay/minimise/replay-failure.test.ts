/** What a replay of a part proves about a failure that is looked for. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type {
  FailureSignature,
  DriverName,
  ReplayReport,
} from '../../core/traffic/recording/replay-report.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import { defaultRule } from '../difference/rule-book.ts'
import { worstFailure, listFailures } from './failure-list.ts'
import { createDecisiveTest, trialOutcome, wholeReplayOf } from './replay-failure.ts'

/** A replay in which the service answers an event of another order otherwise than it did, and SE-7 breaks for o1. */
function wentAnotherWay(driver: DriverName): ReplayReport {
  const webhook = (status: number) =>
    sampleExchange(1, {
      operation: 'receiveOrderEvent',
      orderId: 'o2',
      reply: { status, headers: [] },
    })
  return {
    recording: 'storm.rec.ndjson',
    driver,
    seed: 1,
    exchanges: [
      {
        standing: 'changed',
        recorded: { ...webhook(204), recordId: 'r1' },
        live: webhook(422),
        differences: [],
      },
    ],
    counts: {},
    strategies: {},
    unused: [],
    conflicts: [],
    map: [],
    failedRules: [{ invariant: 'SE-7', because: 'confirmed unread', orderId: 'o1' }],
  }
}

const whole = { classes: new Map([['r1', 2]]), extras: new Set<string>() }
const failedRule: FailureSignature = { kind: 'invariant', name: 'SE-7', order: 'o1' }

test.each([
  ['partner', 'fail'],
  ['client', 'unresolved'],
] as const)(
  'as %s, an invariant that breaks while the service answers otherwise elsewhere: %s',
  (driver, outcome) => {
    const looked = { signature: failedRule, culprit: 'r1', whole }
    expect(trialOutcome(wentAnotherWay(driver), looked)).toBe(outcome)
  },
)

test('by decisions, an invariant that breaks for another order is another failure', () => {
  const looked = { signature: { ...failedRule, order: 'o2' }, culprit: 'r1', whole }
  expect(trialOutcome(wentAnotherWay('partner'), looked)).toBe('pass')
})

const toService = {
  from: { role: 'ordering-application', party: 'sparring' },
  to: { role: 'software-service', party: 'subject' },
} as const

/** CANCELLED of an order, taken by the service, and its confirm, which the partner refuses after that. */
const cancelled = sampleExchange(1, {
  ...toService,
  operation: 'receiveOrderEvent',
  orderId: 'o1',
  eventIds: ['e1'],
  request: {
    method: 'POST',
    url: '/webhooks/orders',
    headers: [],
    body: JSON.stringify({ eventId: 'e1', eventType: 'CANCELLED', orderId: 'o1' }),
  },
  reply: { status: 202, headers: [] },
})
const refusedConfirm = sampleExchange(2, {
  from: toService.to,
  to: toService.from,
  operation: 'confirmOrder',
  orderId: 'o1',
  startedAt: cancelled.startedAt + 2000,
  reply: { status: 409, headers: [] },
})

const replayed = (live: typeof cancelled, recordId: string, status = live.reply?.status ?? 0) => ({
  standing: 'same' as const,
  recorded: { ...live, recordId },
  live: { ...live, reply: { status, headers: [] } },
  differences: [],
})

const refusal: FailureSignature = {
  kind: 'answer',
  operation: 'confirmOrder',
  status: 409,
  by: 'partner',
  order: 'o1',
  state: 'CANCELLED',
}
const search = {
  signature: refusal,
  culprit: 'confirm',
  whole: { classes: new Map<string, number>(), extras: new Set<string>() },
}

test('a trial ends when the partner has refused the call after the event that it was refused after', () => {
  const isEnough = createDecisiveTest(search)
  expect(isEnough(replayed(cancelled, 'event'))).toBe(false)
  expect(isEnough(replayed(refusedConfirm, 'confirm'))).toBe(true)
})

test('it goes on while that event has no answer, and ends with it', () => {
  const isEnough = createDecisiveTest(search)
  expect(isEnough(replayed(refusedConfirm, 'confirm'))).toBe(false)
  expect(isEnough(replayed(cancelled, 'event'))).toBe(true)
})

test('it goes on where the call is accepted: the service may make it again', () => {
  const isEnough = createDecisiveTest(search)
  isEnough(replayed(cancelled, 'event'))
  expect(isEnough(replayed(refusedConfirm, 'confirm', 202))).toBe(false)
})

test('what goes wrong elsewhere ends a trial, and no replay that is held to nothing', () => {
  const wrong = replayed(cancelled, 'event', 500)
  expect(createDecisiveTest(search)(wrong)).toBe(true)
  expect(createDecisiveTest({ signature: refusal, culprit: 'confirm' })(wrong)).toBe(false)
})

/** A call of a loyalty program that answers with points, as recorded and live. */
function loyaltyCall(seq: number, method: 'GET' | 'POST', recorded: number, live = recorded) {
  const answered = (points: number) =>
    sampleExchange(seq, {
      from: toService.from,
      to: { role: 'crm', party: 'subject' },
      operation: method === 'GET' ? 'getLoyaltyAccountById' : 'receiveCustomerEvent',
      orderId: method === 'GET' ? 'account' : 'order',
      request: { method, url: `http://127.0.0.1:3000/${method}`, headers: [] },
      reply: { status: 200, headers: [], body: JSON.stringify({ points }) },
    })
  const difference: Difference = {
    side: 'reply',
    where: '/body/points',
    kind: 'value',
    recorded,
    live,
    rule: defaultRule,
    accepted: false,
  }
  return {
    standing: recorded === live ? ('same' as const) : ('changed' as const),
    recorded: { ...answered(recorded), recordId: `r${seq}` },
    live: answered(live),
    differences: recorded === live ? [] : [difference],
  }
}

const replayOf = (...exchanges: readonly ReturnType<typeof loyaltyCall>[]): ReplayReport => ({
  ...wentAnotherWay('client'),
  failedRules: [],
  exchanges,
})

/** 61 points are earned, and a cancellation leaves them, where the recording has none afterwards. */
const earned = loyaltyCall(1, 'POST', 1)
const read = (live: number) => loyaltyCall(2, 'GET', 61, live)
const cancellation = loyaltyCall(3, 'POST', 1)
const readAgain = (live: number) => loyaltyCall(4, 'GET', 0, live)
const notTakenBack = replayOf(earned, read(61), cancellation, readAgain(61))
const takenBack = {
  signature: worstFailure(listFailures(notTakenBack))!.signature,
  culprit: 'r4',
  whole: wholeReplayOf(notTakenBack),
}

test.each([
  ['fail', 'the failing read and what changed its answer', [earned, cancellation, readAgain(61)]],
  ['pass', 'no points where none are recorded', [cancellation, readAgain(0)]],
  ['pass', 'another read that differs since nothing was earned', [read(0), cancellation]],
  ['pass', 'a difference of another kind', [earned, cancellation, readAgain(-5)]],
  ['unresolved', 'the failing read without the cancellation', [earned, readAgain(61)]],
] as const)('a value that came out larger: %s with %s', (outcome, _what, exchanges) => {
  expect(trialOutcome(replayOf(...exchanges), takenBack)).toBe(outcome)
})

test('a part that makes its failing read differ elsewhere too has lost what that comes of', () => {
  const again = readAgain(61)
  const name = { ...again.differences[0]!, where: '/body/name', kind: 'missing' as const }
  const part = replayOf(earned, cancellation, {
    ...again,
    differences: [...again.differences, name],
  })
  expect(trialOutcome(part, takenBack)).toBe('unresolved')
})
