/** What procedures write down of their accounts, and how events and exchanges are recognised as about one of them. */
import { z } from 'zod'
import { looseObject } from '../../../base/lazy-object.ts'
import type { ObservedEvent, Trace } from '../trace.ts'

const Noted = looseObject(() => ({
  label: z.string(),
  operationMode: z.string(),
  identifier: z.string(),
  accountId: z.string().optional(),
}))

export interface AccountName {
  readonly operationMode: string
  readonly identifier: string
  readonly accountId?: string | undefined
  readonly orders?: readonly string[]
}

export interface NotedAccount extends AccountName {
  readonly label: string
  readonly procedure: string
}

type Note = readonly [name: string, text: string]

export const accountNote = (account: Omit<NotedAccount, 'procedure' | 'orders'>): Note => [
  'account',
  JSON.stringify(account),
]
export const accountOrderNote = (label: string, orderId: string): Note => [
  `order of ${label}`,
  orderId,
]

/** The account that the procedure has opened under this label; undefined when it has not. */
export function notedAccount(
  trace: Trace,
  procedure: string,
  label: string,
): NotedAccount | undefined {
  const orders = trace
    .notes(`order of ${label}`)
    .flatMap((note) => (note.procedure === procedure ? [note.text] : []))
  for (const note of trace.notes('account')) {
    if (note.procedure !== procedure) continue
    const { operationMode, identifier, accountId, ...noted } = Noted.parse(JSON.parse(note.text))
    if (noted.label === label)
      return { label, procedure, operationMode, identifier, accountId, orders }
  }
  return undefined
}

/**
 * Whether an event is about an account. The documents ask of an event no more than an id and a type (IND-UND-05): one that
 * names nothing may be about any account.
 */
export function concerns(
  { event, orderId }: ObservedEvent,
  account: AccountName,
): 'yes' | 'no' | 'unknown' {
  const { accountId, operationMode, identifier } = event
  if (accountId !== undefined && account.accountId !== undefined)
    return accountId === account.accountId ? 'yes' : 'no'
  if (orderId !== undefined && account.orders?.includes(orderId)) return 'yes'
  if (identifier !== undefined)
    return identifier === account.identifier &&
      (operationMode === undefined || operationMode === account.operationMode)
      ? 'yes'
      : 'no'
  return 'unknown'
}

/** The events of this type that are, or may be, about the account; each id once. */
export function eventsOf(
  trace: Trace,
  account: NotedAccount,
  eventType: string,
  sure: 'surely' | 'perhaps' = 'perhaps',
): readonly ObservedEvent[] {
  const observed = new Set<string>()
  return trace.emitted().filter((event) => {
    if (event.observed.operation !== 'receiveAccountEvent' || event.eventType !== eventType)
      return false
    const about = concerns(event, account)
    if (about === 'no' || (sure === 'surely' && about === 'unknown')) return false
    if (event.eventId !== undefined && observed.has(event.eventId)) return false
    if (event.eventId !== undefined) observed.add(event.eventId)
    return true
  })
}
