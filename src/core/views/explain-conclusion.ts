/** Conclusions of an explanation, one sentence each: both sides' status, view splits with causes, repeated calls, findings. */
import { clockOf } from '../engine/instant.ts'
import type { Split, StoryStep } from '../session-api/session-api.ts'
import { orderIdOfCommand } from '../engine/command.ts'
import type { RequestedCall } from './explain-calls.ts'
import {
  arrivals,
  type EventTrace,
  filteredOutText,
  firstAcknowledgment,
  refusals,
} from './explain-events.ts'
import type { OrderEvidence } from './explain-gather.ts'
import type { OrderActivity } from './explain-reason.ts'
import { findingsOf, findingText } from './explain-rules.ts'
import { isConfirmed, newestKnown, refusedEventOf, unreadEventOf } from './explain-views.ts'
import { atTime, endingText, lengthText, exchangeNumbers, seqOf } from './explain-words.ts'
import { timesText } from '../protocol/count-text.ts'

/** Maximum findings and maximum splits per explanation. */
const maxListed = 5

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`

/** Final statuses. */
const finalStatuses: ReadonlySet<string> = new Set(['DELIVERED', 'CANCELLED', 'CONCLUDED'])

/** The status that both sides have. CONCLUDED need not be known: knowing how the order ended is enough. */
function agreedStatus(
  truth: StoryStep,
  host: readonly StoryStep[],
  activity: OrderActivity,
): string | undefined {
  if (isConfirmed(truth, activity)) return truth.status
  const ending = host.findLast(({ status }) => status !== 'CONCLUDED')
  const isOver = truth.status === 'CONCLUDED' && ending && finalStatuses.has(ending.status)
  return isOver && isConfirmed(ending, activity) ? 'over' : undefined
}

/** What the other side knew, where nothing shows that it has the status of the host. */
function knowledgeOf(
  truth: StoryStep,
  host: readonly StoryStep[],
  known: readonly StoryStep[],
  { activity, name }: { readonly activity: OrderActivity; readonly name: string },
): string {
  const last = newestKnown(known, host)
  if (!last) return `${name} knows nothing of it`
  if (last.status !== truth.status)
    return `the last that ${name} knew is ${last.status}, since ${clockOf(last.at)}`
  const unread = unreadEventOf(truth, activity)
  const taken = unread && firstAcknowledgment(unread)
  if (taken)
    return `${name} took ${unread.eventType} (#${seqOf(taken.seen)}), but has not read the order: nothing shows that it has it`
  const refused = refusedEventOf(truth, activity)
  if (!refused) return `nothing shows that ${name} has learned it since`
  const seqs = refusals(refused.fate).map(({ seen }) => seqOf(seen))
  return `${name} read that, but never took ${refused.fate.eventType} (${exchangeNumbers(seqs)}): nothing shows that it has it`
}

function statusConclusion(
  { host: side, other, now, world, orderId, subject }: OrderEvidence,
  { host, known }: OrderViews,
  activity: OrderActivity,
): readonly string[] {
  const truth = host.at(-1)
  if (!truth && subject?.role === side.role)
    return [
      `${side.name} is the host of this order, so its own view is known only from its calls and replies`,
    ]
  if (!truth) return [`the view of ${side.name} is known only from its calls and replies`]
  const agreed = agreedStatus(truth, host, activity)
  const views =
    agreed === undefined
      ? `${side.name} has it ${truth.status} since ${clockOf(truth.at)}, and ${knowledgeOf(truth, host, known, { activity, name: other.name })}`
      : `both sides have it ${agreed}`
  if (finalStatuses.has(truth.status)) return [views]
  const waiting = [...world.agenda.byId.values()].some(
    ({ command }) => orderIdOfCommand(command, world) === orderId,
  )
  const call = activity.calls.at(-1)
  const lastCall = call
    ? `${other.name} called last with #${seqOf(call.seen)} (${call.name}, ${endingText(call.seen)}), ${lengthText(now - call.seen.ended)} ago`
    : `${other.name} has not called anything for it`
  return [
    views,
    `it is not finished: it has been ${truth.status} for ${lengthText(now - truth.at)}${waiting ? ', something is still on the agenda for it' : ''}, and ${lastCall}`,
  ]
}

const splitText = ({ from, to, text, because }: Split): string =>
  `the views split at ${clockOf(from)}${to === undefined ? '' : `, for ${lengthText(to - from)}`}: ${text}; ${because}`

/** Calls that may repeat for one order. */
const repeatableCalls: ReadonlySet<string> = new Set(['cancel-item', 'sendOrderTracking'])

/** Calls that succeeded more than once, with the events that arrived more than once. */
function repeatedCalls(
  { calls, events: fates }: OrderActivity,
  { other }: OrderEvidence,
): readonly string[] {
  const byName = new Map<string, RequestedCall[]>()
  for (const call of calls)
    if (
      call.seen.ok &&
      call.seen.exchange.request.method !== 'GET' &&
      !repeatableCalls.has(call.name)
    )
      byName.set(call.name, [...(byName.get(call.name) ?? []), call])
  const again = [...byName].filter(([, all]) => all.length > 1)
  if (again.length === 0) return []
  const called = again.map(
    ([name, all]) =>
      `${name} ${timesText(all.length)} (${exchangeNumbers(all.map(({ seen }) => seqOf(seen)))})`,
  )
  const came = fates
    .filter((fate) => arrivals(fate).length > 1)
    .map((fate) => `${fate.eventType} reached it ${timesText(arrivals(fate).length)}`)
  return [
    `with success, ${other.name} called ${called.join(', ')}${came.length > 0 ? `; ${came.join(', ')}` : ''}`,
  ]
}

/** Conclusions about one event: arrival, acknowledgment, reads and calls after it. */
export function eventConclusion(
  fate: EventTrace,
  gathered: OrderEvidence,
  activity: OrderActivity,
): readonly string[] {
  const { eventType, handings } = fate
  const { other } = gathered
  const came = arrivals(fate)
  const [first] = came
  const taken = firstAcknowledgment(fate)
  if (!first)
    return [
      handings[0]
        ? `${eventType} never reached ${other.name}: ${exchangeNumbers(handings.map(({ seen }) => seqOf(seen)))} ended in ${endingText(handings[0].seen)}`
        : `${eventType} never reached ${other.name}${fate.filteredOut ? `: ${filteredOutText(fate.filteredOut)}` : ''}`,
    ]
  const after = (all: readonly { readonly seen: RequestedCall['seen'] }[]) =>
    all.filter(({ seen }) => seen.began >= first.at).map(({ seen }) => seqOf(seen))
  const [reads, calls] = [after(activity.reads), after(activity.calls)]
  return [
    `${eventType} reached ${other.name} ${timesText(came.length)}, first ${atTime(first.at)} (${exchangeNumbers(came.map(({ seen }) => seqOf(seen)))})`,
    taken
      ? `${other.name} took responsibility for it ${atTime(taken.at)} (#${seqOf(taken.seen)})`
      : `${other.name} never acknowledged it`,
    reads.length + calls.length === 0
      ? `after it, ${other.name} neither read the order nor called anything for it`
      : `after it, ${other.name} ${reads.length > 0 ? `read the order (${exchangeNumbers(reads)})` : 'did not read the order'}, and ${calls.length > 0 ? `called ${exchangeNumbers(calls)}` : 'called nothing for it'}`,
  ]
}

/** Status at the host, and as known to the other side, when a call was made. */
export function callConclusion(
  call: RequestedCall,
  gathered: OrderEvidence,
  { host, known }: OrderViews,
): readonly string[] {
  const { seen, name } = call
  const { host: side, other } = gathered
  const truth = host.findLast((step) => step.at <= seen.began)
  // At one instant the `seq` of the exchanges decides.
  const before = known.filter(
    (step) =>
      step.at < seen.began || (step.at === seen.began && (step.exchange ?? 0) < seqOf(seen)),
  )
  const lastKnown = newestKnown(before, host)
  if (!truth) return []
  const what = `when ${other.name} called ${name} (#${seqOf(seen)}), ${side.name} had it ${truth.status} since ${clockOf(truth.at)}`
  return [
    lastKnown?.status === truth.status
      ? `${what}, and ${other.name} knew that since ${clockOf(lastKnown.at)}`
      : `${what}, and ${other.name} knew ${lastKnown ? `only ${lastKnown.status}` : 'nothing of it'}`,
  ]
}

/** Statuses of the order at both sides, and where they differed. */
export interface OrderViews {
  readonly host: readonly StoryStep[]
  readonly known: readonly StoryStep[]
  readonly splits: readonly Split[]
}

export const conclusionOf = (
  gathered: OrderEvidence,
  activity: OrderActivity,
  views: OrderViews,
  first: readonly string[],
): readonly string[] =>
  [
    ...first,
    ...statusConclusion(gathered, views, activity),
    ...views.splits.slice(0, maxListed).map(splitText),
    ...repeatedCalls(activity, gathered),
    ...findingsOf(gathered).map(findingText),
  ].map(sentence)
