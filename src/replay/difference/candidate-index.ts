/** The recorded exchanges that may answer a live call: which they are, and their index by operation and lane. */
import { isAcknowledgmentCall, isPollCall } from '../../core/traffic/polling.ts'
import type { Exchange, Party } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { EntityKeysOf, EntityVersion, EntityVersions } from './entity-versions.ts'
import { operation, type OperationId } from '../../core/protocol/catalogue.ts'
import { memoise } from '../../core/traffic/memoise.ts'
import { appendTo } from '../../core/traffic/append-to.ts'

/** Tokens and manifests: issued anew by our host. */
export function isHostIssued({ operation: id }: Pick<Exchange, 'operation'>): boolean {
  if (id === undefined) return false
  const { capability, handler: behind } = operation(id)
  return capability === 'discovery' || behind.name === 'token.issue'
}

/** A call of the subject whose token was refused: what it does then may be what fails. */
export const isTokenRefused = (exchange: Exchange): boolean =>
  exchange.from.party === 'subject' && exchange.reply?.status === 401 && !isHostIssued(exchange)

interface MatchableOptions {
  /** Whether we play this party. */
  readonly ours: (party: Party) => boolean
  /** Include failed attempts. */
  readonly faithfulFailures: boolean
}

/**
 * Selects the recorded exchanges that may answer a live call. Excludes tokens and manifests, which are issued anew,
 * replies that depended on a token (401) unless failures are faithful, and failed attempts with a later successful one.
 * The exchanges that may answer, and all that others sent, in the recorded order.
 */
export function matchableExchanges(
  exchanges: readonly RecordedExchange[],
  { ours, faithfulFailures }: MatchableOptions,
): readonly RecordedExchange[] {
  const keyOf = (each: Exchange): string => `${calledOperation(each)} ${callLane(each)}`
  const succeeded = new Set(
    exchanges.filter((each) => ours(each.to) && !isFailedExchange(each)).map((each) => keyOf(each)),
  )
  return exchanges.filter((each) => {
    if (!ours(each.to)) return true
    if (each.operation === undefined || isHostIssued(each)) return false
    if (each.reply?.status === 401) return faithfulFailures
    if (!isFailedExchange(each)) return true
    if (isPollCall(each) || !each.reply || each.failure) return false
    return faithfulFailures || !succeeded.has(keyOf(each))
  })
}

export interface CandidateIndex {
  /** All lanes of the operation of a call. */
  readonly lanesOf: (live: Exchange) => Iterable<readonly MatchCandidate[]>
  /** Candidates in the lane of a call, first those of the same entities: webhooks of one order among those of many. */
  readonly laneOf: (live: Exchange) => readonly MatchCandidate[]
  /** Candidates for an explanation: of the same lane, unused first, and some of other lanes. */
  readonly nearby: (
    live: Exchange,
    chosen: RecordedExchange | undefined,
  ) => readonly MatchCandidate[]
  readonly unused: () => readonly string[]
}

/** Maximum number of candidates in an explanation. */
const maxNearby = 20
/** Maximum number of each other lane. */
const maxPerOtherLane = 3

export interface CandidateIndexOptions {
  readonly exchanges: readonly RecordedExchange[]
  /** Whether we play this party: only calls to it are candidates. */
  readonly ours: (party: Party) => boolean
  readonly entities: EntityKeysOf
  /** Is advanced once through the recording. */
  readonly epochs: EntityVersions
}

/** Without polls and acknowledgments, whose number may differ in a replay. */
export function createCandidateIndex({
  exchanges,
  ours,
  entities,
  epochs,
}: CandidateIndexOptions): CandidateIndex & { readonly count: number } {
  const byCall = new Map<string, Map<string, MatchCandidate[]>>()
  const candidates: MatchCandidate[] = []
  for (const recorded of exchanges) {
    if (ours(recorded.to) && !isPollCall(recorded) && !isAcknowledgmentCall(recorded))
      addCandidate({ recorded, version: epochs.before(recorded), used: false })
    epochs.record(recorded)
  }

  function addCandidate(slot: MatchCandidate): void {
    const { recorded } = slot
    candidates.push(slot)
    const lanes = byCall.get(calledOperation(recorded)) ?? new Map<string, MatchCandidate[]>()
    byCall.set(calledOperation(recorded), lanes)
    appendTo(lanes, callLane(recorded), slot)
  }

  const candidatesInLane = (live: Exchange): readonly MatchCandidate[] =>
    byCall.get(calledOperation(live))?.get(callLane(live)) ?? []
  const lanesOf = (live: Exchange): Iterable<readonly MatchCandidate[]> =>
    byCall.get(calledOperation(live))?.values() ?? []

  return {
    count: candidates.length,
    lanesOf,
    laneOf(live) {
      const about = new Set(entities(live))
      const sharedCount = ({ recorded }: MatchCandidate): number =>
        entities(recorded).filter((each) => about.has(each)).length
      const lane = candidatesInLane(live)
      return about.size === 0 ? lane : lane.toSorted((a, b) => sharedCount(b) - sharedCount(a))
    },
    nearby(live, chosen) {
      const own = candidatesInLane(live)
      const near = new Set<MatchCandidate>()
      const add = (slot: MatchCandidate | undefined): void => {
        if (slot && near.size < maxNearby) near.add(slot)
      }
      add(own.find(({ recorded }) => recorded === chosen))
      for (const slot of own) if (!slot.used) add(slot)
      for (const slot of own.slice(-maxNearby)) add(slot)
      for (const lane of lanesOf(live)) {
        if (near.size >= maxNearby) break
        add(lane.find(({ used }) => !used))
        for (const slot of lane.slice(0, maxPerOtherLane)) add(slot)
      }
      return [...near]
    },
    unused: () => candidates.flatMap(({ used, recorded }) => (used ? [] : [recorded.recordId])),
  }
}

/** A recorded call of the subject that may answer a live one, and its index keys. */
export interface MatchCandidate {
  readonly recorded: RecordedExchange
  readonly version: EntityVersion
  used: boolean
}

/** The operation; for an unknown path, method and path. */
export const calledOperation = ({ operation: id, request }: Exchange): string =>
  id ?? `${request.method} ${pathWithoutQuery(request.url)}`

/** The path of a URL without query; the whole text when it cannot be parsed. */
export const pathWithoutQuery = (url: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? url

const pathParameters = memoise(1000, (id: OperationId): readonly string[] =>
  [...operation(id).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
)

/** The lane of a call: answering role and path parameters. */
export function callLane({ operation: id, params, to }: Exchange): string {
  let lane: string = to.role
  if (id !== undefined) for (const name of pathParameters(id)) lane += ` ${params?.[name] ?? ''}`
  return lane
}

/** Without a reply, or with a status that a retry may overcome: 5xx, 429, 408. */
export const isFailedExchange = ({ reply, failure }: Exchange): boolean =>
  !reply ||
  failure !== undefined ||
  reply.status >= 500 ||
  reply.status === 429 ||
  reply.status === 408
