/**
 * What a Loyalty host makes of an order's news (LOY-EVR-01, LOY-EVR-02): points are pending while it is open, earned when
 * it is completed, taken back when it is cancelled. An order counts once, however often and in whatever order it is told.
 */
export const orderStandings = ['unheard', 'open', 'completed', 'canceled'] as const
/** `unheard`: a redemption named the order, and nothing else was said of it. */
export type OrderStanding = (typeof orderStandings)[number]

export const orderNewsKinds = ['open', 'completed', 'canceled'] as const
export type OrderNews = (typeof orderNewsKinds)[number]

export interface StandingTransition {
  readonly from: OrderStanding
  readonly news: OrderNews
}

/** News that stands in no row changes nothing: it came before, or too late. */
export const orderStandingTable: readonly StandingTransition[] = [
  { from: 'unheard', news: 'open' },
  { from: 'unheard', news: 'completed' },
  { from: 'unheard', news: 'canceled' },
  { from: 'open', news: 'completed' },
  { from: 'open', news: 'canceled' },
]

export const isNewsTo = (standing: OrderStanding, news: OrderNews): boolean =>
  orderStandingTable.some((row) => row.from === standing && row.news === news)
