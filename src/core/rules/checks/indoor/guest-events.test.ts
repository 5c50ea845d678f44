/** How an Ordering Application takes account events, on traffic that is written by hand: near misses included. */
import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../../traffic/exchange.ts'
import { checks } from '../catalogue.ts'
import { ClauseJudge } from '../clause-judge.ts'
import { createTrace } from '../trace.ts'

const checkOf = (clause: string) =>
  checks.filter(
    ({ clauses, roles }) => clauses.includes(clause) && roles.includes('ordering-application'),
  )

const asked = (
  seq: number,
  operation: NonNullable<Exchange['operation']>,
  [status, reply]: readonly [number, object],
  more: Partial<Exchange> = {},
): Exchange =>
  sampleExchange(seq, {
    from: { role: 'software-service', party: 'sparring' },
    to: { role: 'ordering-application', party: 'subject' },
    operation,
    reply: { status, headers: [], body: JSON.stringify(reply) },
    ...more,
  })

const event = (seq: number, status: number, eventType = 'ACCOUNT_OPENED', orderId = 'o1') =>
  asked(seq, 'receiveAccountEvent', [status, {}], {
    request: {
      method: 'POST',
      url: 'http://kiosk/webhooks/accounts',
      headers: [],
      body: JSON.stringify({ eventId: `e${seq}`, eventType, orderId }),
    },
  })

describe('[IND-OPS-12] a path for account events that is not there', () => {
  const manifest = (more: object) =>
    asked(1, 'getManifest', [200, { capabilities: [{ name: 'indoor', ...more }] }])
  const accountRead = (status: number): Exchange => ({
    ...asked(1, 'getAccount', [status, { status: 'IN_USE', items: [] }]),
    from: { role: 'ordering-application', party: 'subject' },
    to: { role: 'software-service', party: 'sparring' },
  })
  const blamed = (...exchanges: readonly Exchange[]) => {
    const judge = new ClauseJudge({
      checks: checkOf('IND-OPS-12'),
      role: 'ordering-application',
      speaks: 'v2',
      dialect: undefined,
      onBug(error) {
        throw error
      },
    })
    for (const exchange of exchanges) judge.exchange(exchange, { began: 1000 * exchange.seq })
    return judge.verdicts().flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))
  }

  test.each([
    ['who declares Indoor', manifest({ supported: true })],
    ['who declares Indoor by its name alone', manifest({})],
    ['who has read an account', accountRead(200)],
  ])('is blamed on one %s', (_, shown) => {
    expect(blamed(shown, event(2, 404))).toEqual(['IND-OPS-12'])
    expect(blamed(shown, event(2, 405))).toEqual(['IND-OPS-12'])
    expect(blamed(shown, event(2, 204))).toEqual([])
    expect(
      blamed(shown, { ...event(2, 404), fault: 'status on rsp(receiveAccountEvent)' }),
    ).toEqual([])
  })

  test.each([
    ['who declares other capabilities', asked(1, 'getManifest', [200, { capabilities: [] }])],
    ['who declares that it has no Indoor', manifest({ supported: false })],
    ['who has no manifest', asked(1, 'getManifest', [404, {}])],
    ['who asked for an account that is not there', accountRead(404)],
  ])('is not blamed on one %s', (_, shown) => {
    expect(blamed(shown, event(2, 404))).toEqual([])
  })
})

describe('[IND-GEN-05] an order that an account event moves', () => {
  const read = (seq: number, status: string, orderType = 'INDOOR') =>
    asked(seq, 'getOrder', [200, { id: 'o1', status, fulfillment: { orderType } }], {
      orderId: 'o1',
    })
  const confirm = (seq: number) => asked(seq, 'confirmOrder', [202, {}], { orderId: 'o1' })
  const delivered = (seq: number): Exchange => ({
    ...event(seq, 204, 'DELIVERED'),
    operation: 'receiveOrderEvent',
    from: { role: 'ordering-application', party: 'subject' },
    to: { role: 'software-service', party: 'sparring' },
    orderId: 'o1',
  })
  const problems = (...exchanges: readonly Exchange[]) => {
    const all = [...exchanges, event(9, 204, 'ACCOUNT_CLOSED')]
    const trace = createTrace({
      role: 'ordering-application',
      speaks: 'v2',
      capabilities: ['orders', 'indoor'],
      exchanges: all,
      steps: Object.fromEntries(all.map(({ seq }) => [seq, 'guest-orders/read'])),
      notes: [],
      skipped: {},
    })
    return checkOf('IND-GEN-05').flatMap(({ assertion }) =>
      [...assertion(trace)].flatMap(({ problem }) => problem ?? []),
    )
  }

  test('is found where no call and no event of Orders leads there', () => {
    const moved = 'its order is DELIVERED after an account event, and calls have taken it to '
    expect(problems(event(1, 204), read(2, 'DELIVERED'))).toEqual([`${moved}CREATED`])
    const confirmed = [event(1, 204), confirm(2), read(3, 'DELIVERED')] as const
    expect(problems(...confirmed)).toEqual([`${moved}CONFIRMED`])
  })

  test.each([
    ['that is where its calls have taken it', [event(1, 204), confirm(2), read(3, 'CONFIRMED')]],
    ['that is not there yet', [event(1, 204), confirm(2), read(3, 'CREATED')]],
    ['that was cancelled', [event(1, 204), read(2, 'CANCELLED')]],
    ['that has moved before the event', [read(1, 'DELIVERED'), event(2, 204)]],
    ['whose event was refused', [event(1, 500), read(2, 'DELIVERED')]],
    [
      'that another account is about',
      [event(1, 204, 'ACCOUNT_OPENED', 'o2'), read(2, 'DELIVERED')],
    ],
    ['that Orders has moved', [event(1, 204), delivered(2), read(3, 'DELIVERED')]],
    ['of another profile', [event(1, 204), read(2, 'READY', 'TAKEOUT')]],
  ])('is none %s', (_, exchanges) => {
    expect(problems(...exchanges)).toEqual([])
  })
})
