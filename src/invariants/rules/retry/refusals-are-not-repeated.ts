/**
 * RT-5. What was refused for good is not asked for again, word for word, unless the service has learned something since
 * (TRN-ERB-01): an event of the order, or another status than it knew. Reading is free, and has rules of its own; an event
 * that is still on its way may have told what nobody here has seen yet.
 */
import { setBounded } from '../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { callKey, orderOf, told } from '../../helpers/call-outcome.ts'
import { everyRole } from '../../helpers/roles.ts'
import { answerName, callName } from '../../helpers/call-wording.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { fieldOf, keyOf } from '../../tracking/subject-order.ts'
import { lasting } from '../../tracking/wording.ts'
import type { Watch } from '../../tracking/tracker-state.ts'

interface State {
  /** Refusals, by what was refused. */
  readonly refusals: Map<string, { readonly by: SeenExchange; readonly news: string }>
  /** What GET said last of a delivery. */
  readonly deliveries: Map<string, unknown>
}

const most = 5000

/** Somebody may have the service ask once more; its own repetition carries the same X-Request-Id. */
const ofPeople: ReadonlySet<string> = new Set(['requestCancellation', 'requestCancellationV1'])

/** What the service has been told of an order so far; undefined while something more may have reached it. */
function newsOf({ deliveries }: State, orderId: string, watch: Watch): string | undefined {
  const order = watch.orders.get(orderId)
  if (order?.events.some(({ calling }) => calling > 0)) return undefined
  const document = order?.lastRead?.answered()
  const read = [
    fieldOf(document, 'status'),
    fieldOf(document, 'lastEvent'),
    deliveries.get(orderId),
  ]
  return `${order?.handed ?? 0} ${read.join(' ')}`
}

/** Whether a call is a refused one once more, and not somebody's new wish or a corrected one. */
function isSame(exchange: SeenExchange, refused: SeenExchange): boolean {
  if (exchange.began < refused.ended || exchange.exchange.seq < refused.exchange.seq) return false
  if (exchange.exchange.request.body !== refused.exchange.request.body) return false
  return !ofPeople.has(exchange.operation ?? '') || keyOf(exchange) === keyOf(refused)
}

export const refusalsAreNotRepeated = defineInvariant<State>({
  id: 'RT-5',
  name: 'refusals-are-not-repeated',
  sentence:
    'A call that was refused for good is not repeated before the service has learned something new.',
  kind: 'safety',
  clauses: ['TRN-ERB-01', 'LOG-RUL-02'],
  premise: 'a call of the service about an order was refused for good',
  binds: everyRole,
  sees: { exchanges: ['getDelivery'], failures: 'all' },
  start: () => ({ refusals: new Map(), deliveries: new Map() }),
  minds: ({ refusals }) => refusals.size > 0,
  shown: {
    exchange(state, exchange, watch, tell) {
      if (exchange.by !== 'subject') return
      const { refusals, deliveries } = state
      const { operation, orderId, ok } = exchange
      if (operation === 'getDelivery' && ok && orderId !== undefined)
        setBounded(deliveries, orderId, fieldOf(exchange.answered(), 'status'), most)
      if ((ok && refusals.size === 0) || exchange.exchange.request.method !== 'POST') return
      const about = orderOf(exchange)
      const key = callKey(exchange)
      if (about === undefined || key === undefined) return
      const before = refusals.get(key)
      const news = newsOf(state, about, watch)
      if (before && news === before.news && isSame(exchange, before.by))
        tell.broken({
          because: `The service made ${callName(exchange, watch)} again ${lasting(exchange.began - before.by.ended)} after ${answerName(before.by)} that said not to, and had learned nothing since.`,
          evidence: [before.by.cite, exchange.cite],
          orderId: about,
          once: key,
        })
      if (told(exchange) !== 'refused') {
        refusals.delete(key)
        return
      }
      tell.premise()
      if (news !== undefined) setBounded(refusals, key, { by: exchange, news }, most)
      else refusals.delete(key)
    },
  },
})
