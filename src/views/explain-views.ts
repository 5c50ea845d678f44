/**
 * Where the two sides' views of an order were apart. What the other side knows is what it acknowledged or read itself,
 * never what was sent to it; that it knows a little later is how such protocols are. A split is told when it lasted, when
 * something stood in the way of the news, or when a call was made on the old view and came to nothing.
 */
import { compact } from '../compact.ts'
import type { Instant } from '../engine/instant.ts'
import { projectedStatus } from '../invariants/tracking/progress.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { Split, StoryStep } from '../session-api/session-api.ts'
import type { AskedCall } from './explain-calls.ts'
import { takenBy } from './explain-events.ts'
import type { Gathered } from './explain-gather.ts'
import { reasonOf, type Told } from './explain-reason.ts'
import { numbers, seqOf } from './explain-words.ts'

/** What the other side demonstrably knew, each status with its first moment. */
export function knownBy({ fates, reads }: Told): readonly StoryStep[] {
  const steps: StoryStep[] = []
  for (const fate of fates) {
    const status = projectedStatus(fate.eventType)
    const taken = status && takenBy(fate)
    if (status && taken) steps.push({ status, at: taken.at, exchange: seqOf(taken.seen) })
  }
  for (const { seen, status } of reads)
    if (status) steps.push({ status, at: seen.ended, exchange: seqOf(seen) })
  const first = new Map<OrderStatus, StoryStep>()
  for (const step of steps.toSorted((one, other) => one.at - other.at))
    if (!first.has(step.status)) first.set(step.status, step)
  return [...first.values()]
}

/**
 * The newest of what is known, by the way of the order: who reads before it acknowledges hears of an earlier status later.
 */
export function newestKnown(
  known: readonly StoryStep[],
  host: readonly StoryStep[],
): StoryStep | undefined {
  const place = ({ status, at }: StoryStep): number =>
    host.findLastIndex((step) => step.status === status && step.at <= at)
  return known.toSorted((one, other) => place(one) - place(other) || one.at - other.at).at(-1)
}

/** A lag that is longer is told, whatever came of it. */
const longLagMs = 10_000

/** A status of the host, and when the other side knew that or anything later. */
interface Stretch {
  readonly status: OrderStatus
  readonly from: Instant
  readonly to: Instant | undefined
}

function stretchesOf(host: readonly StoryStep[], known: readonly StoryStep[]): readonly Stretch[] {
  return host.map(({ status, at }, index) => {
    const later = new Set(host.slice(index).map((step) => step.status))
    const moments = known.filter((step) => later.has(step.status) && step.at >= at)
    const [first] = moments.toSorted((one, other) => one.at - other.at)
    return { status, from: at, to: first?.at }
  })
}

/** The host said no to what was asked, and to nothing else such as who asked. */
const saysNo: ReadonlySet<number> = new Set([400, 404, 409, 422])

/** A call that was made in the meantime, and had no effect because the host had moved on. */
const isInVain = ({ seen, asked, effect, accepted }: AskedCall): boolean =>
  asked !== undefined &&
  !seen.isFaulted &&
  ((saysNo.has(seen.status) && !accepted) || effect?.kind === 'lapsed')

/** That an order which is over was concluded too is no news that anybody has to have. */
const isNews = ({ status }: Stretch, known: readonly StoryStep[]): boolean =>
  status !== 'CONCLUDED' ||
  !known.some((step) => step.status === 'DELIVERED' || step.status === 'CANCELLED')

export function splitsOf(
  gathered: Gathered,
  told: Told,
  host: readonly StoryStep[],
  known: readonly StoryStep[],
): readonly Split[] {
  const { other, now } = gathered
  const hostName = gathered.host.name
  const splits: Split[] = []
  for (const stretch of stretchesOf(host, known)) {
    const { status, from, to } = stretch
    if (to === from || !isNews(stretch, known)) continue
    const until = to ?? now
    const last = splits.at(-1)
    // One piece of news made up for several: they are one split, and what began it is its cause.
    if (last && last.to === to && from <= (last.to ?? now)) continue
    const vain = told.calls.filter(
      (call) => isInVain(call) && call.seen.began >= from && call.seen.began <= until,
    )
    const reason = reasonOf(gathered, told, { status, from, until })
    const isTold = vain.length > 0 || (until - from > longLagMs && (reason.stood || !to))
    if (!isTold && !(reason.stood && !to)) continue
    const seqs = vain.map(({ seen }) => seqOf(seen))
    const meanwhile =
      vain.length > 0
        ? `; meanwhile it called ${[...new Set(vain.map(({ name }) => name))].join(', ')} in vain (${numbers(seqs)})`
        : ''
    splits.push({
      from,
      ...compact({ to }),
      text: `${hostName} had it ${status}, and ${other.name} did not know${to === undefined ? ', nor does it yet' : ''}${meanwhile}`,
      because: reason.because,
      exchanges: [...new Set([...reason.exchanges, ...seqs])].toSorted((a, b) => a - b),
    })
  }
  return splits
}
