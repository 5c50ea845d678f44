/**
 * Explains an order, an event or an exchange: handovers, acknowledgments, reads and calls, their effects, and where the
 * two sides' views split. Pure and bounded: reads only the world, journal and traffic in memory. What is none of these
 * may be a dining account.
 */
import { compact } from '../base/compact.ts'
import type { Explanation, Split, StoryLine, StoryStep } from '../session-api/session-api.ts'
import { type RequestedCall, requestedCallsOf, statusReadsOf } from './explain-calls.ts'
import {
  arrivals,
  type EventTrace,
  eventTracesOf,
  filteredOutText,
  firstAcknowledgment,
  refusals,
} from './explain-events.ts'
import { type ExplainSources, gatherEvidence, type OrderEvidence } from './explain-gather.ts'
import { storyLinesOf } from './explain-lines.ts'
import { serviceConclusion } from './explain-service.ts'
import type { OrderActivity } from './explain-reason.ts'
import {
  isConfirmed,
  knownStatuses,
  newestKnown,
  refusedEventOf,
  splitsOf,
  unreadEventOf,
} from './explain-views.ts'
import { accountExplanation } from './explain-account.ts'
import { customerExplanation } from './explain-customer.ts'
import { agendaRow } from './agenda-rows.ts'
import { effectsText } from './effects-text.ts'
import { resolveOrder } from './order-reference.ts'
import { trafficRow } from './traffic-rows.ts'
import { clockOf } from '../engine/instant.ts'
import { orderIdOfCommand } from '../engine/command.ts'
import {
  atTime,
  endingText,
  exchangeNumbers,
  explainedRule,
  lengthText,
  seqOf,
} from './explain-words.ts'
import { timesText } from '../protocol/count-text.ts'
import { type Finding, isInconclusive, type Verdict } from '../rules/invariants/verdict.ts'
import type { ExplainedRule } from '../session-api/explanation.ts'

interface OrderFinding {
  readonly verdict: Verdict
  readonly finding: Finding
}

/** Maximum rules per explanation. */
const maxRules = 5

/** The first finding about this order of each rule that has failed or is inconclusive. */
const findingsOf = ({ verdicts, orderId }: OrderEvidence): readonly OrderFinding[] =>
  verdicts
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive')
    .flatMap((verdict) =>
      verdict.findings
        .filter((finding) => finding.orderId === orderId)
        .slice(0, 1)
        .map((finding) => ({ verdict, finding })),
    )
    .slice(0, maxRules)

function findingText({ verdict, finding }: OrderFinding): string {
  const { because, evidence, advice } = finding
  const shown = evidence.length > 0 ? [exchangeNumbers(evidence.map(({ seq }) => seq))] : []
  const from = [verdict.clauses.join(', '), ...shown].filter((part) => part !== '').join('; ')
  const outcome = isInconclusive(finding) ? 'is inconclusive' : advice ? 'advice' : 'failed'
  return `${verdict.id} ${outcome}: ${because.replace(/\.$/, '')} (${from})`
}

/** The rules of those findings. */
const explainedRules = (gathered: OrderEvidence): readonly ExplainedRule[] =>
  findingsOf(gathered).map(({ verdict }) => explainedRule(verdict))

// Conclusions of an explanation, one sentence each: both sides' status, view splits with causes,
// repeated calls, findings.

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
    return `${name} took ${unread.eventType} (#${seqOf(taken.observed)}), but has not read the order: nothing shows that it has it`
  const refused = refusedEventOf(truth, activity)
  if (!refused) return `nothing shows that ${name} has learned it since`
  const seqs = refusals(refused.trace).map(({ observed }) => seqOf(observed))
  return `${name} read that, but never took ${refused.trace.eventType} (${exchangeNumbers(seqs)}): nothing shows that it has it`
}

function statusConclusion(
  gathered: OrderEvidence,
  { host, known }: OrderViews,
  activity: OrderActivity,
): readonly string[] {
  const { host: side, other, now, world, orderId, subject, settings, wholeSince } = gathered
  const truth = host.at(-1)
  if (!truth && subject?.role === side.role)
    return [
      `${side.name} is the host of this order, so its own view is known only from its calls and replies`,
    ]
  if (!truth) return [`the view of ${side.name} is known only from its calls and replies`]
  const agreed = agreedStatus(truth, host, activity)
  const isForgotten = wholeSince !== undefined && truth.at < wholeSince
  const knowledge = isForgotten
    ? `what ${other.name} knew is not known: what was exchanged before ${clockOf(wholeSince)} is no longer in memory`
    : knowledgeOf(truth, host, known, { activity, name: other.name })
  const views =
    agreed === undefined
      ? `${side.name} has it ${truth.status} since ${clockOf(truth.at)}, and ${knowledge}`
      : `both sides have it ${agreed}`
  if (finalStatuses.has(truth.status)) return [views]
  // What the agenda shows: neither loops nor items that are out of date.
  const waiting = [...world.agenda.byId.values()]
    .filter(({ command }) => orderIdOfCommand(command, world) === orderId)
    .map((item) => agendaRow(item, world, settings))
    .find(({ background }) => !background)
  const call = activity.calls.at(-1)
  const lastCall = call
    ? `${other.name} called last with #${seqOf(call.observed)} (${call.name}, ${endingText(call.observed)}), ${lengthText(now - call.observed.ended)} ago`
    : `${other.name} has not called anything for it${isForgotten ? ' since' : ''}`
  return [
    views,
    `it is not finished: it has been ${truth.status} for ${lengthText(now - truth.at)}${waiting ? `, "${waiting.text}" is on the agenda for it` : ''}, and ${lastCall}`,
  ]
}

const splitText = ({ from, to, text, because }: Split): string =>
  `the views split at ${clockOf(from)}${to === undefined ? '' : `, for ${lengthText(to - from)}`}: ${text}; ${because}`

/** Calls that may repeat for one order. */
const repeatableCalls: ReadonlySet<string> = new Set(['cancel-item', 'sendOrderTracking'])

/** Calls that succeeded more than once, with the events that arrived more than once. */
function repeatedCalls(
  { calls, events: traces }: OrderActivity,
  { other }: OrderEvidence,
): readonly string[] {
  const byName = new Map<string, RequestedCall[]>()
  for (const call of calls)
    if (
      call.observed.ok &&
      call.observed.exchange.request.method !== 'GET' &&
      !repeatableCalls.has(call.name)
    )
      byName.set(call.name, [...(byName.get(call.name) ?? []), call])
  const again = [...byName].filter(([, all]) => all.length > 1)
  if (again.length === 0) return []
  const called = again.map(
    ([name, all]) =>
      `${name} ${timesText(all.length)} (${exchangeNumbers(all.map(({ observed }) => seqOf(observed)))})`,
  )
  const came = traces
    .filter((trace) => arrivals(trace).length > 1)
    .map((trace) => `${trace.eventType} reached it ${timesText(arrivals(trace).length)}`)
  return [
    `with success, ${other.name} called ${called.join(', ')}${came.length > 0 ? `; ${came.join(', ')}` : ''}`,
  ]
}

/** Conclusions about one event: arrival, acknowledgment, reads and calls after it. */
function eventConclusion(
  trace: EventTrace,
  gathered: OrderEvidence,
  activity: OrderActivity,
): readonly string[] {
  const { eventType, handings } = trace
  const { other, wholeSince } = gathered
  const came = arrivals(trace)
  const [first] = came
  if (!first && wholeSince !== undefined && handings.length === 0)
    return [
      `whether ${eventType} reached ${other.name} is not known: what was exchanged before ${clockOf(wholeSince)} is no longer in memory`,
    ]
  const taken = firstAcknowledgment(trace)
  if (!first)
    return [
      handings[0]
        ? `${eventType} never reached ${other.name}: ${exchangeNumbers(handings.map(({ observed }) => seqOf(observed)))} ended in ${endingText(handings[0].observed)}`
        : `${eventType} never reached ${other.name}${trace.filteredOut ? `: ${filteredOutText(trace.filteredOut)}` : ''}`,
    ]
  const after = (all: readonly { readonly observed: RequestedCall['observed'] }[]) =>
    all.filter(({ observed }) => observed.began >= first.at).map(({ observed }) => seqOf(observed))
  const [reads, calls] = [after(activity.reads), after(activity.calls)]
  return [
    `${eventType} reached ${other.name} ${timesText(came.length)}, first ${atTime(first.at)} (${exchangeNumbers(came.map(({ observed }) => seqOf(observed)))})`,
    taken
      ? `${other.name} took responsibility for it ${atTime(taken.at)} (#${seqOf(taken.observed)})`
      : `${other.name} never acknowledged it`,
    reads.length + calls.length === 0
      ? `after it, ${other.name} neither read the order nor called anything for it`
      : `after it, ${other.name} ${reads.length > 0 ? `read the order (${exchangeNumbers(reads)})` : 'did not read the order'}, and ${calls.length > 0 ? `called ${exchangeNumbers(calls)}` : 'called nothing for it'}`,
  ]
}

/** Status at the host, and as known to the other side, when a call was made. */
function callConclusion(
  call: RequestedCall,
  gathered: OrderEvidence,
  { host, known }: OrderViews,
): readonly string[] {
  const { observed, name } = call
  const { host: side, other } = gathered
  const truth = host.findLast((step) => step.at <= observed.began)
  // At one instant the `seq` of the exchanges decides.
  const before = known.filter(
    (step) =>
      step.at < observed.began ||
      (step.at === observed.began && (step.exchange ?? 0) < seqOf(observed)),
  )
  const lastKnown = newestKnown(before, host)
  if (!truth) return []
  const what = `when ${other.name} called ${name} (#${seqOf(observed)}), ${side.name} had it ${truth.status} since ${clockOf(truth.at)}`
  return [
    lastKnown?.status === truth.status
      ? `${what}, and ${other.name} knew that since ${clockOf(lastKnown.at)}`
      : `${what}, and ${other.name} knew ${lastKnown ? `only ${lastKnown.status}` : 'nothing of it'}`,
  ]
}

/** Statuses of the order at both sides, and where they differed. */
interface OrderViews {
  readonly host: readonly StoryStep[]
  readonly known: readonly StoryStep[]
  readonly splits: readonly Split[]
}

/** What the service has done for the order inside. */
function effectsConclusion({ effectsOf, orderId }: OrderEvidence): readonly string[] {
  const effects = effectsOf?.(orderId)
  return effects ? [`your service has for it ${effectsText(effects)}`] : []
}

const conclusionOf = (
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
    ...serviceConclusion(gathered),
    ...effectsConclusion(gathered),
    ...findingsOf(gathered).map(findingText),
  ].map(sentence)

/** Maximum lines; the middle of a longer explanation is omitted. */
const maxLines = 200
const headLines = 60

interface Target {
  readonly kind: Explanation['about']['kind']
  readonly id: string
  readonly orderId: string | undefined
}

/** Resolves an order, an event's id or an exchange number. */
function resolveTarget(text: string, { world, log }: ExplainSources): Target {
  const { ordering, announcements, store } = world
  const number = /^#?(\d+)$/.exec(text)?.[1]
  const order = resolveOrder(world, text)
  const orderId = order.ok ? order.value : text
  if (orderId !== text || ordering.orders.has(orderId) || store.tickets.has(orderId))
    return { kind: 'order', id: orderId, orderId }
  const eventId = ordering.eventIdByAlias.get(text) ?? text
  const event = ordering.events.get(eventId) ?? announcements.events.get(eventId)
  if (event) return { kind: 'event', id: eventId, orderId: event.orderId }
  const exchange = number === undefined ? undefined : log.get(Number(number))
  if (exchange) {
    const carried = exchange.eventIds?.map((id) => ordering.events.get(id)?.orderId) ?? []
    const carriedId = exchange.orderId ?? carried.find((id) => id !== undefined)
    const isOfThisWorld = log.isOfThisWorld(exchange.seq)
    return {
      kind: 'exchange',
      id: `#${exchange.seq}`,
      orderId: isOfThisWorld ? carriedId : undefined,
    }
  }
  // An order evicted from memory may still have traffic.
  return { kind: 'order', id: text, orderId: text }
}

function shortened(lines: readonly StoryLine[]): Pick<Explanation, 'lines' | 'omitted'> {
  const omitted = Math.max(0, lines.length - maxLines)
  if (omitted === 0) return { lines, omitted }
  const tailLines = maxLines - headLines
  return { lines: [...lines.slice(0, headLines), ...lines.slice(-tailLines)], omitted }
}

function titleOf({ record, host, orderId }: OrderEvidence, slot: string | undefined): string {
  const name = slot === undefined ? orderId : `${slot} (${orderId})`
  if (!record) return `${name}, an order of ${host.name}`
  const { order, status } = record
  const { name: store = order.merchant.id } = order.merchant
  return `${name}, ${order.fulfillment.orderType} order ${order.displayId} of ${store}: ${status}`
}

/** Explanation of an exchange or event without an order. */
function withoutOrder(
  { kind, id }: Target,
  { log, world }: ExplainSources,
): Explanation | undefined {
  const bare = {
    about: { kind, id },
    host: [],
    known: [],
    splits: [],
    omitted: 0,
    lines: [],
    rules: [],
  }
  const other = { role: 'software-service', name: 'the Software Service' } as const
  if (kind === 'event') {
    const event = world.announcements.events.get(id)
    return event && { ...bare, other, title: `${event.eventType}, about no order`, conclusion: [] }
  }
  const exchange = log.get(Number(id.slice(1)))
  if (!exchange) return undefined
  const { method, path, status, failure } = trafficRow(exchange)
  const by = exchange.fault === undefined ? '' : `, by the fault ${exchange.fault}`
  return {
    ...bare,
    other,
    title: `${id}, ${method} ${path}, ${log.isOfThisWorld(exchange.seq) ? 'about no order' : 'before the reset'}`,
    conclusion: [
      `It ended in ${failure ?? status}${by}.`,
      ...(exchange.note === undefined ? [] : [`Note: ${exchange.note}`]),
    ],
  }
}

export function explanationOf(parts: ExplainSources, text: string): Explanation | undefined {
  const target = resolveTarget(text.trim(), parts)
  if (target.orderId === undefined) return withoutOrder(target, parts)
  const gathered = gatherEvidence(target.orderId, parts)
  if (!gathered)
    return accountExplanation(text.trim(), parts) ?? customerExplanation(text.trim(), parts)
  const activity: OrderActivity = {
    events: eventTracesOf(gathered),
    reads: statusReadsOf(gathered),
    calls: requestedCallsOf(gathered),
  }
  const host: readonly StoryStep[] =
    gathered.record?.way.map(({ status, at }) => ({ status, at })) ?? []
  const known = knownStatuses(activity)
  const splits = splitsOf(gathered, activity, host, known)
  const slot = parts.world.faults.slotByOrder.get(target.orderId)
  const views: OrderViews = { host, known, splits }
  const { lines, first } = restrictToTarget(target, gathered, activity, views)
  return {
    about: { kind: target.kind, id: target.id },
    orderId: target.orderId,
    ...compact({ slot }),
    title: titleOf(gathered, slot),
    other: gathered.other,
    ...compact({ wholeSince: gathered.wholeSince }),
    ...views,
    ...shortened(lines),
    conclusion: conclusionOf(gathered, activity, views, first),
    rules: explainedRules(gathered),
  }
}

/** The lines with the notes on their exchanges, each at the first line that names it. */
function withNotes(lines: readonly StoryLine[], log: ExplainSources['log']): readonly StoryLine[] {
  const named = new Set<number>()
  return lines.map((each) => {
    const texts = each.exchanges.flatMap((seq) => {
      const note = named.has(seq) ? undefined : log.get(seq)?.note
      named.add(seq)
      return note === undefined ? [] : [`note on #${seq}: ${note}`]
    })
    return texts.length === 0 ? each : { ...each, text: `${each.text} (${texts.join('; ')})` }
  })
}

/** Restricts the lines to the requested event or exchange, with conclusions about it. */
function restrictToTarget(
  { kind, id }: Target,
  gathered: OrderEvidence,
  activity: OrderActivity,
  views: OrderViews,
): { readonly lines: readonly StoryLine[]; readonly first: readonly string[] } {
  const lines = withNotes(storyLinesOf(gathered, activity), gathered.log)
  if (kind === 'order') return { lines, first: [] }
  if (kind === 'event') {
    const trace = activity.events.find(({ eventId }) => eventId === id)
    const first = trace ? eventConclusion(trace, gathered, activity) : []
    return { lines: lines.filter((each) => each.eventId === id), first }
  }
  const seq = Number(id.slice(1))
  const call = activity.calls.find(({ observed }) => observed.exchange.seq === seq)
  const first = call ? callConclusion(call, gathered, views) : []
  return { lines: lines.filter(({ exchanges }) => exchanges.includes(seq)), first }
}
