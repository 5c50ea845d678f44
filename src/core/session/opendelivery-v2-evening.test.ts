// @module-tag slow
/**
 * An evening in the dialect opendelivery-v2, in process and on virtual time: all four counterparts with each other, and each
 * role of ours judged by the rules while the others are its partners.
 */
import { describe, expect, test } from 'vitest'
import { startSessionService, type SessionService } from '../../../test/support/session-service.ts'
import { runsFor } from '../../../test/support/soak.ts'
import type { Role } from '../protocol/role.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { verdictLabel } from '../rules/invariants/verdict.ts'
import type { SessionOptions } from './options.ts'
import { openSession } from './open-session.ts'

const dialect = 'opendelivery-v2'
/** As many as all operations below need. */
const orders = runsFor(32, 60)

const evening = {
  dialect,
  seed: 11,
  listen: false,
  clock: 'virtual',
  counterparts: {
    crm: { mode: 'hybrid' },
    'software-service': { deliveries: true },
    'ordering-application': {
      orders: { every: 20_000, limit: orders, mix: { DELIVERY: 4, TAKEOUT: 3, INDOOR: 3 } },
    },
  },
} as const satisfies SessionOptions

const hours = (count: number): number => count * 3_600_000

/** Words that only the documents have: none of them may be on the wire. */
const documentsWords =
  /"(?:CHAT|chatId|participantId|unavailabilityPreference|entityType|burn|summary|order\.canceled|order\.completed|loyalty\.(?:account|points|redemption|coupon)_\w+)"/

const bodiesOf = ({ request, reply }: Exchange): readonly string[] =>
  [request.body, reply?.body].filter((body) => body !== undefined)

describe('an evening', () => {
  test('of all four counterparts: every order ends, no call is refused, and no word of the documents is on the wire', async () => {
    await using session = await openSession(evening)
    const operations = new Set<string>()
    const foreign: string[] = []
    session.onExchange((exchange) => {
      operations.add(`${exchange.operation} ${exchange.reply?.status}`)
      for (const body of bodiesOf(exchange)) {
        const [word] = documentsWords.exec(body) ?? []
        if (word !== undefined) foreign.push(`${exchange.operation}: ${word}`)
      }
    })
    await session.advance(hours(runsFor(0.5, 3)))
    await session.settle()
    const { info } = await session.look({})
    expect(info.counts).toMatchObject({ orders, open: 0, failed: { rejected: 0, errors: 0 } })
    expect(foreign).toEqual([])
    const expected = [
      'setDeliveryReadyForPickup 200',
      'createDelivery 202',
      'checkDeliveryAvailability 200',
      'receiveDeliveryEvent 204',
      'closeAccount 202',
      'createPayment 200',
      'receiveAccountEvent 204',
      'upsertCustomers 202',
      'upsertOrders 202',
      'createReviews 202',
      'listCustomers 200',
      'receiveCustomerEvent 204',
      'receiveLoyaltyEvent 204',
      'listCustomerLoyaltyAccounts 200',
      'createLoyaltyRedemption 202',
      'listLoyaltyTransactions 200',
    ]
    expect([...operations]).toEqual(expect.arrayContaining(expected))
  })

  const judged: readonly (readonly [role: Role, partner: Role])[] = [
    ['software-service', 'ordering-application'],
    ['ordering-application', 'software-service'],
    ['delivery-platform', 'ordering-application'],
    ['crm', 'ordering-application'],
  ]

  /** The rules that hold for a role of ours, over an evening at the others. */
  async function rulesKept(
    [role, partner]: (typeof judged)[number],
    options: Pick<SessionOptions, 'dialect'>,
  ): Promise<readonly string[]> {
    let service: SessionService | undefined
    const { dialect: _dialect, ...plain } = evening
    const ordering = plain.counterparts['ordering-application']
    const few = { ...ordering.orders, limit: runsFor(4, orders) }
    const counterparts = { ...plain.counterparts, 'ordering-application': { orders: few } }
    await using session = await openSession({
      ...plain,
      ...options,
      as: role,
      subject: async (request) =>
        (await service?.fetch(request)) ?? new Response(null, { status: 503 }),
      counterparts: {
        ...counterparts,
        'ordering-application': {
          ...counterparts['ordering-application'],
          deliveries: role === 'delivery-platform',
        },
      },
    })
    service = startSessionService({ plays: role, partner, counterparts, ...options }, session)
    await using _running = service
    await session.advance(hours(runsFor(0.05, 1)))
    await session.settle()
    const { verdicts, info } = await session.look({ verdicts: true })
    // Our guests cancel an item of a locked account on purpose, which a session advises against.
    expect(verdicts.filter((each) => verdictLabel(each) === 'failed')).toEqual([])
    expect(info.counts.failed).toMatchObject({ errors: 0 })
    return verdicts.flatMap(({ id, outcome }) => (outcome === 'passed' ? [id] : []))
  }

  test.each(judged)(
    'breaks no rule of the %s, and as many are kept as in the form of the documents',
    async (...pair) => {
      const kept = await rulesKept(pair, { dialect })
      expect(kept.length).toBeGreaterThan(0)
      expect(kept).toEqual(await rulesKept(pair, {}))
    },
  )
})
