/**
 * The faults of HTTP messages as data: the distortion of each, the messages that it leaves alone, and which are conformant.
 */
import { describe, expect, test } from 'vitest'
import { createChance } from '../engine/chance.ts'
import type { CheckedFault } from '../engine/faults/fault.ts'
import type { AnswerPoint, CallPoint, MessagePoint } from '../engine/faults/fault-point.ts'
import { operation, type OperationId } from '../protocol/catalogue.ts'
import { faultCatalogue } from './catalogue.ts'
import { faultPort } from './port.ts'

const asked = (id: OperationId, more: Partial<AnswerPoint> = {}): AnswerPoint => ({
  kind: 'answer',
  operation: id,
  method: operation(id).method,
  from: 'software-service',
  to: 'ordering-application',
  clientId: 'subject',
  events: [],
  ...more,
})

const called = (id: OperationId): CallPoint => ({
  kind: 'call',
  operation: id,
  method: operation(id).method,
  from: 'ordering-application',
  to: 'software-service',
  attempt: 1,
  events: [],
})

function checked(spec: string): CheckedFault {
  const one = faultPort.check(spec)
  if (!one.ok) throw new Error(one.error.message)
  return one.value[0]!
}

const made = (spec: string, meeting: MessagePoint) =>
  faultPort.distortMessage(checked(spec), meeting, createChance(1, 'fate'), false)?.value

/** These choose among events and other faults where they meet an answer: their own tests hold them. */
const ofEvents = ['ack-lag', 'batch', 'redeliver', 'storm']
const ofTheWire = faultCatalogue.filter(
  ({ name, meets }) =>
    (meets.includes('answer') || meets.includes('call')) && !ofEvents.includes(name),
)

describe.each(ofTheWire.map((fault) => [fault.name, fault] as const))('%s', (_name, fault) => {
  const draws = Array.from({ length: 200 }, (_none, seed) =>
    fault.vary(createChance(seed, fault.name)),
  )

  test('draws options valid in its schema, and only conformant ones where it can be conformant', () => {
    for (const options of draws) expect(fault.options.safeParse(options).success).toBe(true)
    const { legal } = fault
    if (typeof legal === 'function') expect(draws.every((options) => legal(options))).toBe(true)
    // A few discrete variants, not a continuum: each is drawn often enough.
    expect(new Set(draws.map((each) => JSON.stringify(each))).size).toBeLessThanOrEqual(12)
  })

  test('describes all its options, and gives the same result for the same message', () => {
    for (const schema of Object.values(fault.options.shape))
      expect(schema.description ?? 'status').not.toBe('')
    for (const options of draws.slice(0, 20))
      for (const meeting of [asked('getOrder'), called('receiveOrderEvent')]) {
        const distort = () =>
          faultPort.distortMessage(
            { ...checked(fault.name), options },
            meeting,
            createChance(4),
            false,
          )
        expect(distort()).toEqual(distort())
      }
  })
})

test('effect: before or after as configured; a rate-limited, refused or unauthorized request never takes effect', () => {
  const confirm = asked('confirmOrder')
  expect(made('fail', confirm)?.effect).toBe(false)
  expect(made('fail:effect=after', confirm)?.effect).toBe(true)
  for (const name of ['hang', 'reset']) {
    expect(made(name, confirm)).toEqual({ effect: false, end: name })
    expect(made(`${name}:effect=after`, confirm)).toEqual({ effect: true, end: name })
  }
  for (const name of ['rate-limit', 'unauthorized', 'refuse'])
    expect(made(name, confirm)?.effect).toBe(false)
  for (const name of ['slow-response', 'slow-body', 'truncate', 'unusual-response'])
    expect(made(name, confirm)?.effect).toBe(true)
})

test.each([
  ['rate-limit', { headers: { 'retry-after': '2' } }],
  ['rate-limit:by=1500ms', { headers: { 'retry-after': '2' } }],
  ['rate-limit:by=2001ms', { headers: { 'retry-after': '3' } }],
  ['rate-limit:retry=date,by=1500ms', { retryAtMs: 1500 }],
  ['rate-limit:retry=absent', {}],
] as const)('%s: Retry-After in whole seconds, rounded up, as a date, or absent', (spec, wait) => {
  const error = { code: 'RATE_LIMITED', message: 'too many requests for the moment' }
  expect(made(spec, asked('getOrder'))?.reply).toEqual({ status: 429, error, ...wait })
})

test('faults that a partner or a network may cause, and those that are advice', () => {
  expect(checked('fail').legal).toBe(true)
  expect(checked('fail:page=true').legal).toBe(false)
  expect(checked('refuse').legal).toBe(false)
  expect(checked('wrong-signature').legal).toBe(true)
  expect(checked('wrong-signature:how=merchant').legal).toBe(false)
})

test('each fault leaves unrelated messages alone', () => {
  expect(made('fail', called('receiveOrderEvent'))).toBeUndefined()
  expect(made('drop-response', asked('getOrder'))).toBeUndefined()
  expect(made('unauthorized', asked('issueToken'))).toBeUndefined()
  expect(made('unauthorized', asked('getManifest'))).toBeUndefined()
  expect(made('token-outage', asked('getOrder'))).toBeUndefined()
  expect(made('wrong-signature', called('getManifest'))).toBeUndefined()
  expect(made('truncate', called('getManifest'))).toBeUndefined()
  const events = [{ eventType: 'CREATED', orderId: 'o' }]
  expect(
    made('unusual-response:how=empty-list', asked('pollingEvents', { events })),
  ).toBeUndefined()
  expect(made('unusual-response:how=no-content', asked('getOrder'))).toBeUndefined()
})

test('a token is revoked only where its client is known', () => {
  const revoked = made('unauthorized:revoke=true', asked('getOrder'))
  expect(revoked?.plans).toEqual([
    {
      command: { kind: 'token.revoke', host: 'ordering-application', clientId: 'subject' },
      afterMs: 0,
    },
  ])
  const { clientId: _nobody, ...stranger } = asked('getOrder')
  expect(made('unauthorized:revoke=true', stranger)?.plans).toBeUndefined()
})

test('[AUT-TOK-04] a webhook with a token is refused as any request, one that is signed alone is not', () => {
  const webhook = asked('receiveDeliveryEvent')
  expect(made('unauthorized', webhook)?.reply?.status).toBe(401)
  const { clientId: _none, ...signedAlone } = webhook
  expect(made('unauthorized', signedAlone)).toBeUndefined()
})
