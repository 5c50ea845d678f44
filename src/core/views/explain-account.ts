/**
 * Explains a dining account: its facts, the calls about it and its events in order, what the host and its client have of
 * it, and where they differ.
 */
import type { JournalEntry } from '../engine/journal.ts'
import type { Fact } from '../engine/fact.ts'
import { clockOf, type Instant } from '../engine/instant.ts'
import { tableBill } from '../engine/indoor/tables.ts'
import { type DiningAccountRecord, diningPlace, type DiningTable } from '../engine/indoor/world.ts'
import type { World } from '../engine/world.ts'
import { eventTitle } from '../protocol/event-types.ts'
import { operation as rowOf } from '../protocol/catalogue.ts'
import { accountSums, fromCents } from '../protocol/indoor/totals.ts'
import { operationModes } from '../protocol/indoor/labels.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import type { Explanation } from '../session-api/session-api.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { tryParseJson } from '../traffic/json/try-parse-json.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import { entityExplanation } from './explain-entity.ts'
import { type ExplainSources, sideName } from './explain-gather.ts'

/** An account at its host, where we play that, and as the Ordering Application knows it, where we play that. */
interface ExplainedAccount {
  readonly id: string
  readonly place: string | undefined
  readonly hosted: DiningAccountRecord | undefined
  readonly table: DiningTable | undefined
  /** Since when it is the account of its place, and until when. */
  readonly from: Instant
  readonly until: Instant
}

const placeOf = ({ operationMode, identifier }: Partial<DiningTable>): string | undefined =>
  operationMode && identifier ? diningPlace(operationMode, identifier) : undefined

/** The place that a person writes as `TABLE 7`, `tab:7` or, for a table, `7`, as it is shown, in capitals. */
export function placeNamed(text: string): string {
  const place = text
    .trim()
    .toUpperCase()
    .replace(/[:\s]+/, ' ')
  const hasMode = operationModes.some((mode) => place.startsWith(`${mode} `))
  return hasMode ? place : diningPlace('TABLE', place)
}

/** Minimum number of characters of the beginning of an id. */
const minPrefixLength = 4

/** The account of an id, the beginning of one, or a place, of which it is the newest. */
function findAccount(
  text: string,
  { indoor: { host, guest } }: World,
): ExplainedAccount | undefined {
  const fits = (id: string, record: Partial<DiningTable>): boolean =>
    id === text ||
    (text.length >= minPrefixLength && id.startsWith(text)) ||
    placeOf(record)?.toUpperCase() === placeNamed(text)
  const hosted = [...host.accounts.values()].findLast((each) => fits(each.accountId, each))
  const known = [...guest.tables.values()].findLast((each) => fits(each.tableId, each))
  const id = hosted?.accountId ?? known?.accountId ?? known?.tableId
  if (id === undefined) return undefined
  const table = hosted ? guest.tables.get(guest.byAccount.get(id) ?? '') : known
  const place = placeOf(hosted ?? known ?? {})
  const isThere = (each: Partial<DiningTable>): boolean => placeOf(each) === place
  const begun = [
    ...[...host.accounts.values()].filter(isThere).map(({ openedAt }) => Date.parse(openedAt)),
    ...[...guest.tables.values()].filter(isThere).map(({ begunAt }) => begunAt),
  ]
  const from = hosted ? Date.parse(hosted.openedAt) : (known?.begunAt ?? 0)
  const after =
    (hosted?.closedAt === undefined ? known?.since : Date.parse(hosted.closedAt)) ?? from
  const isOver = (hosted ?? known)?.status === 'CLOSED'
  const next = begun.filter((at) => isOver && at > after)
  return { id, place, hosted, table, from, until: Math.min(Infinity, ...next) }
}

const isOfAccount = (fact: Fact, { id, table }: ExplainedAccount, world: World): boolean => {
  if ('accountId' in fact && fact.kind.startsWith('account.')) return fact.accountId === id
  if (fact.kind === 'event.announced') return fact.event.entityId === id
  if ('eventId' in fact && fact.kind.startsWith('event.'))
    return world.announcements.events.get(fact.eventId)?.entityId === id
  if (!table || !fact.kind.startsWith('table.')) return false
  const named = 'table' in fact ? fact.table?.tableId : 'tableId' in fact ? fact.tableId : undefined
  return named === table.tableId
}

/** Facts that an exchange shows already. */
const isOnTheWire = ({ fact }: JournalEntry): boolean =>
  ['event.pushed', 'table.heard', 'table.asked', 'table.accepted'].includes(fact.kind)

const odd = new Set<Fact['kind']>([
  'account.order-rejected',
  'event.push-failed',
  'event.given-up',
  'table.differs',
  'table.refused',
])

/** The members of a request that name an account. */
function namesOf({ request, params }: Exchange): Readonly<Record<string, unknown>> {
  const body = tryParseJson(request.body ?? '')
  const query = Object.fromEntries(new URL(request.url).searchParams)
  return { ...(isUnknownRecord(body) ? body : {}), ...query, ...params }
}

function isAbout(exchange: Exchange, { id, place, from, until }: ExplainedAccount): boolean {
  const { operation } = exchange
  if (operation === undefined || rowOf(operation).capability !== 'indoor') return false
  const { accountId, operationMode, identifier } = namesOf(exchange)
  if (typeof accountId === 'string') return accountId === id
  // Other guests had accounts at the same place, before or after.
  const isThen = exchange.startedAt >= from && exchange.startedAt < until
  return isThen && `${String(operationMode)} ${String(identifier)}` === place
}

/** `calls payAccount of 20.00`, or the event that it brings. */
function didOf(
  { exchange: { operation, to, request } }: ObservedExchange,
  { subject }: ExplainSources,
) {
  const event = eventTitle(tryParseJson(request.body ?? ''))
  return event === undefined
    ? { text: `calls ${operation ?? ''}${amountText(request.body)}`, isEvent: false }
    : { text: `sends ${event.split(' ')[0] ?? ''} to ${sideName(to.role, subject)}`, isEvent: true }
}

/** ` of 20.00` for a payment. */
function amountText(body = ''): string {
  const read = tryParseJson(body)
  const amount = isUnknownRecord(read) ? read['amount'] : undefined
  return typeof amount === 'number' ? ` of ${amount.toFixed(2)}` : ''
}

const moneyText = (amount = 0, paid = 0, due = 0): string =>
  `${amount.toFixed(2)}, ${paid.toFixed(2)} paid, ${due.toFixed(2)} due`

function conclusionOf(
  { hosted, table }: ExplainedAccount,
  { subject }: ExplainSources,
): readonly string[] {
  const lines: string[] = []
  const mine = hosted && accountSums(hosted)
  if (hosted && mine)
    lines.push(
      `The Software Service has it ${hosted.status} since ${clockOf(hosted.since)}: ${moneyText(fromCents(mine.amount), fromCents(mine.paid), fromCents(mine.due))}.`,
    )
  else if (subject?.role === 'software-service')
    lines.push('Your service is its host: what it has is known from its events and replies alone.')
  const bill = table && tableBill(table)
  if (table)
    lines.push(
      `The Ordering Application has it ${table.status ?? 'without a status'} since ${clockOf(table.since)}${bill ? `: ${moneyText(bill.amount, bill.paid, bill.due)}` : ', and has not read it'}.`,
    )
  if (hosted && table && table.status !== hosted.status)
    lines.push(`The Ordering Application does not know that it is ${hosted.status}.`)
  for (const difference of table?.account?.differences ?? [])
    lines.push(`When it was read last, ${difference}.`)
  if (table?.over === 'stuck')
    lines.push('The Ordering Application gave up waiting: reads showed no change.')
  return lines
}

/** The explanation of an account by its id, the beginning of it, or its place; undefined for no account. */
export function accountExplanation(text: string, sources: ExplainSources): Explanation | undefined {
  const { world } = sources
  const account = findAccount(text, world)
  if (!account) return undefined
  const { id, hosted, table, place = id } = account
  const status = hosted?.status ?? table?.status ?? 'not read yet'
  return entityExplanation(
    {
      about: { kind: 'account', id },
      title: `${place} (account ${id}): ${status}`,
      host: 'software-service',
      isFact: (entry) => isOfAccount(entry.fact, account, world) && !isOnTheWire(entry),
      factKind: ({ fact }) => (fact.kind.startsWith('event.') ? 'event' : 'host'),
      isOdd: ({ fact }) => odd.has(fact.kind),
      isAbout: (exchange) => isAbout(exchange, account),
      did: (observed) => didOf(observed, sources),
      conclusion: conclusionOf(account, sources),
    },
    sources,
  )
}
