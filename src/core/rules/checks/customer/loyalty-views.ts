/** What a Loyalty host has shown at the steps of procedures: accounts, transactions, coupons. */
import { isUnknownRecord, type UnknownRecord } from '../../../protocol/unknown-record.ts'
import { bodyValue, type Deviation, observation } from '../assertion.ts'
import type { Assertion } from '../check.ts'
import { perMessage } from '../live.ts'
import type { Observed, ObservedEvent, Trace } from '../trace.ts'
import { loyaltyEventsOf, payloadOf, eventSeq, containsText } from './records.ts'
import { entriesIn } from './assertions.ts'

export interface Shown {
  readonly observed: Observed
  readonly record: UnknownRecord
}

/** An account, a transaction or a coupon in each reply that has some. */
function shownBy(all: readonly Observed[]): readonly Shown[] {
  return all.flatMap((observed) =>
    observed.status === 200
      ? entriesIn(observed.reply).map((record) => ({ observed, record }))
      : [],
  )
}

/** The accounts of one message: in the list of a customer, or alone. */
export function accountsIn({
  isCall,
  operation,
  status,
  reply,
}: Observed): readonly UnknownRecord[] {
  if (isCall || status !== 200) return []
  if (operation === 'listCustomerLoyaltyAccounts') return entriesIn(reply)
  return operation === 'getLoyaltyAccountById' && isUnknownRecord(reply) ? [reply] : []
}

/** Accounts in the lists of customers, and alone. */
export const accountsShown = (trace: Trace): readonly Shown[] =>
  trace.all.flatMap((observed) => accountsIn(observed).map((record) => ({ observed, record })))

export const transactionsShown = (trace: Trace): readonly Shown[] =>
  shownBy(trace.answers('listLoyaltyTransactions'))

export const couponsShown = (trace: Trace): readonly Shown[] =>
  shownBy(trace.answers('listLoyaltyCoupons'))

/** The last successful reading of a step. */
export const readingAt = (trace: Trace, step: string): Observed | undefined =>
  trace.at(step).findLast(({ status }) => status === 200)

/** The account of a reading with which its procedure goes on; the first one before it has one. */
export function accountAt(trace: Trace, reading: Observed | undefined): UnknownRecord | undefined {
  const accounts = entriesIn(reading?.reply)
  const procedure = reading?.step?.split('/', 1)[0]
  const known = trace.notes('member-account').find((note) => note.procedure === procedure)
  return (
    accounts.find((each) => each['id'] === known?.text || each['accountId'] === known?.text) ??
    accounts[0]
  )
}

/** The balance of an account that can be spent. */
export function pointsOf(account: UnknownRecord): number | undefined {
  const points = bodyValue(account, '/summary/pointsAvailable')
  return typeof points === 'number' ? points : undefined
}

/** A figure of the account of a reading. */
export function pointsAt(
  trace: Trace,
  step: string,
  figure: 'pointsAvailable' | 'pointsPending',
): { readonly reading: Observed; readonly points: number } | undefined {
  const reading = readingAt(trace, step)
  const points = reading && bodyValue(accountAt(trace, reading), `/summary/${figure}`)
  return reading && typeof points === 'number' ? { reading, points } : undefined
}

/** Entries of a type in the transactions of a reading; undefined when they were not shown. */
export function transactionCount(trace: Trace, step: string, type: string): number | undefined {
  const reading = readingAt(trace, step)
  return reading && entriesIn(reading.reply).filter((each) => each['type'] === type).length
}

/** The number of the last exchange before a note of a procedure. */
export const noteAt = (trace: Trace, procedure: string, name: string): number | undefined =>
  trace.notes(name).find((note) => note.procedure === procedure)?.after

/** Loyalty events of these types, of a procedure's time: behind a note, and before another one where there is one. */
export function eventsAfter(
  trace: Trace,
  [from, to]: readonly [from: number, to?: number | undefined],
  ...types: readonly string[]
): readonly ObservedEvent[] {
  return loyaltyEventsOf(trace, ...types).filter(
    (event) => eventSeq(event) > from && (to === undefined || eventSeq(event) <= to),
  )
}

/** Whether an event is about a member: it names the account; or the customer and no account; or neither. */
export function isAboutMember(event: ObservedEvent, ids: readonly string[]): boolean {
  const { accountId, customerId } = { ...event.event, ...payloadOf(event) }
  if (typeof accountId === 'string') return ids.includes(accountId)
  const isAnonymous = accountId === undefined && customerId === undefined
  return isAnonymous || ids.some((id) => containsText(event.event, id))
}

/** Ids of the account and of its customer in a reading of accounts. */
export function memberIds(trace: Trace, reading: Observed | undefined): readonly string[] {
  const account = accountAt(trace, reading)
  return [account?.['id'], account?.['accountId'], account?.['customerId']].filter(
    (id) => typeof id === 'string',
  )
}

/** Each record that a Loyalty host shows. */
export const eachShown = (
  shown: (trace: Trace) => readonly Shown[],
  test: (record: UnknownRecord) => Deviation,
): Assertion =>
  perMessage(function* (trace) {
    for (const { observed, record } of shown(trace)) yield observation([observed], test(record))
  })

export const inWords = (what: string, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `${what} is wrong at ${problem}`
