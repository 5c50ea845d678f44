/**
 * Explains a customer, a loyalty account or a coupon: its statuses, what we did with it, and the calls and events about
 * it with what each of them shows, in order.
 */
import type { JournalEntry } from '../engine/journal.ts'
import { operation as rowOf } from '../protocol/catalogue.ts'
import { textMember, isUnknownRecord, type UnknownRecord } from '../protocol/unknown-record.ts'
import { listIn } from '../protocol/loyalty/page.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import type { EntityRow, SessionEntityKind } from '../session-api/entities.ts'
import type { Explanation } from '../session-api/session-api.ts'
import { tryParseJson } from '../traffic/json/try-parse-json.ts'
import { customerEntities } from './customers.ts'
import type { EntityView, ViewContext } from './entity-view.ts'
import { entityExplanation } from './explain-entity.ts'
import { type ExplainSources, mentionsId } from './explain-gather.ts'
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
  return parts.map((part) => `, ${part}`).join('')
}

/** `calls redeemPoints`, or the event that it brings, and what it shows of the entity. */
function didOf(
  { exchange: { operation, request, reply }, ok }: ObservedExchange,
  ids: readonly string[],
) {
  const sent = tryParseJson(request.body)
  const event = isUnknownRecord(sent) && isUnknownRecord(sent['event']) ? sent['event'] : sent
  const eventType = textMember(event, 'eventType')
  const text = eventType === undefined ? `calls ${operation ?? ''}` : `sends ${eventType}`
  const read = request.method === 'GET' ? ok && tryParseJson(reply?.body) : event
  return { text, isEvent: eventType !== undefined, shown: shownIn(read, ids) }
}

/** The explanation of a customer, a loyalty account or a coupon; undefined where there is none of this name. */
export function customerExplanation(
  text: string,
  sources: ExplainSources,
): Explanation | undefined {
  const found = findRow(text, sources)
  if (!found) return undefined
  const { kind, row, scene } = found
  const { document, statusHistory = [] } = views[kind].detail(row.id, sources.world, scene) ?? {}
  const ids = idsOf(kind, row, document)
  const isNamed = (body: string | undefined): boolean =>
    body !== undefined && ids.some((id) => mentionsId(body, id))
  const way = statusHistory.map(({ status }) => status).join(' > ')
  return entityExplanation(
    {
      about: { kind, id: row.id },
      title: `${row.label} (${kind.replace('-', ' ')} ${row.id}): ${row.status}, ${row.text}`,
      host: 'crm',
      isFact: (entry) => isOurs(entry) && isNamed(JSON.stringify(entry.fact)),
      factKind: () => 'host',
      isAbout: ({ operation, params = {}, request, reply }) =>
        operation !== undefined &&
        rowOf(operation).capability === 'customer' &&
        (Object.values(params).some((each) => ids.includes(each)) ||
          isNamed(request.body) ||
          isNamed(reply?.body)),
      did: (observed) => didOf(observed, ids),
      conclusion: way === '' ? [] : [`Its statuses: ${way}.`],
    },
    sources,
  )
}
