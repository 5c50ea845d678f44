/**
 * What the answers of a partner have that its recorded answers have not: statuses, members, types, times; and what the
 * documents and a contract say of it. Values are no drift: a sandbox has its own orders.
 */
import { z } from 'zod'
import { operation } from '../../core/protocol/catalogue.ts'
import { successAnswersOf } from '../../core/protocol/answers.ts'
import type { Conduct } from '../../core/protocol/conduct.ts'
import { bodyTranslator } from '../../core/protocol/translation/translator.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { contractRuleId } from '../../core/rules/invariants/verdict.ts'
import { type Exchange, hasSucceeded, wallDurationMs } from '../../core/traffic/exchange.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import type { ReplayedExchange, ReplayReport } from '../../core/traffic/recording/replay-report.ts'

export interface DriftRow {
  readonly operation: string
  readonly kind: string
  /** JSON Pointer into the body of the answer, positions of lists as `*`; empty for the answer as a whole. */
  readonly where: string
  readonly recorded: string
  readonly live: string
  /** Whether the schema of the operation has a member of this name. */
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

/** Each place of a value with its types, positions of lists as `*`. */
function placesOf(value: unknown, at = '', found = new Map<string, Set<string>>()) {
  found.set(at, (found.get(at) ?? new Set()).add(typeOf(value)))
  if (Array.isArray(value)) for (const each of value) placesOf(each, `${at}/*`, found)
  else if (isUnknownRecord(value))
    for (const [name, each] of Object.entries(value)) placesOf(each, `${at}/${name}`, found)
  return found
}

const bodyOf = ({ reply }: Exchange): unknown => tryParseJson(reply?.body)

const answersOf = ({ operation: id }: Exchange, conduct: Conduct) =>
  id ? successAnswersOf(operation(id), conduct) : []

const schemaOf = (exchange: Exchange, conduct: Conduct): z.ZodType | undefined =>
  answersOf(exchange, conduct)
    .find(({ status }) => status === exchange.reply?.status)
    ?.response?.()

/** What the schema of the operation says against an answer, by places. */
function documentProblems(exchange: Exchange, conduct: Conduct): ReadonlyMap<string, string> {
  const body = bodyOf(exchange)
  const translator = exchange.operation && bodyTranslator(conduct)
  const read = translator ? translator.fromWire(exchange.operation, 'reply', body) : body
  const issues = schemaOf(exchange, conduct)?.safeParse(read).error?.issues ?? []
  const placeOf = (key: PropertyKey): string => `/${typeof key === 'number' ? '*' : String(key)}`
  return new Map(issues.map(({ path, message }) => [path.map(placeOf).join(''), message]))
}

/** Whether the schema has a member of this name. */
const isDocumented = (schema: z.ZodType | undefined, place: string): boolean =>
  schema !== undefined &&
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes(
    `${JSON.stringify(place.split('/').at(-1))}:{`,
  )

type Row = Omit<DriftRow, 'operation' | 'exchanges'>

const row = (kind: string, where: string, recorded: unknown, live: unknown): Row => ({
  kind,
  where,
  recorded: String(recorded),
  live: String(live),
})

function rowsOf(
  { recorded, live, differences, because = 'it was not answered' }: ReplayedExchange,
  bodies: readonly ReturnType<typeof placesOf>[],
  conduct: Conduct,
): readonly Row[] {
  if (!recorded) return []
  const [was, is] = [recorded.reply?.status, live?.reply?.status]
  if (!live || is === undefined) return [row('no answer', '', was, because)]
  // A poll is usual with events and without.
  const usual = answersOf(recorded, conduct).map(({ status }) => status)
  const areUsual = [was, is].every((status) => usual.some((each) => each === status))
  if (was !== is) return areUsual ? [] : [row('status', '', was, is)]
  if (!hasSucceeded(live.reply)) return []
  const rows = differences.flatMap((each): readonly Row[] => {
    const { side, kind, accepted, rule } = each
    const where = each.where.replace(/^\/body/, '').replaceAll(/\/\d+(?=\/|$)/g, '/*')
    const isOfBody = side === 'reply' && each.where.startsWith('/body/')
    if (!isOfBody || (accepted && rule.from === 'user')) return []
    const [before, now] = [typeOf(each.recorded), typeOf(each.live)]
    const has = (body: ReturnType<typeof placesOf>, place: string) => body.has(place)
    if (kind !== 'extra' && kind !== 'missing')
      return before === now || bodies.some((body) => body.get(where)?.has(now))
        ? []
        : [row('type', where, before, now)]
    // More or fewer entries of a list are values.
    if (where.endsWith('/*')) return []
    if (kind === 'extra')
      return bodies.some((body) => has(body, where))
        ? []
        : [
            {
              ...row('member', where, '-', now),
              documented: isDocumented(schemaOf(live, conduct), where),
            },
          ]
    const parent = where.slice(0, where.lastIndexOf('/'))
    const mayLack = bodies.some((body) => has(body, parent) && !has(body, where))
    return mayLack ? [] : [row('missing', where, before, '-')]
  })
  const before = documentProblems(recorded, conduct)
  const problems = [...documentProblems(live, conduct)].filter(([where]) => !before.has(where))
  return [...rows, ...problems.map(([where, text]) => row('document', where, 'fits', text))]
}

const slowestMs = (all: readonly (Exchange | undefined)[]): number =>
  Math.round(Math.max(0, ...all.map((each) => (each ? wallDurationMs(each) : 0))))

const notSentStandings = new Set(['blocked', 'unresolved', 'missing'])
const maxNumbers = 5

export function driftOf(report: ReplayReport, options: DriftOptions): DriftReport {
  const { conduct, slowerThanMs = Number.POSITIVE_INFINITY } = options
  const sent = report.exchanges.filter(({ standing }) => !notSentStandings.has(standing))
  const rows = new Map<string, DriftRow>()
  const add = (found: Row, name: string, ...seqs: readonly number[]): void => {
    const key = [name, found.kind, found.where, found.live].join(' ')
    const exchanges = [...new Set([...(rows.get(key)?.exchanges ?? []), ...seqs])]
    rows.set(key, { operation: name, ...found, exchanges: exchanges.slice(0, maxNumbers) })
  }
  const byOperation = Map.groupBy(sent, ({ recorded }) => recorded?.operation ?? 'other calls')
  for (const [name, all] of byOperation) {
    const bodies = all.flatMap(({ recorded }) =>
      recorded && hasSucceeded(recorded.reply) ? [placesOf(bodyOf(recorded))] : [],
    )
    for (const each of all)
      for (const found of rowsOf(each, bodies, conduct)) add(found, name, each.recorded?.seq ?? 0)
    const was = slowestMs(all.map(({ recorded }) => recorded))
    const is = slowestMs(all.map(({ live }) => live))
    if (is > slowerThanMs && is > was) add(row('time', '', `${was} ms`, `${is} ms`), name)
  }
  // Advice is about our requests.
  for (const { invariant, because } of report.failedRules)
    if (invariant === contractRuleId) add(row('contract', '', '-', because), '-')
  return {
    rows: [...rows.values()],
    answered: sent.filter(({ live }) => live?.reply).length,
    notSent: report.exchanges.length - sent.length,
  }
}
