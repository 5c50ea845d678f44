/** Assertions about what an Indoor host shows of an account: in reads, before and after calls, and in its events. */
import { readAccount, type ReadAccount } from '../../../protocol/indoor/read.ts'
import type { AccountEventType } from '../../../protocol/indoor/events.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import type { Assertion } from '../check.ts'
import {
  atSteps,
  each,
  every,
  hasStatusClass,
  isAcceptedCall,
  observation,
  type Deviation,
  valuesAt,
} from '../assertion.ts'
import type { Observed, ObservedEvent, Trace } from '../trace.ts'
import { type AccountName, concerns, eventsOf, notedAccount } from './noted-accounts.ts'

export const accountView = ({ status, reply }: Observed): ReadAccount | undefined => {
  const read = status === 200 ? readAccount(reply) : undefined
  return read?.ok ? read.value : undefined
}

/** A read of an account that can be read. */
export interface AccountRead {
  readonly observed: Observed
  readonly view: ReadAccount
}

/** The last readable account at a step. */
export function accountReadAt(trace: Trace, step: string): AccountRead | undefined {
  for (const observed of trace.at(step).toReversed()) {
    const view = accountView(observed)
    if (view) return { observed, view }
  }
  return undefined
}

const textsAt = (body: unknown, ...pointers: readonly string[]): readonly string[] =>
  pointers
    .flatMap((pointer) => valuesAt(body, pointer))
    .flatMap(({ value }) => (typeof value === 'string' ? [value] : []))

/** The id of the item in the path of a call to cancel it. */
export const itemOf = ({ exchange, url }: Observed): string =>
  exchange.params?.['itemId'] ?? url.pathname.split('/').at(-2) ?? ''

/** Ids in a list of payments, with its wrapper or without. */
export const paymentIds = (list: unknown): readonly string[] =>
  textsAt(list, '/payments/*/paymentId', '/*/paymentId', '/payments/*/id', '/*/id')

/** Fiscal documents of a list, with its wrapper or without. */
export const documentsIn = (list: unknown): readonly { id: string; state: string }[] =>
  [...valuesAt(list, '/documents/*'), ...valuesAt(list, '/*')].flatMap(({ value }) =>
    isUnknownRecord(value) && typeof value['documentStatus'] === 'string'
      ? [{ id: String(value['documentId'] ?? value['id']), state: value['documentStatus'] }]
      : [],
  )

/** The key of an account stands for none once it is closed, as it may (IND-UND-04). */
const isGone = ({ operation, status }: Observed): boolean =>
  operation === 'getAccount' && status === 404

/** The read of an account that is closed by then: nothing where its key stands for none. */
export const readsClosed = (step: string, test: (view: ReadAccount) => Deviation): Assertion =>
  function* (trace) {
    const last = trace.at(step).at(-1)
    if (last && !isGone(last)) yield* reads(step, test)(trace)
  }

/** The read at a step is judged; nothing when the step did not come. An account that cannot be read is a problem. */
export const reads = (
  step: string,
  test: (view: ReadAccount, observed: Observed, trace: Trace) => Deviation,
): Assertion =>
  function* (trace) {
    const last = trace.at(step).at(-1)
    if (!last) return
    const read = accountReadAt(trace, step)
    yield observation(
      [read?.observed ?? last],
      read
        ? test(read.view, read.observed, trace)
        : `it answered ${last.status} to a read of the account, or with no account`,
    )
  }

export const readsStatus = (step: string, status: ReadAccount['status']): Assertion =>
  (status === 'CLOSED' ? readsClosed : reads)(step, (view) =>
    view.status === status ? undefined : `it shows the account as ${view.status}, not ${status}`,
  )

/** After an accepted call the account has a status. */
export const leadsToStatus = (
  step: string,
  read: string,
  status: ReadAccount['status'],
): Assertion =>
  function* (trace) {
    const call = trace.at(step).at(-1)
    if (!call) return
    const last = trace.at(read).at(-1)
    if (status === 'CLOSED' && last && isGone(last)) return
    const after = accountReadAt(trace, read)
    yield observation(
      [call, ...(after ? [after.observed] : [])],
      !isAcceptedCall(call)
        ? `it answered ${call.status} to ${call.operation}`
        : after?.view.status === status
          ? undefined
          : `after ${call.operation} the account is ${after?.view.status ?? 'not readable'}, not ${status}`,
    )
  }

/** What must not change where a call is refused. */
const contentOf = ({ status, items, paid }: ReadAccount, of: 'all' | 'items'): string =>
  JSON.stringify(of === 'all' ? { status, items, paid } : items)

/** The note of a request for a fiscal document, by its number, whose outcome had its time. */
export const outcomeDue = 'fiscal-outcome-due'

/** What may be the outcome of a request for a fiscal document: one of the two events, after it, of no other account. */
export const outcomesAfter = (
  { exchange }: Observed,
  account: AccountName,
  events: readonly ObservedEvent[],
): readonly ObservedEvent[] =>
  events.filter(
    (event) =>
      (event.eventType === 'FISCAL_ISSUED' || event.eventType === 'FISCAL_ERROR') &&
      event.observed.exchange.seq > exchange.seq &&
      concerns(event, account) !== 'no',
  )

/** A clause passes only if each of these occasions was made; what is wrong counts in any case. */
export function whenTried(tried: readonly Assertion[], judged: Assertion): Assertion {
  const whole = function* (trace: Trace) {
    const isTried = tried.every((occasion) => [...occasion(trace)].length > 0)
    for (const found of judged(trace)) if (isTried || found.problem !== undefined) yield found
  }
  return Object.defineProperty(whole, 'live', { get: () => judged.live })
}

/** There was a call at each of these steps. */
export const madeAt = (...steps: readonly string[]): readonly Assertion[] =>
  steps.map(
    (step) =>
      function* (trace: Trace) {
        for (const call of trace.at(step)) yield observation([call], undefined)
      },
  )

/** Between two reads nothing of the account has changed, or none of its items. */
export const staysSame = (
  before: string,
  after: string,
  what: string,
  of: 'all' | 'items' = 'all',
): Assertion =>
  function* (trace) {
    const [first, second] = [accountReadAt(trace, before), accountReadAt(trace, after)]
    if (first && second)
      yield observation(
        [first.observed, second.observed],
        contentOf(first.view, of) !== contentOf(second.view, of) &&
          `it changed the account in spite of ${what}`,
      )
  }

/** Each of these accepted calls has its own event about the account. */
export const announces = (
  procedure: string,
  label: string,
  steps: readonly string[],
  eventType: AccountEventType,
): Assertion =>
  function* (trace) {
    const account = notedAccount(trace, procedure, label)
    if (!account) return
    const events = eventsOf(trace, account, eventType)
    const calls = steps.flatMap((step) => trace.at(`${procedure}/${step}`)).filter(isAcceptedCall)
    for (const [index, call] of calls.entries()) {
      const later = events.filter(({ observed }) => observed.exchange.seq > call.exchange.seq)
      const enough = later.length >= calls.length - index
      yield observation(
        [call, ...later.slice(0, 1).map(({ observed }) => observed)],
        !enough && `it sent no ${eventType} event after an accepted ${call.operation}`,
      )
    }
  }

/** Events of a type about the account: at least and at most so many. */
export const eventCount = (
  procedure: string,
  label: string,
  eventType: AccountEventType,
  { least = 0, most }: { readonly least?: number; readonly most?: number },
): Assertion =>
  function* (trace) {
    const account = notedAccount(trace, procedure, label)
    if (!account) return
    const events = eventsOf(trace, account, eventType)
    const sure = eventsOf(trace, account, eventType, 'surely')
    const shown = [...trace.at(procedure).slice(0, 1), ...events.map(({ observed }) => observed)]
    yield observation(
      shown.slice(0, 5),
      events.length < least
        ? `it sent ${events.length === 0 ? 'no' : `only ${events.length}`} ${eventType} event about the account`
        : most !== undefined && sure.length > most
          ? `it sent ${sure.length} ${eventType} events about the account, not ${most}`
          : undefined,
    )
  }

// Steps of the procedures with an Indoor host, and what must stay as it is around those that are refused.

export const inLife = (step: string): string => `account-life/${step}`

/** An account is closed in IN_USE, when something is due and when all is paid, and then in IN_PAYMENT. */
const closesInUse = [inLife('close-in-use'), 'account-opening/close-paid']
export const closesTried = madeAt(...closesInUse, inLife('close'))
export const closeInUseIsRefused = every(
  each(atSteps(...closesInUse), hasStatusClass(4)),
  readsStatus('account-opening/read-not-closed', 'IN_USE'),
)
export const inTransfer = (step: string): string => `account-transfer/${step}`

export const refusedWhenClosed = [
  'pay-closed',
  'pre-close-closed',
  'unlock-closed',
  'cancel-item-closed',
]
export const refusedTransfers = [
  'transfer-target-locked',
  'transfer-source-locked',
  'transfer-source-closed',
]

export const transfersKept = every(
  staysSame(
    inTransfer('source-read-moved'),
    inTransfer('source-read-target-locked'),
    'a locked target',
  ),
  staysSame(
    inTransfer('target-read-target-locked'),
    inTransfer('target-read-source-locked'),
    'a locked source',
    'items',
  ),
  staysSame(
    inTransfer('target-read-source-locked'),
    inTransfer('target-read-end'),
    'a closed source',
    'items',
  ),
)

/** An order for a locked account adds nothing to it. */
export const lockedOrderAddsNothing = staysSame(
  inLife('read-locked'),
  inLife('read-still-locked'),
  'its lock: an item was added or cancelled',
)
