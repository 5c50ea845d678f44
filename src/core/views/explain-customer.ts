/**
 * Explains a customer, a loyalty account or a coupon: its statuses, what we did with it, and the calls and events about
 * it with what each of them shows, in order.
 */
import { factText } from '../engine/fact.ts'
import type { JournalEntry } from '../engine/journal.ts'
import { operation as rowOf } from '../protocol/catalogue.ts'
import { textMember, isUnknownRecord, type UnknownRecord } from '../protocol/unknown-record.ts'
import { listIn } from '../protocol/loyalty/page.ts'
import { fullRoleName, type Role } from '../protocol/role.ts'
import { createExchangeObserver } from '../rules/invariants/judge/exchange-observer.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import type { EntityRow, SessionEntityKind } from '../session-api/entities.ts'
import type { Explanation, StoryLine } from '../session-api/session-api.ts'
import { tryParseJson } from '../traffic/json/try-parse-json.ts'
import { isOfItsParties } from '../traffic/log.ts'
import { customerEntities } from './customers.ts'
import type { EntityView, ViewContext } from './entity-view.ts'
import { mentionsId, type ExplainSources } from './explain-gather.ts'
import { endingText, exchangeNumbers, failuresAt, seqOf } from './explain-words.ts'
import { couponEntities, loyaltyAccountEntities } from './loyalty.ts'

const views = {
  customer: customerEntities,
  'loyalty-account': loyaltyAccountEntities,
  coupon: couponEntities,
} as const satisfies Partial<Record<SessionEntityKind, EntityView>>
type Kind = keyof typeof views
const kinds = Object.keys(views) as readonly Kind[]

/** Minimum number of characters of the beginning of an id. */
const minPrefixLength = 4
/** Maximum facts that are looked through, and lines. */
const maxScanned = 20_000
const maxLines = 200

/** The newest entity of an id, the beginning of one, or the code of a coupon. */
function findRow(text: string, { world, settings, now }: ExplainSources) {
  const scene: ViewContext = { now, settings, base: () => undefined }
  let begun: { kind: Kind; row: EntityRow; scene: ViewContext } | undefined
  for (const kind of kinds)
    for (const row of views[kind].rows(world, scene)) {
      if (row.id === text || (kind === 'coupon' && row.label === text)) return { kind, row, scene }
      if (text.length >= minPrefixLength && row.id.startsWith(text)) begun = { kind, row, scene }
    }
  return begun
}

/** Ids by which messages name the entity. */
function idsOf(kind: Kind, { id, label }: EntityRow, document: unknown): readonly string[] {
  if (kind === 'coupon') return [id, label]
  if (kind === 'loyalty-account' || !isUnknownRecord(document)) return [id]
  const { identifier, externalIds } = document
  const others = Array.isArray(externalIds) ? externalIds : []
  return [id, textMember(identifier, 'value'), ...others].filter((each) => typeof each === 'string')
}

/** What a host of ours did; of what was received there is an exchange. */
const isOurs = ({ fact: { kind } }: JournalEntry): boolean =>
  /^(customer|loyalty)\./.test(kind) && !/[.-](heard|repeated)$/.test(kind)

const entitiesIn = (body: unknown): readonly UnknownRecord[] => {
  const one = isUnknownRecord(body) ? Object.values(body) : []
  return [body, ...one, ...(listIn(body) ?? [])].filter(isUnknownRecord)
}

/** What a message shows of the entity: `ACTIVE, 120 points, no marketing`. */
function shownIn(body: unknown, ids: readonly string[]): string {
  const names = ['id', 'accountId', 'code', 'couponCode', 'customerId']
  const record = entitiesIn(body).find((each) =>
    names.some((name) => ids.includes(String(each[name]))),
  )
  if (!record) return ''
  const { status, summary, balance, points, consent } = record
  const marketing = isUnknownRecord(consent) ? consent['marketing'] : undefined
  const available = isUnknownRecord(summary) ? summary['pointsAvailable'] : undefined
  const parts = [
    ...(typeof status === 'string' ? [status] : []),
    ...(typeof points === 'number' ? [`${points} points`] : []),
    ...(typeof available === 'number' ? [`${available} points available`] : []),
    ...(typeof balance === 'number' ? [`a balance of ${balance}`] : []),
    ...(typeof marketing === 'boolean' ? [marketing ? 'marketing' : 'no marketing'] : []),
  ]
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}

function exchangeLine(
  observed: ObservedExchange,
  ids: readonly string[],
  subject: ExplainSources['subject'],
): StoryLine {
  const { exchange, ok } = observed
  const { operation = '', from, request, reply } = exchange
  const name = subject?.role === from.role ? 'your service' : `the ${fullRoleName[from.role]}`
  const sent = tryParseJson(request.body)
  const event = isUnknownRecord(sent) && isUnknownRecord(sent['event']) ? sent['event'] : sent
  const eventType = textMember(event, 'eventType')
  const isRead = request.method === 'GET'
  const shown = isRead
    ? shownIn(ok ? tryParseJson(reply?.body) : undefined, ids)
    : shownIn(eventType === undefined ? sent : event, ids)
  const did = eventType === undefined ? `calls ${operation}` : `sends ${eventType}`
  return {
    at: observed.began,
    kind: eventType === undefined ? (isRead ? 'read' : 'call') : 'handover',
    text: `${name} ${did} (#${exchange.seq}, ${endingText(observed)})${shown}`,
    exchanges: [exchange.seq],
    ...(ok ? {} : { odd: true }),
  }
}

/** The explanation of a customer, a loyalty account or a coupon; undefined where there is none of this name. */
export function customerExplanation(
  text: string,
  sources: ExplainSources,
): Explanation | undefined {
  const found = findRow(text, sources)
  if (!found) return undefined
  const { kind, row, scene } = found
  const { world, journal, log, verdicts, subject } = sources
  const { document, statusHistory = [] } = views[kind].detail(row.id, world, scene) ?? {}
  const ids = idsOf(kind, row, document)
  const isNamed = (body: string | undefined): boolean =>
    body !== undefined && ids.some((id) => mentionsId(body, id))
  const facts: JournalEntry[] = []
  let scanned = 0
  for (const entry of journal.before(Number.MAX_SAFE_INTEGER)) {
    if (scanned++ >= maxScanned || facts.length >= maxLines) break
    if (isOurs(entry) && isNamed(JSON.stringify(entry.fact))) facts.push(entry)
  }
  const other: Role = 'crm'
  const observe = createExchangeObserver(other)
  const exchanges: ObservedExchange[] = []
  for (const exchange of log.ofThisWorld()) {
    const { operation, params = {}, request, reply, seq } = exchange
    if (exchanges.length >= maxLines) break
    if (operation === undefined || rowOf(operation).capability !== 'customer') continue
    if (!isOfItsParties(exchange)) continue
    const isAbout = Object.values(params).some((each) => ids.includes(each))
    const span =
      isAbout || isNamed(request.body) || isNamed(reply?.body) ? log.spanOf(seq) : undefined
    const observed = span && observe(exchange, span)
    if (observed) exchanges.push(observed)
  }
  const lines = [
    ...facts.toReversed().map(({ at, seq, fact }): StoryLine => ({
      at,
      kind: 'host',
      text: factText(fact, world),
      exchanges: [],
      fact: seq,
    })),
    ...exchanges.toReversed().map((observed) => exchangeLine(observed, ids, subject)),
  ].toSorted((one, next) => one.at - next.at)
  const shown = lines.slice(-maxLines)
  const failed = failuresAt(exchanges, verdicts)
  const refused = exchanges.filter(({ ok }) => !ok).map(seqOf)
  const way = statusHistory.map(({ status }) => status).join(' > ')
  return {
    about: { kind, id: row.id },
    title: `${row.label} (${kind.replace('-', ' ')} ${row.id}): ${row.status}, ${row.text}`,
    other: { role: other, name: subject?.role === other ? 'your service' : 'the CRM' },
    host: [],
    known: [],
    splits: [],
    lines: shown,
    omitted: lines.length - shown.length,
    conclusion: [
      ...(way === '' ? [] : [`Its statuses: ${way}.`]),
      ...(refused.length > 0 ? [`Without success: ${exchangeNumbers(refused.toReversed())}.`] : []),
      ...failed.sentences,
    ],
    rules: failed.rules,
  }
}
