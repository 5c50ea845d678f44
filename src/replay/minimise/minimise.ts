/**
 * Minimises a recording: finds the smallest part that still fails in the same way. Causality comes first, since it
 * costs few replays: drops what came after the failure, then everything that the failure does not depend on; then delta
 * debugging over exchanges. Each trial is a replay with fresh identifiers, so no clean-up is needed.
 */
import { compact } from '../../core/base/compact.ts'
import type { FailureCount, MinimiseOptions, MinimiseResult } from './minimise-options.ts'
import { createPartSearch, type PartSearch } from './part-search.ts'
import type { RecordingPart, Trials } from './trial.ts'
import { laneAffinity } from './lanes.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { operation as rowOf } from '../../core/protocol/catalogue.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import { isPollCall } from '../../core/traffic/polling.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { isList } from '../../core/traffic/recording/json.ts'

/**
 * Delta debugging (Zeller): removes chunks of a list, large ones first, until no single element can be removed. Differs
 * in two ways: dependants are removed with an element, and after a removal the search does not restart.
 */
interface DeltaDebugOptions<Thing> {
  readonly things: readonly Thing[]
  /** Dependants of a thing that must be removed with it; among those that are left. */
  readonly withIt?: (thing: Thing, left: ReadonlySet<Thing>) => readonly Thing[]
  /** These are never removed. */
  readonly stays?: (thing: Thing) => boolean
  readonly stillFails: (left: ReadonlySet<Thing>) => Promise<boolean>
  /** How many chunks are tried at once; one when absent. */
  readonly parallel?: () => number
}

/** Safety bound; real runs need far fewer rounds. */
const maxRounds = 100

async function deltaDebug<Thing>(options: DeltaDebugOptions<Thing>): Promise<ReadonlySet<Thing>> {
  const { stays = () => false, withIt = () => [], stillFails, parallel = () => 1 } = options
  let left: ReadonlySet<Thing> = new Set(options.things)

  function without(piece: readonly Thing[]): ReadonlySet<Thing> | undefined {
    const gone = new Set(piece)
    for (const thing of piece) for (const other of withIt(thing, left)) gone.add(other)
    for (const thing of gone) if (stays(thing)) return undefined
    return new Set([...left].filter((thing) => !gone.has(thing)))
  }

  /** One pass with chunks of this size; answers whether anything was removed. */
  async function pass(size: number): Promise<boolean> {
    let went = false
    // From the end: late elements are more often removable than early ones.
    const removable = [...left].filter((thing) => !stays(thing)).toReversed()
    let at = 0
    while (at < removable.length) {
      const tried: { readonly rest: ReadonlySet<Thing>; readonly next: number }[] = []
      const most = parallel()
      while (at < removable.length && tried.length < most) {
        const piece = removable.slice(at, (at += size)).filter((thing) => left.has(thing))
        const rest = piece.length > 0 ? without(piece) : undefined
        if (rest && rest.size < left.size) tried.push({ rest, next: at })
      }
      const outcomes = await Promise.all(tried.map(({ rest }) => stillFails(rest)))
      const removed = tried[outcomes.indexOf(true)]
      if (!removed) continue
      // Whichever ended first, the first in the list counts: the others were of a larger rest.
      left = removed.rest
      at = removed.next
      went = true
    }
    return went
  }

  let size = [...left].filter((thing) => !stays(thing)).length
  for (let round = 0; round < maxRounds && size >= 1; round++) {
    const went = await pass(size)
    if (size === 1 && !went) break
    size = Math.max(1, Math.floor(size / 2))
  }
  return left
}

// Shrinks the bodies of a part as long as it still fails.

/** Maximum replays for bodies: they are less important than the number of exchanges. */
const maxBodyReplays = 6

interface ShrinkOptions {
  readonly exchanges: readonly RecordedExchange[]
  readonly mayShrink?: ((exchange: RecordedExchange) => string | undefined) | undefined
}

/** One body after the other: all removable paths at once, then delta debugging. */
async function shrinkBodies(
  { exchanges, mayShrink }: ShrinkOptions,
  trials: Trials,
  part: () => RecordingPart,
  take: (part: RecordingPart) => void,
): Promise<void> {
  const maxReplays = trials.made() + maxBodyReplays
  for (const exchange of exchanges) {
    const text = part().kept.has(exchange.recordId) ? mayShrink?.(exchange) : undefined
    const places = text === undefined ? [] : removablePaths(text)
    if (text === undefined || places.length === 0) continue
    const smaller = (gone: readonly (typeof places)[number][]): RecordingPart => ({
      ...part(),
      bodies: new Map([...part().bodies, [exchange.recordId, withoutPaths(text, gone)]]),
    })
    const left = await deltaDebug({
      things: places,
      stillFails: async (some) => {
        const without = places.filter((place) => !some.has(place))
        return (
          isValidBody(exchange, text, withoutPaths(text, without)) &&
          trials.made() < maxReplays &&
          trials.fails(smaller(without))
        )
      },
    })
    const gone = places.filter((place) => !left.has(place))
    if (gone.length > 0) take(smaller(gone))
    if (trials.exhausted() || trials.made() >= maxReplays) return
  }
}

/**
 * Whether a shrunk body is still what the protocol allows in its place, as the recorded one was. True where the
 * protocol does not say, or where the recorded body is not allowed either.
 */
function isValidBody(exchange: RecordedExchange, recorded: string, body: string): boolean {
  const { operation, from } = exchange
  if (operation === undefined) return true
  const { request, shown, response } = rowOf(operation)
  const schema = (from.party === 'subject' ? response : (shown ?? request))?.()
  if (!schema || !schema.safeParse(tryParseJson(recorded)).success) return true
  // A poll without its events is another poll.
  const value = tryParseJson(body)
  if (isPollCall(exchange) && Array.isArray(value) && value.length === 0) return false
  return schema.safeParse(value).success
}

/** A path in a document: the keys from the root. */
type JsonPath = readonly (string | number)[]

/** Other traffic refers to these members, so they are kept. */
const identifyingKeys = /^(?:id|.*Id|code|.*Code|type|.*Type|status|createdAt|sentAt)$/

const maxDepth = 20
const maxPaths = 400

/** The removable paths, outer ones first: non-identifying members, and list entries after the first. */
function removablePaths(text: string): readonly JsonPath[] {
  const value = tryParseJson(text)
  if (value === undefined) return []
  const paths: JsonPath[] = []
  let level: (readonly [JsonPath, unknown])[] = [[[], value]]
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const next: (readonly [JsonPath, unknown])[] = []
    for (const [path, inside] of level)
      for (const [key, member] of membersOf(inside)) {
        const here = [...path, key]
        if (key !== 0 && !(typeof key === 'string' && identifyingKeys.test(key))) paths.push(here)
        next.push([here, member])
      }
    level = next
  }
  return paths.slice(0, maxPaths)
}

function membersOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (isList(value)) return value.map((member, index) => [index, member] as const)
  return isUnknownRecord(value) ? Object.entries(value) : []
}

/** The body without these paths. */
function withoutPaths(text: string, gone: readonly JsonPath[]): string {
  const value = tryParseJson(text)
  return value === undefined ? text : JSON.stringify(remaining(value, gone))
}

function remaining(value: unknown, gone: readonly JsonPath[]): unknown {
  if (gone.length === 0) return value
  const pathsBelow = (key: string | number): readonly JsonPath[] | undefined => {
    const below = gone.filter(([first]) => first === key).map((path) => path.slice(1))
    return below.some(({ length }) => length === 0) ? undefined : below
  }
  if (isList(value))
    return value.flatMap((member, index) => {
      const below = pathsBelow(index)
      return below ? [remaining(member, below)] : []
    })
  if (!isUnknownRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const below = pathsBelow(key)
      return below ? [[key, remaining(member, below)] as const] : []
    }),
  )
}

const confirmations = 3
/** Below this rate a failure cannot be distinguished from chance. */
const minFailureRate = 1 / 5
/** Maximum replays per part, for an intermittent failure. */
const maxReplaysPerPart = 8
/** Maximum replays for verifying the result. */
const maxVerifyingReplays = 12
/** Share of the highest affinity from which a lane counts as related. */
const minRelatedAffinity = 0.5

/** Replays the whole recording until its failure rate is known. */
async function confirm(
  { budget, isRecorded }: MinimiseOptions,
  search: PartSearch,
): Promise<FailureCount> {
  const { part, trials } = search
  let [fails, of] = isRecorded ? [0, 0] : [1, 1]
  while (
    of < maxReplaysPerPart &&
    trials.made() < budget.replays &&
    !budget.isOver() &&
    (of < confirmations || (fails > 0 && fails < of))
  ) {
    const most = (of < confirmations ? confirmations : maxReplaysPerPart) - of
    const again = await replayAtOnce(search, part(), Math.min(most, budget.replays - trials.made()))
    fails += again.fails
    of += again.of
  }
  return { fails, of }
}

/** Replays a part several times at once. */
async function replayAtOnce(
  { replay, parallel }: PartSearch,
  part: RecordingPart,
  most: number,
): Promise<FailureCount> {
  const of = Math.min(parallel(), most)
  const failed = await Promise.all(Array.from({ length: of }, () => replay(part)))
  return { fails: failed.filter(Boolean).length, of }
}

/** How many replays each part needs, so that an intermittent failure is unlikely to be missed (5 %). */
function neededReplays({ fails, of }: FailureCount): number {
  const rate = fails / of
  return rate === 1
    ? 1
    : Math.min(maxReplaysPerPart, Math.ceil(Math.log(0.05) / Math.log(1 - rate)))
}

/** The other lanes of the part, those that have most in common with the failing one first. */
function otherLanes({ exchanges, lanesOf }: MinimiseOptions, search: PartSearch) {
  const [own = ''] = search.ownLanes
  const scores = laneAffinity(exchanges, lanesOf, own)
  const score = (lane: string): number => scores.get(lane) ?? 0
  const { lanes: left } = search.part()
  const all = [...new Set(search.exchangesLeft().flatMap(lanesOf))]
    .filter((lane) => !search.ownLanes.includes(lane) && (left?.has(lane) ?? true))
    .toSorted((a, b) => score(b) - score(a))
  const best = score(all[0] ?? '')
  const related = all.filter((lane) => best > 0 && score(lane) >= best * minRelatedAffinity)
  return { all, related }
}

export async function minimiseRecording(options: MinimiseOptions): Promise<MinimiseResult> {
  const { culprit, culpritMayGo = false, exchanges, budget } = options
  const search = createPartSearch(options)
  const { trials, stillFails, tryPart, runStage, ownLanes, parallel } = search
  let confirmed: FailureCount | undefined
  let verified: FailureCount | undefined

  const places = new Map(exchanges.map(({ recordId }, index) => [recordId, index]))
  const isAfterCulprit = (id: string): boolean =>
    (places.get(id) ?? 0) > (places.get(culprit) ?? exchanges.length)

  const isIntermittent = (): boolean => confirmed !== undefined && confirmed.fails < confirmed.of

  const result = (verdict: MinimiseResult['verdict']): MinimiseResult => ({
    verdict,
    part: search.part(),
    ...compact({ confirmed, verified }),
    replays: trials.made(),
    stages: search.stages,
  })

  const withOwn = (lanes: Iterable<string>): RecordingPart =>
    search.partOfLanes(new Set([...ownLanes, ...lanes]))

  const { faults = [] } = options

  /** A part without the exchanges that show these faults alone. */
  function withoutFaults(
    from: RecordingPart,
    gone: ReadonlySet<ReadonlySet<string>>,
  ): RecordingPart {
    const stay = new Set(faults.flatMap((each) => (gone.has(each) ? [] : [...each])))
    const goes = new Set([...gone].flatMap((each) => [...each].filter((id) => !stay.has(id))))
    return {
      ...from,
      kept: new Set([...from.kept].filter((id) => id === culprit || !goes.has(id))),
    }
  }

  /** A failure that needs no fault is found at once, of the failing lane alone or of all. */
  async function tryWithoutFaults(): Promise<boolean> {
    if (faults.length === 0) return false
    const none = new Set(faults)
    for (const from of [withOwn([]), search.part()]) {
      const part = withoutFaults(from, none)
      if (part.kept.size < search.part().kept.size && (await tryPart(part))) return true
    }
    return false
  }

  /** Leaves out the other lanes, as many as possible. */
  async function cutLanes(): Promise<void> {
    const { all } = otherLanes(options, search)
    if (all.length === 0) return
    const left = await deltaDebug({
      parallel,
      things: all,
      stillFails: (some) => stillFails(withOwn(some)),
    })
    const slice = withOwn(left)
    if (slice.kept.size < search.part().kept.size) await tryPart(slice)
  }

  /** The failing lane with what it comes of, then with the lanes that are related to it. */
  async function trySlices(): Promise<boolean> {
    const slice = withOwn([])
    if (slice.kept.size < search.part().kept.size && (await tryPart(slice))) return true
    const { related, all } = otherLanes(options, search)
    return related.length > 0 && related.length < all.length && tryPart(withOwn(related))
  }

  async function confirmAndCut(): Promise<MinimiseResult['verdict'] | undefined> {
    await runStage('confirm', async () => {
      confirmed = await confirm(options, search)
    })
    const { fails, of } = confirmed ?? { fails: 0, of: 1 }
    if (fails === 0) return 'does not fail'
    if (fails / of < minFailureRate) return 'unstable'
    search.setNeeded(neededReplays({ fails, of }))
    await runStage('cut', async () => {
      const kept = new Set([...search.part().kept].filter((id) => !isAfterCulprit(id)))
      if (kept.size < search.part().kept.size) await tryPart({ kept })
    })
    return undefined
  }

  let isSliced = false
  if (options.isRecorded || faults.length > 0)
    await runStage('slice', async () => {
      const isSmaller = (await tryWithoutFaults()) || (await trySlices())
      isSliced = isSmaller && (await search.replay(search.part()))
      // It failed by chance: the failure is intermittent.
      if (!isSliced) search.reset()
    })
  if (!isSliced) {
    const end = await confirmAndCut()
    if (end) return result(end)
    await runStage('slice', async () => void (await trySlices()))
  }
  await runStage('lanes', cutLanes)
  await runStage('faults', async () => {
    const isLeft = (fault: ReadonlySet<string>): boolean =>
      [...fault].some((id) => search.part().kept.has(id))
    const things = faults.filter(isLeft)
    if (things.length === 0) return
    const before = search.part()
    const partWith = (left: ReadonlySet<ReadonlySet<string>>): RecordingPart =>
      withoutFaults(before, new Set(things.filter((each) => !left.has(each))))
    const left = await deltaDebug({
      parallel,
      things,
      stillFails: (some) => stillFails(partWith(some)),
    })
    search.accept(partWith(left))
  })
  // Other orders may have been needed for a fault only.
  if (faults.length > 0) await runStage('lanes', cutLanes)
  const { plainDrives } = options
  if (plainDrives)
    await runStage('handovers', async () => {
      const without = (isGone: (id: string) => boolean) =>
        tryPart({ kept: new Set([...search.part().kept].filter((id) => !isGone(id))) })
      const isPlain = (id: string): boolean => plainDrives.has(id) && id !== culprit
      if (!(await without(isPlain))) await without((id) => isPlain(id) && isAfterCulprit(id))
    })
  // What a replay by decisions depends on is no chain of causes: there, each exchange stands for itself.
  if (!plainDrives)
    await runStage('exchanges', async () => {
      const left = await deltaDebug({
        parallel,
        things: [...search.part().kept],
        stays: (id) => id === culprit && !culpritMayGo,
        withIt: search.dependants,
        stillFails: (some) => stillFails({ ...search.part(), kept: some }),
      })
      search.accept({ ...search.part(), kept: left })
    })
  await runStage('shortcuts', async () => {
    // The partner may announce a status without the call that led to it: orders move for reasons of their own.
    const ofSession = new Set(
      search.exchangesLeft().flatMap((each) => (options.lanesOf(each)[0] ? [] : each.recordId)),
    )
    const left = await deltaDebug({
      parallel,
      things: [...search.part().kept],
      stays: (id) =>
        ofSession.has(id) || (id === culprit && !culpritMayGo) || plainDrives?.has(id) === true,
      stillFails: (some) => stillFails({ ...search.part(), kept: some }),
    })
    search.accept({ ...search.part(), kept: left })
  })
  await runStage('times', async () => {
    if (!search.part().asap) await tryPart({ asap: true })
  })
  await runStage('answers', async () => {
    const { usedAnswers, neededAnswers } = options
    if (neededAnswers) {
      await tryPart({ answers: neededAnswers })
      return
    }
    if (!usedAnswers || trials.exhausted()) return
    // The last failing attempt may have been of another part.
    if (!(await search.replay(search.part()))) return
    await tryPart({ answers: usedAnswers() })
  })
  await runStage('payload', async () => {
    if (!budget.isLate?.()) await shrinkBodies(options, trials, search.part, search.accept)
  })
  await runStage('verify', verify)

  /** Takes the smallest part that fails reliably: a small part may have failed by chance. */
  async function verify(): Promise<void> {
    const limit = Math.min(trials.made() + maxVerifyingReplays, budget.replays)
    // An intermittent failure cannot be verified any better.
    if (isIntermittent() || trials.exhausted()) return
    const candidates = [
      ...search.failing().filter(({ bodies }) => bodies.size === 0),
      search.part(),
    ]
    for (const smaller of candidates.toReversed()) {
      let fails = 0
      let of = 0
      while (of < confirmations && fails === of && trials.made() < limit && !budget.isOver()) {
        const most = Math.min(confirmations - of, limit - trials.made())
        const again = await replayAtOnce(search, smaller, most)
        fails += again.fails
        of += again.of
      }
      if (fails < of) continue
      search.accept(smaller)
      if (of > 0) verified = { fails, of }
      return
    }
  }

  if (trials.exhausted()) return result('best so far')
  return result(isIntermittent() || verified ? 'minimal' : 'best so far')
}
