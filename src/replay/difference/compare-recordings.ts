/** Compares two recordings; other identifiers and another start time make no difference. */
import { compact } from '../../core/base/compact.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import type { Standing } from '../../core/traffic/recording/standing.ts'
import { differingStandings } from '../minimise/failure-signature.ts'
import { align } from './align.ts'
import { compareExchanges, createMonotonicHistory } from './compare-exchanges.ts'
import { NameMapping } from './name-mapping.ts'
import { acceptNoise, type ComparedPair } from './noise.ts'
import { defaultRule, type RuleBook } from './rule-book.ts'
import type { RenamedIdentifier } from '../../core/traffic/recording/binding.ts'
import { operation as rowOf } from '../../core/protocol/catalogue.ts'
import { forEachMention } from '../../core/traffic/entities/mentions.ts'
import { replyDocument, requestDocument } from './document.ts'
import { looksMachineGenerated, textFormOf } from './text-form.ts'
import { canonicalJson } from '../../core/traffic/recording/json.ts'
import { isAcknowledgmentCall, isIdlePoll } from '../../core/traffic/polling.ts'
import { eventTypeOf, splitByEvent } from '../../core/traffic/recording/split-by-event.ts'

/**
 * Splits a recording into units of comparison: calls, handed-over events, acknowledgments, readings. Insignificant
 * exchanges are left out and counted: idle polls, readings without a change since the one before, token requests.
 */
type UnitClass = 'event' | 'acknowledgment' | 'reading' | 'call'

interface ComparedUnit {
  readonly exchange: RecordedExchange
  readonly class: UnitClass
  /** The operation; for an event or its acknowledgment with the event type. */
  readonly name: string
  /** The entity: `order:35bf…`; empty when there is none. */
  readonly entity: string
  /** Request and reply with generated identifiers and instants masked. */
  readonly content: string
}

const tokenOperations: ReadonlySet<string> = new Set(['issueToken', 'authorize'])

/** Kinds of entities, the most specific first. */
const entityKinds = [
  'order',
  'delivery',
  'account',
  'customer',
  'lead',
  'review',
  'loyalty-account',
  'redemption',
  'coupon',
] as const

/** Canonical JSON with identifiers, instants and URLs replaced by their form. */
const maskedJson = (value: unknown): string =>
  canonicalJson(value, (each) => {
    if (typeof each !== 'string') return JSON.stringify(each)
    if (looksMachineGenerated(each)) return `#${textFormOf(each)}`
    const form = textFormOf(each)
    return form === 'instant' || form === 'url' ? `#${form}` : JSON.stringify(each)
  })

function contentOf(exchange: Exchange): string {
  const { headers: _sent, ...request } = requestDocument(exchange)
  const { headers: _got, ...reply } = replyDocument(exchange)
  return `${maskedJson(request)} ${maskedJson(reply)}`
}

function entityOf(exchange: Exchange, orderOf: ReadonlyMap<string, string>): string {
  const named = exchange.orderId ?? orderOf.get(exchange.eventIds?.[0] ?? '')
  if (named !== undefined) return `order:${named}`
  // An exchange that names several entities of a kind belongs to none of them.
  const found = new Map<string, Set<string>>()
  forEachMention(exchange, ({ kind, value, isPart }) => {
    if (kind === undefined || isPart) return
    const values = found.get(kind) ?? new Set<string>()
    found.set(kind, values.add(value))
  })
  for (const kind of entityKinds) {
    const [first, second] = found.get(kind) ?? []
    if (first !== undefined && second === undefined) return `${kind}:${first}`
  }
  return ''
}

function classOf(exchange: Exchange, type: string | undefined): UnitClass {
  if (type !== undefined) return 'event'
  if (isAcknowledgmentCall(exchange)) return 'acknowledgment'
  const { operation, request } = exchange
  const isView = operation === undefined ? false : rowOf(operation).handler.kind === 'view'
  return isView || request.method === 'GET' ? 'reading' : 'call'
}

/** Whether a reading differs from the one before by nothing that the rules do not accept. */
const isUnchangedReading = (before: Exchange, exchange: Exchange, rules: RuleBook): boolean =>
  compareExchanges(before, exchange, rules).every(({ accepted }) => accepted)

const resourceOf = ({ from, request }: Exchange): string =>
  `${from.role} ${request.method} ${request.url.replace(/\?.*$/, '')}`

export function comparedUnits(exchanges: readonly RecordedExchange[], rules: RuleBook) {
  const typeOf = new Map<string, string>()
  const orderOf = new Map<string, string>()
  const lastRead = new Map<string, Exchange>()
  const units: ComparedUnit[] = []
  let idle = 0
  let tokens = 0

  function isRepeatedReading(exchange: Exchange): boolean {
    const resource = resourceOf(exchange)
    const before = lastRead.get(resource)
    if (before && isUnchangedReading(before, exchange, rules)) return true
    lastRead.set(resource, exchange)
    return false
  }

  function unitOf(exchange: RecordedExchange): ComparedUnit | undefined {
    const type = eventTypeOf(exchange)
    const [eventId] = exchange.eventIds ?? []
    if (type !== undefined && eventId !== undefined) {
      typeOf.set(eventId, type)
      if (exchange.orderId !== undefined) orderOf.set(eventId, exchange.orderId)
    }
    const kind = classOf(exchange, type)
    if (kind === 'reading' && isRepeatedReading(exchange)) return undefined
    const eventType = type ?? (kind === 'acknowledgment' ? typeOf.get(eventId ?? '') : undefined)
    const operation = exchange.operation ?? exchange.request.method
    return {
      exchange,
      class: kind,
      name: eventType === undefined ? operation : `${operation}:${eventType}`,
      entity: entityOf(exchange, orderOf),
      content: contentOf(exchange),
    }
  }

  for (const whole of exchanges) {
    if (tokenOperations.has(whole.operation ?? '')) tokens++
    else if (isIdlePoll(whole)) idle += whole.repeated?.times ?? 1
    else
      for (const exchange of splitByEvent(whole)) {
        const unit = unitOf(exchange)
        if (unit) units.push(unit)
        else idle++
      }
  }
  return { units, idle, tokens }
}

/** Result of comparing two recordings, in the shape of a replay report. */
export interface Comparison {
  /** In recorded order; extra exchanges where they happened. */
  readonly exchanges: readonly ReplayedExchange[]
  /** Index in `exchanges` of the first that differs beyond noise. */
  readonly first?: number
  readonly counts: Readonly<Partial<Record<Standing, number>>>
  /** Recorded and live identifiers, as they were matched. */
  readonly map: readonly RenamedIdentifier[]
  /** Number of exchanges left out as insignificant. */
  readonly leftOut: {
    readonly idle: readonly [recorded: number, live: number]
    readonly tokens: readonly [recorded: number, live: number]
  }
}

/**
 * Matches the orders, accounts and customers of two recordings: by identifier, else by equal history, else by
 * position and similarity.
 */
interface Entity {
  readonly name: string
  readonly kind: string
  /** Names and contents of its exchanges, in order. */
  readonly story: readonly string[]
  readonly said: ReadonlySet<string>
}

/** Maximum number of exchanges of a history. */
const maxHistory = 40

function entitiesIn(units: readonly ComparedUnit[]): readonly Entity[] {
  const found = new Map<string, string[]>()
  for (const { entity, name, content } of units) {
    if (entity === '') continue
    const story = found.get(entity) ?? []
    found.set(entity, story)
    if (story.length < maxHistory) story.push(`${name} ${content}`)
  }
  return Array.from(found, ([name, story]) => ({
    name,
    kind: name.split(':', 1)[0] ?? '',
    story,
    said: new Set(story),
  }))
}

/** Similarity of two histories, from 0 to 1. */
function similarity(left: Entity, right: Entity): number {
  if (left.kind !== right.kind) return 0
  const common = left.story.filter((each) => right.said.has(each)).length
  return common / Math.max(left.story.length, right.story.length, 1)
}

/** The recorded identifier of every matched live entity. */
function matchEntities(
  recorded: readonly ComparedUnit[],
  live: readonly ComparedUnit[],
): ReadonlyMap<string, string> {
  const matched = new Map<string, string>()
  const lefts = new Map(entitiesIn(recorded).map((each) => [each.name, each]))
  const rights = new Map(entitiesIn(live).map((each) => [each.name, each]))
  const pair = (left: Entity, right: Entity): void => {
    matched.set(right.name, left.name)
    lefts.delete(left.name)
    rights.delete(right.name)
  }
  for (const right of rights.values()) {
    const left = lefts.get(right.name)
    if (left) pair(left, right)
  }
  const byStory = Map.groupBy(lefts.values(), ({ kind, story }) => [kind, ...story].join('\n'))
  for (const right of rights.values()) {
    const left = byStory.get([right.kind, ...right.story].join('\n'))?.shift()
    if (left) pair(left, right)
  }
  const [a, b] = [[...lefts.values()], [...rights.values()]]
  const rest = align({
    left: a.length,
    right: b.length,
    score(row, column) {
      const [left, right] = [a[row], b[column]]
      // Entities of one kind at the same position may be paired even with different histories.
      return left && right && left.kind === right.kind ? 0.1 + similarity(left, right) : 0
    },
    best: 2,
  })
  for (const each of rest) {
    const left = each.left === undefined ? undefined : a[each.left]
    const right = each.right === undefined ? undefined : b[each.right]
    if (left && right) pair(left, right)
  }
  return matched
}

export interface ComparedRecording {
  readonly exchanges: readonly RecordedExchange[]
}

/** The rule for moved units: the order of readings has no meaning. */
const movedRule = {
  ...defaultRule,
  reason: 'It came at another place among the others of its kind.',
}

function movedDifference({ recorded, live }: UnitPair): readonly Difference[] {
  return [
    {
      side: 'request',
      where: '',
      kind: 'order',
      recorded: recorded?.exchange.seq,
      live: live?.exchange.seq,
      rule: movedRule,
      accepted: recorded?.class === 'reading',
    },
  ]
}

/**
 * Readings that a party polls at its own pace, without an event: a state that lasted a second may show in one run
 * and missed in the next.
 */
const polledReadings: ReadonlySet<string> = new Set(['getDelivery'])

const isUnpairedReading = ({ recorded, live }: UnitPair): boolean =>
  (recorded === undefined || live === undefined) &&
  polledReadings.has((recorded ?? live)?.name ?? '')

/**
 * Leaves out such readings that only one run has of an entity that both read; returns the rest and the number left
 * out.
 */
function withoutUnpairedReadings(
  beside: readonly UnitPair[],
): readonly [readonly UnitPair[], Readonly<Record<'recorded' | 'live', number>>] {
  const both = beside.filter(({ recorded, live }) => recorded && live)
  const looked = new Set(both.flatMap(({ recorded, live }) => [recorded?.entity, live?.entity]))
  const { glances = [], rest = [] } = Object.groupBy(beside, (each) =>
    isUnpairedReading(each) && looked.has((each.recorded ?? each.live)?.entity)
      ? 'glances'
      : 'rest',
  )
  const recorded = glances.filter((each) => each.recorded).length
  return [rest, { recorded, live: glances.length - recorded }]
}

function standingOf(differences: readonly Difference[], names: NameMapping): Standing {
  const open = differences.filter(({ accepted }) => !accepted)
  if (open.length === 0) return differences.length === 0 ? 'same' : 'noise'
  return open.every(({ recorded, live }) => names.isBoundElsewhere(recorded, live))
    ? 'identity'
    : 'changed'
}

interface ComparedUnits {
  readonly each: UnitPair
  readonly renamed: Exchange | undefined
  /** Absent for a unit that only one recording has. */
  readonly pair: ComparedPair | undefined
}

/** One row for every exchange of both recordings; `rules` say what may differ. */
export function compareRecordings(
  recorded: ComparedRecording,
  live: ComparedRecording,
  rules: RuleBook,
): Comparison {
  const left = comparedUnits(recorded.exchanges, rules)
  const right = comparedUnits(live.exchanges, rules)
  const entities = matchEntities(left.units, right.units)
  const [beside, glances] = withoutUnpairedReadings(
    pairUnits(
      left.units,
      right.units,
      (entity) => entities.get(entity) ?? (entity === '' ? '' : `new ${entity}`),
    ),
  )
  const names = new NameMapping()
  for (const { recorded: a, live: b } of beside)
    if (a && b) names.learn(a.exchange, b.exchange, a.entity)
  names.bind()

  const inBoth = Map.groupBy(
    beside.filter((each) => each.recorded && each.live),
    (each) => each.recorded?.name ?? '',
  )
  const history = createMonotonicHistory()
  const compared = inOrder(beside).map((each): ComparedUnits => {
    const { recorded: a, live: b } = each
    if (!a || !b)
      return { each, renamed: b && names.renamed(b.exchange, b.entity), pair: undefined }
    const renamed = names.renamed(b.exchange, a.entity)
    const differences = [
      ...(each.moved ? movedDifference(each) : []),
      ...compareExchanges(a.exchange, renamed, rules, history),
    ]
    return { each, renamed, pair: { recorded: a.exchange, live: renamed, differences } }
  })
  const accepted = acceptNoise(compared.flatMap(({ pair }) => pair ?? []))[Symbol.iterator]()
  const exchanges = compared.map(({ each, renamed, pair }): ReplayedExchange => {
    const { recorded: a, live: b } = each
    const both = {
      ...(a ? { recorded: a.exchange } : {}),
      ...(b ? { live: b.exchange } : {}),
      ...compact({ renamed }),
    }
    if (pair) {
      const differences = accepted.next().value ?? []
      return { ...both, standing: standingOf(differences, names), differences }
    }
    const unit = a ?? b
    const inBothCount = inBoth.get(unit?.name ?? '')?.length ?? 0
    return {
      ...both,
      standing: a ? 'missing' : 'extra',
      differences: [],
      because: `${a ? 'it is not in the second recording' : 'it is not in the first recording'}; ${inBothCount} others of ${unit?.name ?? ''} are in both`,
    }
  })
  const first = exchanges.findIndex(({ standing }) => differingStandings.has(standing))
  return {
    exchanges,
    ...(first < 0 ? {} : { first }),
    counts: countByStanding(exchanges),
    map: names.map(),
    leftOut: {
      idle: [left.idle + glances.recorded, right.idle + glances.live],
      tokens: [left.tokens, right.tokens],
    },
  }
}

/** The number of exchanges per standing. */
export function countByStanding(
  exchanges: readonly ReplayedExchange[],
): Readonly<Partial<Record<Standing, number>>> {
  const counts: Partial<Record<Standing, number>> = {}
  for (const { standing } of exchanges) counts[standing] = (counts[standing] ?? 0) + 1
  return counts
}

/**
 * Sorts by the recorded order. An extra unit follows the last unit before it on the live side that is in both
 * recordings.
 */
function inOrder(beside: readonly UnitPair[]): readonly UnitPair[] {
  const seqOf = (unit: UnitPair['live']): number => unit?.exchange.seq ?? 0
  const places = new Map<UnitPair, number>()
  let last = 0
  for (const each of beside.toSorted((a, b) => seqOf(a.live) - seqOf(b.live))) {
    if (each.recorded && each.live && !each.moved) last = Math.max(last, seqOf(each.recorded))
    places.set(each, each.recorded ? seqOf(each.recorded) : last + 0.5)
  }
  return beside.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
}

/**
 * Pairs the units of two recordings: lane by lane (caller, entity and class), so that two orders that overtook each
 * other make no difference, and in order within each lane, so that one additional call is one difference.
 */
interface UnitPair {
  readonly recorded?: ComparedUnit
  readonly live?: ComparedUnit
  /** Both are there, in another order relative to their lane. */
  readonly moved?: true
}

/**
 * The lane of a unit: caller, entity and class. A reading may overtake an acknowledgment without a change of meaning.
 */
const laneOf = ({ exchange, class: kind, entity }: ComparedUnit): string =>
  `${exchange.from.role} ${exchange.to.role} ${kind} ${entity}`

/** Scores: equal content ranks above an equal name. */
const contentScore = 4
const nameScore = 2

function alignLane(
  recorded: readonly ComparedUnit[],
  live: readonly ComparedUnit[],
): readonly UnitPair[] {
  const beside = align({
    left: recorded.length,
    right: live.length,
    score(row, column) {
      const [left, right] = [recorded[row], live[column]]
      if (!left || left.name !== right?.name) return 0
      return left.content === right.content ? contentScore : nameScore
    },
    best: contentScore,
  }).map(({ left, right }) => ({
    ...(left === undefined ? {} : { recorded: recorded[left] }),
    ...(right === undefined ? {} : { live: live[right] }),
  }))
  return withMoved(beside)
}

/** A missing and an extra unit of one name are one moved unit. */
function withMoved(beside: readonly UnitPair[]): readonly UnitPair[] {
  const extra = Map.groupBy(
    beside.filter(({ recorded }) => !recorded),
    ({ live }) => live?.name ?? '',
  )
  const taken = new Set<UnitPair>()
  const result = beside.map((each): UnitPair => {
    const other = each.recorded && !each.live ? extra.get(each.recorded.name)?.shift() : undefined
    if (!other?.live || !each.recorded) return each
    taken.add(other)
    return { recorded: each.recorded, live: other.live, moved: true }
  })
  return result.filter((each) => !taken.has(each))
}

/** All units of both, each once. `recordedEntityOf` gives the recorded name of a live entity. */
function pairUnits(
  recorded: readonly ComparedUnit[],
  live: readonly ComparedUnit[],
  recordedEntityOf: (entity: string) => string,
): readonly UnitPair[] {
  const lefts = Map.groupBy(recorded, laneOf)
  const rights = Map.groupBy(live, (unit) =>
    laneOf({ ...unit, entity: recordedEntityOf(unit.entity) }),
  )
  const lanes = new Set([...lefts.keys(), ...rights.keys()])
  return [...lanes].flatMap((lane) => alignLane(lefts.get(lane) ?? [], rights.get(lane) ?? []))
}
