/**
 * What the answers of a partner have that its recorded answers have not: statuses, members, types, times; and what the
 * documents and a contract say of it. Values are no drift: a sandbox has its own orders.
 */
import { z } from 'zod'
import { operation, type OperationId } from '../../core/protocol/catalogue.ts'
import { successAnswersOf } from '../../core/protocol/answers.ts'
import type { Conduct } from '../../core/protocol/conduct.ts'
import { bodyTranslator } from '../../core/protocol/translation/translator.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { editAt } from '../../core/runtime/openapi/edit-schema.ts'
import type { Json } from '../../core/runtime/openapi/json.ts'
import { contractRuleId } from '../../core/rules/invariants/verdict.ts'
import { type Exchange, hasSucceeded, wallDurationMs } from '../../core/traffic/exchange.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import type { ReplayedExchange, ReplayReport } from '../../core/traffic/recording/replay-report.ts'

export interface DriftRow {
  readonly operation: string
  readonly kind:
    | 'no answer'
    | 'status'
    | 'member'
    | 'missing'
    | 'type'
    | 'document'
    | 'contract'
    | 'time'
  /** JSON Pointer into the body of the answer, positions of lists as `*`; empty for the answer as a whole. */
  readonly where: string
  readonly recorded: string
  readonly live: string
  /** Whether the schema of the operation has such a member. */
  readonly documented?: boolean
  /** Numbers of the recorded exchanges, the first five. */
  readonly exchanges: readonly number[]
}

export interface DriftReport {
  readonly rows: readonly DriftRow[]
  /** Calls that were answered. */
  readonly answered: number
  /** Calls that were not sent, since they need an id or an answer that did not come. */
  readonly notSent: number
}

interface DriftOptions {
  readonly conduct: Conduct
  /** An answer that takes longer than this, and than any recorded one of its operation, is drift; milliseconds. */
  readonly slowerThanMs?: number | undefined
}

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value

/** Each place of a value with its type, positions of lists as `*`. */
function placesOf(value: unknown, at = ''): readonly (readonly [place: string, type: string])[] {
  const here = [[at, typeOf(value)] as const]
  const inside = Array.isArray(value)
    ? value.flatMap((each: unknown) => placesOf(each, `${at}/*`))
    : isUnknownRecord(value)
      ? Object.entries(value).flatMap(([name, each]) => placesOf(each, `${at}/${name}`))
      : []
  return [...here, ...inside]
}

const bodyOf = ({ reply }: Exchange): unknown => tryParseJson(reply?.body)

/** What the recorded answers of an operation show: their places, each with its types, and those that some lack. */
function recordedShape(bodies: readonly unknown[]) {
  const all = bodies.map(
    (body) => new Set(placesOf(body).map(([place, type]) => `${place} ${type}`)),
  )
  const shown = new Set(all.flatMap((each) => [...each]))
  const places = new Set([...shown].map((text) => text.slice(0, text.lastIndexOf(' '))))
  return {
    has: (place: string) => places.has(place),
    hasType: (place: string, type: string) => shown.has(`${place} ${type}`),
    /** Some answer has the parent and not the member. */
    mayLack: (place: string) =>
      bodies.some((body) => {
        const own = placesOf(body).map(([each]) => each)
        return own.includes(place.slice(0, place.lastIndexOf('/'))) && !own.includes(place)
      }),
  }
}

const schemaOf = (id: OperationId | undefined, status: number, conduct: Conduct) =>
  id &&
  successAnswersOf(operation(id), conduct)
    .find((each) => each.status === status)
    ?.response?.()

/** Whether the schema names a member. */
function isDocumented(schema: z.ZodType | undefined, place: string): boolean {
  if (!schema) return false
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  const defs = isUnknownRecord(json['$defs']) ? json['$defs'] : {}
  const deref = (each: Json): Json => {
    const found = defs[String(each['$ref']).split('/').at(-1) ?? '']
    return isUnknownRecord(found) ? found : each
  }
  let isNamed = false
  const path = place.split('/').filter((name) => name !== '' && name !== '*')
  editAt(json, path, (found) => ((isNamed = true), found), deref)
  return isNamed
}

/** What the schema of the operation says against an answer. */
function documentProblems(exchange: Exchange, conduct: Conduct): ReadonlyMap<string, string> {
  const { operation: id, reply } = exchange
  const schema = schemaOf(id, reply?.status ?? 0, conduct)
  if (!id || !schema) return new Map()
  const body = bodyOf(exchange)
  const read = bodyTranslator(conduct)?.fromWire(id, 'reply', body) ?? body
  const issues = schema.safeParse(read).error?.issues ?? []
  return new Map(
    issues.map(({ path, message }) => [
      path.map((key) => `/${typeof key === 'number' ? '*' : String(key)}`).join(''),
      message,
    ]),
  )
}

/** Both are successes that the operation may have, such as a poll with and without events. */
const areBothUsual = (recorded: Exchange, live: Exchange, conduct: Conduct): boolean => {
  const { operation: id } = recorded
  const usual = id ? successAnswersOf(operation(id), conduct).map(({ status }) => status) : []
  return [recorded, live].every(({ reply }) => usual.some((each) => each === reply?.status))
}

type Row = Omit<DriftRow, 'operation' | 'exchanges'>

function rowsOf(
  { recorded, live, differences, because = 'it was not answered' }: ReplayedExchange,
  shape: ReturnType<typeof recordedShape>,
  { conduct }: DriftOptions,
): readonly Row[] {
  if (!recorded) return []
  const was = recorded.reply?.status ?? 0
  if (!live?.reply) return [{ kind: 'no answer', where: '', recorded: `${was}`, live: because }]
  const is = live.reply.status
  if (was !== is && !areBothUsual(recorded, live, conduct))
    return [{ kind: 'status', where: '', recorded: `${was}`, live: `${is}` }]
  if (was !== is || !hasSucceeded(live.reply)) return []
  const schema = schemaOf(recorded.operation, is, conduct)
  const rows = differences.flatMap((each): readonly Row[] => {
    const { side, where: whole, kind, accepted, rule } = each
    const where = whole.replace(/^\/body/, '').replaceAll(/\/\d+(?=\/|$)/g, '/*')
    if (side !== 'reply' || !whole.startsWith('/body/')) return []
    if (accepted && rule.from === 'user') return []
    // More or fewer entries of a list are values.
    if ((kind === 'extra' || kind === 'missing') && where.endsWith('/*')) return []
    const [before, now] = [typeOf(each.recorded), typeOf(each.live)]
    if (kind === 'extra' && !shape.has(where))
      return [
        {
          kind: 'member',
          where,
          recorded: '-',
          live: now,
          documented: isDocumented(schema, where),
        },
      ]
    if (kind === 'missing' && !shape.mayLack(where))
      return [{ kind: 'missing', where, recorded: before, live: '-' }]
    return kind !== 'extra' && kind !== 'missing' && before !== now && !shape.hasType(where, now)
      ? [{ kind: 'type', where, recorded: before, live: now }]
      : []
  })
  const before = documentProblems(recorded, conduct)
  const problems = [...documentProblems(live, conduct)].filter(([where]) => !before.has(where))
  return [
    ...rows,
    ...problems.map(([where, message]) => ({
      kind: 'document' as const,
      where,
      recorded: 'fits',
      live: message,
    })),
  ]
}

/** Operations whose slowest answer is slower than any recorded one, and than it may be. */
function slowRows(replayed: readonly ReplayedExchange[], { slowerThanMs }: DriftOptions) {
  const slowest = (all: readonly (Exchange | undefined)[]): number =>
    Math.max(0, ...all.map((each) => (each ? wallDurationMs(each) : 0)))
  const [was, is] = [
    slowest(replayed.map(({ recorded }) => recorded)),
    slowest(replayed.map(({ live }) => live)),
  ]
  const text = (ms: number): string => `${Math.round(ms)} ms`
  return slowerThanMs !== undefined && is > slowerThanMs && is > was
    ? [{ kind: 'time' as const, where: '', recorded: text(was), live: text(is) }]
    : []
}

const notSentStandings = new Set(['blocked', 'unresolved', 'missing'])
const maxNumbers = 5

export function driftOf(report: ReplayReport, options: DriftOptions): DriftReport {
  const sent = report.exchanges.filter(({ standing }) => !notSentStandings.has(standing))
  const rows = new Map<string, DriftRow>()
  const add = (row: Row, operationName: string, seq?: number): void => {
    const key = [operationName, row.kind, row.where, row.live].join(' ')
    const seqs = new Set([...(rows.get(key)?.exchanges ?? []), ...(seq === undefined ? [] : [seq])])
    rows.set(key, { operation: operationName, ...row, exchanges: [...seqs].slice(0, maxNumbers) })
  }
  const byOperation = Map.groupBy(
    sent,
    ({ recorded, live }) => (recorded ?? live)?.operation ?? 'other calls',
  )
  for (const [name, all] of byOperation) {
    const bodies = all.flatMap(({ recorded }) =>
      recorded && hasSucceeded(recorded.reply) ? [bodyOf(recorded)] : [],
    )
    const shape = recordedShape(bodies)
    for (const each of all)
      for (const row of rowsOf(each, shape, options)) add(row, name, each.recorded?.seq)
    for (const row of slowRows(all, options)) add(row, name)
  }
  // Advice is about our requests.
  for (const { invariant, because } of report.failedRules)
    if (invariant === contractRuleId)
      add({ kind: 'contract', where: '', recorded: '-', live: because }, '-')
  return {
    rows: [...rows.values()],
    answered: sent.filter(({ live }) => live?.reply).length,
    notSent: report.exchanges.length - sent.length,
  }
}
