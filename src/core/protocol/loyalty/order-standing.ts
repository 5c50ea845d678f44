/**
 * State of an order at a Loyalty host (LOY-EVR-01, LOY-EVR-02): points are pending while it is open, earned when it is
 * completed, rolled back when it is cancelled. Repeated and out-of-order news change nothing.
 */
export const orderStandings = ['unheard', 'open', 'completed', 'canceled'] as const
/** `unheard`: known only because a redemption or a coupon named the order. */
export type OrderStanding = (typeof orderStandings)[number]

export const orderNewsKinds = ['open', 'completed', 'canceled'] as const
export type OrderNews = (typeof orderNewsKinds)[number]

export interface StandingTransition {
  readonly from: OrderStanding
  readonly news: OrderNews
}

/** News without a row change nothing: they are repeated or late. */
export const orderStandingTable: readonly StandingTransition[] = [
  { from: 'unheard', news: 'open' },
  { from: 'unheard', news: 'completed' },
  { from: 'unheard', news: 'canceled' },
  { from: 'open', news: 'completed' },
  { from: 'open', news: 'canceled' },
]

export const changesStanding = (standing: OrderStanding, news: OrderNews): boolean =>
  orderStandingTable.some((row) => row.from === standing && row.news === news)
