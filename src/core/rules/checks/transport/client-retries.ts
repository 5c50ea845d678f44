/** Checks of what a service does when its calls fail: TRN-STA-10 to 12, AUT-TOK-04. */
import { pushOperations } from '../../../engine/customer/partner.ts'
import { operation as operationOf } from '../../../protocol/catalogue.ts'
import { batchKeys, recordKinds, recordsOfBatch } from '../../../protocol/customer/batch.ts'
import { roles } from '../../../protocol/role.ts'
import { v2OperationOf } from '../../../protocol/v1/operation-names.ts'
import { endOf } from '../../../traffic/exchange.ts'
import { type Check, defineChecks, type Assertion } from '../check.ts'
import {
  answersOf,
  bodyValue,
  type Deviation,
  each,
  every,
  isDateTime,
  notice,
  observation,
  where,
} from '../assertion.ts'
import { carriesEvents, emittedEvents, type Observed, type Trace } from '../trace.ts'

/** Identifies an event, those of Customer and Loyalty in their wrapper. */
const eventIds = ['/eventId', '/event/eventId', '/event/id', '/id']

/** A body without its times: those of a further attempt may be later. */
const contentOf = (body: unknown): string =>
  JSON.stringify(body, (_, value) => (isDateTime(value) === undefined ? '' : (value as unknown))) ??
  ''

/** The first of these members that a body has; all of it where it has none. */
const identityOf = (body: unknown, pointers: readonly string[]): unknown =>
  pointers.map((pointer) => bodyValue(body, pointer)).find((value) => value !== undefined) ??
  contentOf(body)

/** The records of a batch, of any kind. */
function recordsOf({ operation: id, request }: Observed): readonly unknown[] {
  const kind = recordKinds.find((one) =>
    Object.values(pushOperations[one]).some((name) => name === id),
  )
  const programs = id === 'upsertLoyaltyPrograms' ? { one: 'program', many: 'programs' } : undefined
  const keys = kind ? batchKeys[kind] : programs
  return keys ? recordsOfBatch(request, keys).map(({ value }) => value) : []
}

/** What a call is about: each record of a batch is a subject of its own. */
function subjectsOf(call: Observed): readonly unknown[] {
  const { operation: id, request } = call
  const records = recordsOf(call)
  if (records.length > 0) return records.map((record) => identityOf(record, ['/id']))
  // An event whose acknowledgment failed comes again, and is acknowledged with others.
  if (id !== undefined && v2OperationOf(id) === 'acknowledgeEvents') return [undefined]
  if (carriesEvents(id)) return [identityOf(request, eventIds)]
  if (id === 'createDelivery') return [identityOf(request, ['/orderId'])]
  const row = id === undefined ? undefined : operationOf(id)
  return [row?.path.includes('{') && !row.distinguishedBy ? undefined : contentOf(request)]
}

/** What an event is sent under, and what it says beside its id and its times: an attempt may have another id. */
function sentEventKey(call: Observed): string | undefined {
  const requestId = call.requestHeader('x-request-id')
  const [sent] = emittedEvents([call])
  if (!requestId || !sent) return undefined
  const content = contentOf({ ...sent.event, eventId: undefined, id: undefined })
  return JSON.stringify([call.exchange.to.role, call.operation, requestId, content])
}

/** Calls by each of their subjects, an event also by the X-Request-Id of its first attempt: the same calls once. */
function groupAttempts(calls: readonly Observed[]): readonly (readonly Observed[])[] {
  const keys = new Map<string, string>()
  const groups = new Map<string, Observed[]>()
  for (const call of calls)
    for (const subject of subjectsOf(call)) {
      const { exchange, operation: id, url } = call
      const own = JSON.stringify([exchange.to.role, id, url.pathname, subject])
      const sent = sentEventKey(call) ?? own
      const key = keys.get(sent) ?? own
      keys.set(sent, key)
      groups.set(key, [...(groups.get(key) ?? []), call])
    }
  const once = [...groups.values()].map(
    (group) => [group.map(({ exchange }) => exchange.seq).join(), group] as const,
  )
  return [...new Map(once).values()]
}

/** Attempts of one call, in their order. */
export interface Attempts {
  readonly failed: readonly Observed[]
  /** The attempt behind each failed one; undefined where there was none. */
  readonly next: Observed | undefined
  readonly all: readonly Observed[]
}

/** Calls that have failed in this way, each with its further attempts. */
export function attemptsAfter(
  calls: readonly Observed[],
  isFailure: (call: Observed) => boolean,
): readonly Attempts[] {
  return groupAttempts(calls).flatMap((all) => {
    const failed = all.filter(isFailure)
    const [first] = failed
    const last = failed.at(-1)
    if (!first || !last) return []
    const attempts = all.slice(all.indexOf(first))
    return [
      {
        failed,
        next: attempts.find((later) => later.exchange.seq > last.exchange.seq),
        all: attempts,
      },
    ]
  })
}

/** Calls of the service while a procedure went on, as far as its notes say so. */
export function callsDuring(trace: Trace, procedure: string): readonly Observed[] {
  const noted = (name: string): number | undefined =>
    trace.notes(name).find((note) => note.procedure === procedure)?.after
  const begin = noted('begins')
  if (begin === undefined) return []
  const end = noted('ends') ?? Infinity
  return trace.calls().filter(({ exchange: { seq } }) => seq > begin && seq <= end)
}

/** Whether the procedure waited long enough to blame the service for a call that it did not make again. */
export const hasWaited = (trace: Trace, procedure: string): boolean =>
  trace.notes('ends').some((note) => note.procedure === procedure)

/** Two attempts this close have no pause between them, in ms. */
const noPauseMs = 100
/** A pause may be this much shorter than the one before: clocks differ. */
const shrinkShare = 0.8
/** Pauses that differ by less than this factor are all the same: with a random part none grow so little. */
const sameFactor = 1.35
/** A pause that grows is longer by more than this. */
const growthFactor = 1.1
/** A busy machine makes pauses that are meant to be the same differ by this factor. */
const noiseFactor = 2
/** Pauses of calls, from which it is certain that none grows. */
const certainPauses = 4
/** Retry-After is in whole seconds: this much earlier is in time, in ms. */
const earlyMs = 500

/** From the end of an attempt to the begin of the next one. */
const pauseBetween = (before: Observed, next: Observed): number =>
  next.exchange.startedAt - endOf(before.exchange)

/** Each call that failed with this status is made again; a further test looks at its attempts. */
const isRepeated = (
  procedure: string,
  status: number,
  test: (attempts: Attempts, next: Observed, trace: Trace) => Deviation = () => undefined,
): Assertion =>
  function* (trace) {
    const failed = attemptsAfter(callsDuring(trace, procedure), (call) => call.status === status)
    const repeated = failed.filter(({ next }) => next)
    for (const attempts of repeated)
      if (attempts.next)
        yield observation(attempts.all.slice(0, 4), test(attempts, attempts.next, trace))
    const [first] = failed
    if (repeated.length === 0 && first && hasWaited(trace, procedure))
      yield observation(
        first.failed,
        `it does not make ${first.failed[0]?.operation} again after ${status}`,
      )
  }

/** Pauses between the end of an attempt that failed and the next attempt. */
const pausesOf = ({ all, failed }: Attempts): readonly number[] =>
  all.slice(1).flatMap((attempt, index) => {
    const before = all[index]
    return before && failed.includes(before) ? [pauseBetween(before, attempt)] : []
  })

function backsOff(attempts: Attempts): Deviation {
  const pauses = pausesOf(attempts)
  const name = attempts.failed[0]?.operation
  if (pauses.every((pause) => pause < noPauseMs)) return `it makes ${name} again without a pause`
  const ids = new Set(attempts.all.flatMap((call) => call.requestHeader('x-request-id') ?? []))
  if (ids.size > 1) return notice(`it makes ${name} again with another X-Request-Id`)
  return pauses.some((pause, index) => pause < shrinkShare * (pauses[index - 1] ?? 0))
    ? notice(`the pauses between its attempts of ${name} shrink`)
    : undefined
}

/** All pauses between attempts are the same, of each call that failed more than once. */
const pausesGrow: Assertion = function* (trace) {
  const failed = attemptsAfter(callsDuring(trace, 'unavailable'), ({ status }) => status === 503)
  const repeated = failed.filter((attempts) => pausesOf(attempts).length > 1)
  const pauses = repeated.flatMap(pausesOf)
  if (repeated.length === 0) return
  const spread = Math.max(...pauses) / Math.max(1, Math.min(...pauses))
  const growsNowhere = repeated.every((attempts) =>
    pausesOf(attempts).every(
      (pause, index, all) => pause <= growthFactor * (all[index - 1] ?? pause),
    ),
  )
  const isFlat = spread < sameFactor || (growsNowhere && spread < noiseFactor)
  const texts = pauses.map((pause) => Math.round(pause)).join(', ')
  const problem = `it makes calls again with pauses of ${texts} ms, which do not grow`
  yield observation(
    repeated.flatMap(({ all }) => all.slice(0, 3)),
    isFlat && (pauses.length < certainPauses ? notice(problem) : problem),
  )
}

/** What has failed for long is done once it can be. No clause says how long a service tries, so that it is warned only. */
const outlastsOutage: Assertion = function* (trace) {
  for (const { text: orderId } of trace.notes('outage-over')) {
    const calls = trace.calls('confirmOrder').filter(({ exchange }) => exchange.orderId === orderId)
    const last = calls.at(-1)
    if (last)
      yield observation(
        calls.slice(-2),
        last.status === 503 &&
          notice('it gave up an order whose confirmation was answered 503 for 12 s'),
      )
  }
}

function waitsAsAsked({ failed }: Attempts, next: Observed): Deviation {
  const last = failed.at(-1)
  const seconds = Number(last?.replyHeader('retry-after'))
  if (!last || Number.isNaN(seconds)) return undefined
  const pause = pauseBetween(last, next)
  return pause < 1000 * seconds - earlyMs
    ? `it makes ${next.operation} again after ${Math.round(pause)} ms, although Retry-After is ${seconds} s`
    : undefined
}

/** Between a 401 and the next attempt it has asked that host for a token. */
function renewsToken({ failed }: Attempts, next: Observed, trace: Trace): Deviation {
  const last = failed.at(-1)
  const host = next.exchange.to.role
  const asked = trace
    .calls('issueToken')
    .some(
      ({ exchange: { to, seq } }) =>
        to.role === host && seq > (last?.exchange.seq ?? 0) && seq < next.exchange.seq,
    )
  if (next.status === 401) return `it makes ${next.operation} again with a token that has ended`
  const other = last?.requestHeader('authorization') !== next.requestHeader('authorization')
  return !asked && !other && `it asks for no token after 401 for ${next.operation}`
}

/** A call that was answered 503, and 401 when it was made again, is made once more, with a new token. */
const retriesRenewToken: Assertion = function* (trace) {
  const calls = callsDuring(trace, 'revoked-on-retry')
  for (const attempts of attemptsAfter(calls, ({ status }) => status === 503)) {
    const refused = attempts.all.findIndex(({ status }) => status === 401)
    const [failed, next] = attempts.all.slice(Math.max(0, refused))
    if (refused < 0 || !failed || (!next && !hasWaited(trace, 'revoked-on-retry'))) continue
    const problem = next
      ? renewsToken({ ...attempts, failed: [failed] }, next, trace)
      : `it does not make ${failed.operation} again that was answered 503 and then 401`
    yield observation(attempts.all.slice(0, 4), problem)
  }
}

const noServerError = each(
  where(answersOf(), ({ status, exchange }) => status > 0 && exchange.fault === undefined),
  ({ status, operation }) => status === 500 && `it answers 500 to ${operation ?? 'a request'}`,
)

export const clientRetryChecks: readonly Check[] = defineChecks(
  { roles, procedures: ['introduction', 'rate-limited'] },
  {
    'TRN-STA-10': {
      assertion: isRepeated('rate-limited', 429, waitsAsAsked),
      remedy: 'After 429 wait as long as Retry-After says, and make the call again then.',
    },
    'TRN-STA-11': {
      procedures: ['introduction', 'server-error', 'troubled-orders'],
      assertion: every(
        noServerError,
        isRepeated('server-error', 500),
        isRepeated('troubled-orders', 500),
      ),
      remedy: 'Answer no request with 500, and make a call again that was answered 500.',
    },
    'TRN-STA-12': {
      procedures: ['introduction', 'unavailable', 'troubled-orders'],
      assertion: every(isRepeated('unavailable', 503, backsOff), pausesGrow, outlastsOutage),
      remedy: 'After 503 make the call again with growing pauses and the same X-Request-Id.',
    },
    'AUT-TOK-04': {
      procedures: ['introduction', 'revoked-token', 'revoked-on-retry'],
      assertion: every(isRepeated('revoked-token', 401, renewsToken), retriesRenewToken),
      remedy: 'After 401 ask for a new token, and make the call again with it.',
    },
  },
)
