/**
 * Minimises a recording: finds the smallest part that still fails in the same way. Causality comes first, since it
 * costs few replays: drops what came after the failure, then everything that the failure does not depend on; then delta
 * debugging over exchanges. Each trial is a replay with fresh identifiers, so no clean-up is needed.
 */
import { compact } from '../../core/base/compact.ts'
import type {
  FailureCount,
  MinimiseOptions,
  MinimiseResult,
  RecordingPart,
} from './minimise-options.ts'
import { PartSearch } from './part-search.ts'
import { laneAffinity } from './lanes.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { operation as rowOf } from '../../core/protocol/catalogue.ts'
import { parseLosslessJson } from '../../core/traffic/json/lossless-json.ts'
import { parseJson, tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
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

/** Maximum replays for bodies: they are less important than the number of exchanges. */
const maxBodyReplays = 6

interface ShrinkOptions {
  readonly exchanges: readonly RecordedExchange[]
  readonly mayShrink?: ((exchange: RecordedExchange) => string | undefined) | undefined
}

/**
 * Shrinks the bodies of a part as long as it still fails. One body after the other: all removable
 * paths at once, then delta debugging.
 */
async function shrinkBodies(
  { exchanges, mayShrink }: ShrinkOptions,
  search: PartSearch,
): Promise<void> {
  const { trials } = search
  const maxReplays = trials.made() + maxBodyReplays
  for (const exchange of exchanges) {
    const text = search.part().kept.has(exchange.recordId) ? mayShrink?.(exchange) : undefined
    const places = text === undefined ? [] : removablePaths(text)
    if (text === undefined || places.length === 0) continue
    const smaller = (gone: readonly (typeof places)[number][]): RecordingPart => ({
      ...search.part(),
      bodies: new Map([...search.part().bodies, [exchange.recordId, withoutPaths(text, gone)]]),
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
    if (gone.length > 0) search.accept(smaller(gone))
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
  const parsed = parseJson(text, parseLosslessJson)
  return parsed ? JSON.stringify(remaining(parsed.value, gone)) : text
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
  const { trials } = search
  let [fails, of] = isRecorded ? [0, 0] : [1, 1]
  while (
    of < maxReplaysPerPart &&
    trials.made() < budget.replays &&
    !budget.isOver() &&
    (of < confirmations || (fails > 0 && fails < of))
  ) {
    const most = (of < confirmations ? confirmations : maxReplaysPerPart) - of
    const left = Math.min(most, budget.replays - trials.made())
    const again = await search.replayAtOnce(search.part(), left)
    fails += again.fails
    of += again.of
  }
  return { fails, of }
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

export const minimiseRecording = (options: MinimiseOptions): Promise<MinimiseResult> =>
  new Minimisation(options).run()

class Minimisation {
  readonly #options: MinimiseOptions
  readonly #search: PartSearch
  readonly #faults: readonly ReadonlySet<string>[]
  readonly #places: ReadonlyMap<string, number>
  #confirmed: FailureCount | undefined
  #verified: FailureCount | undefined

  constructor(options: MinimiseOptions) {
    this.#options = options
    this.#search = new PartSearch(options)
    this.#faults = options.faults ?? []
    this.#places = new Map(options.exchanges.map(({ recordId }, index) => [recordId, index]))
  }

  async run(): Promise<MinimiseResult> {
    const search = this.#search
    const { isRecorded, plainDrives, budget } = this.#options
    const isSliced = (isRecorded || this.#faults.length > 0) && (await this.#sliceAtOnce())
    if (!isSliced) {
      const end = await this.#confirmAndCut()
      if (end) return this.#result(end)
      await search.runStage('slice', async () => void (await this.#trySlices()))
    }
    await search.runStage('lanes', () => this.#cutLanes())
    await search.runStage('faults', () => this.#cutFaults())
    // Other orders may have been needed for a fault only.
    if (this.#faults.length > 0) await search.runStage('lanes', () => this.#cutLanes())
    // What a replay by decisions depends on is no chain of causes: there, each exchange stands for itself.
    if (plainDrives) await search.runStage('handovers', () => this.#cutHandovers(plainDrives))
    else {
      const withIt = (id: string, left: ReadonlySet<string>) => search.dependants(id, left)
      const stays = (id: string): boolean => this.#mustStay(id)
      await search.runStage('exchanges', () => this.#cutKept({ stays, withIt }))
    }
    await search.runStage('shortcuts', () => this.#cutShortcuts())
    await search.runStage('times', async () => {
      if (!search.part().asap) await search.tryPart({ asap: true })
    })
    await search.runStage('answers', () => this.#cutAnswers())
    await search.runStage('payload', async () => {
      if (!budget.isLate?.()) await shrinkBodies(this.#options, search)
    })
    await search.runStage('verify', () => this.#verify())
    if (search.trials.exhausted()) return this.#result('best so far')
    return this.#result(this.#isIntermittent() || this.#verified ? 'minimal' : 'best so far')
  }

  #result(verdict: MinimiseResult['verdict']): MinimiseResult {
    return {
      verdict,
      part: this.#search.part(),
      ...compact({ confirmed: this.#confirmed, verified: this.#verified }),
      replays: this.#search.trials.made(),
      stages: this.#search.stages,
    }
  }

  #isAfterCulprit(id: string): boolean {
    const { culprit, exchanges } = this.#options
    return (this.#places.get(id) ?? 0) > (this.#places.get(culprit) ?? exchanges.length)
  }

  #isIntermittent(): boolean {
    return this.#confirmed !== undefined && this.#confirmed.fails < this.#confirmed.of
  }

  #withOwn(lanes: Iterable<string>): RecordingPart {
    return this.#search.partOfLanes(new Set([...this.#search.ownLanes, ...lanes]))
  }

  /** A part without the exchanges that show these faults alone. */
  #withoutFaults(from: RecordingPart, gone: ReadonlySet<ReadonlySet<string>>): RecordingPart {
    const { culprit } = this.#options
    const stay = new Set(this.#faults.flatMap((each) => (gone.has(each) ? [] : [...each])))
    const goes = new Set([...gone].flatMap((each) => [...each].filter((id) => !stay.has(id))))
    const kept = new Set([...from.kept].filter((id) => id === culprit || !goes.has(id)))
    return { ...from, kept }
  }

  /** Accepts the part when it is smaller and still fails. */
  async #trySmaller(part: RecordingPart): Promise<boolean> {
    return part.kept.size < this.#search.part().kept.size && (await this.#search.tryPart(part))
  }

  /** Slices without confirming the failure first: a recorded one failed already. */
  async #sliceAtOnce(): Promise<boolean> {
    const search = this.#search
    let isSliced = false
    await search.runStage('slice', async () => {
      const isSmaller = (await this.#tryWithoutFaults()) || (await this.#trySlices())
      isSliced = isSmaller && (await search.replay(search.part()))
      // It failed by chance: the failure is intermittent.
      if (!isSliced) search.reset()
    })
    return isSliced
  }

  /** A failure that needs no fault is found at once, of the failing lane alone or of all. */
  async #tryWithoutFaults(): Promise<boolean> {
    if (this.#faults.length === 0) return false
    const none = new Set(this.#faults)
    for (const from of [this.#withOwn([]), this.#search.part()])
      if (await this.#trySmaller(this.#withoutFaults(from, none))) return true
    return false
  }

  /** The failing lane with what it comes of, then with the lanes that are related to it. */
  async #trySlices(): Promise<boolean> {
    if (await this.#trySmaller(this.#withOwn([]))) return true
    const { related, all } = otherLanes(this.#options, this.#search)
    if (related.length === 0 || related.length >= all.length) return false
    return this.#search.tryPart(this.#withOwn(related))
  }

  async #confirmAndCut(): Promise<MinimiseResult['verdict'] | undefined> {
    const search = this.#search
    await search.runStage('confirm', async () => {
      this.#confirmed = await confirm(this.#options, search)
    })
    const { fails, of } = this.#confirmed ?? { fails: 0, of: 1 }
    if (fails === 0) return 'does not fail'
    if (fails / of < minFailureRate) return 'unstable'
    search.setNeeded(neededReplays({ fails, of }))
    await search.runStage('cut', async () => {
      const kept = new Set([...search.part().kept].filter((id) => !this.#isAfterCulprit(id)))
      if (kept.size < search.part().kept.size) await search.tryPart({ kept })
    })
    return undefined
  }

  /** Leaves out the other lanes, as many as possible. */
  async #cutLanes(): Promise<void> {
    const search = this.#search
    const { all } = otherLanes(this.#options, search)
    if (all.length === 0) return
    const left = await deltaDebug({
      parallel: () => search.parallel(),
      things: all,
      stillFails: (some) => search.stillFails(this.#withOwn(some)),
    })
    await this.#trySmaller(this.#withOwn(left))
  }

  async #cutFaults(): Promise<void> {
    const search = this.#search
    const isLeft = (fault: ReadonlySet<string>): boolean =>
      [...fault].some((id) => search.part().kept.has(id))
    const things = this.#faults.filter(isLeft)
    if (things.length === 0) return
    const before = search.part()
    const partWith = (left: ReadonlySet<ReadonlySet<string>>): RecordingPart =>
      this.#withoutFaults(before, new Set(things.filter((each) => !left.has(each))))
    const left = await deltaDebug({
      parallel: () => search.parallel(),
      things,
      stillFails: (some) => search.stillFails(partWith(some)),
    })
    search.accept(partWith(left))
  }

  async #cutHandovers(plainDrives: ReadonlySet<string>): Promise<void> {
    const { culprit } = this.#options
    const search = this.#search
    const without = (isGone: (id: string) => boolean) =>
      search.tryPart({ kept: new Set([...search.part().kept].filter((id) => !isGone(id))) })
    const isPlain = (id: string): boolean => plainDrives.has(id) && id !== culprit
    if (!(await without(isPlain))) await without((id) => isPlain(id) && this.#isAfterCulprit(id))
  }

  /** The partner may announce a status without the call that led to it: orders move for reasons of their own. */
  async #cutShortcuts(): Promise<void> {
    const { lanesOf, plainDrives } = this.#options
    const ofSession = new Set(
      this.#search.exchangesLeft().flatMap((each) => (lanesOf(each)[0] ? [] : each.recordId)),
    )
    await this.#cutKept({
      stays: (id) => ofSession.has(id) || this.#mustStay(id) || plainDrives?.has(id) === true,
    })
  }

  #mustStay(id: string): boolean {
    return id === this.#options.culprit && this.#options.culpritMayGo !== true
  }

  /** Leaves out single exchanges of the part, as many as possible. */
  async #cutKept(options: Pick<DeltaDebugOptions<string>, 'stays' | 'withIt'>): Promise<void> {
    const search = this.#search
    const kept = await deltaDebug({
      ...options,
      parallel: () => search.parallel(),
      things: [...search.part().kept],
      stillFails: (some) => search.stillFails({ ...search.part(), kept: some }),
    })
    search.accept({ ...search.part(), kept })
  }

  async #cutAnswers(): Promise<void> {
    const search = this.#search
    const { usedAnswers, neededAnswers } = this.#options
    if (neededAnswers) {
      await search.tryPart({ answers: neededAnswers })
      return
    }
    if (!usedAnswers || search.trials.exhausted()) return
    // The last failing attempt may have been of another part.
    if (!(await search.replay(search.part()))) return
    await search.tryPart({ answers: usedAnswers() })
  }

  /** Takes the smallest part that fails reliably: a small part may have failed by chance. */
  async #verify(): Promise<void> {
    const search = this.#search
    const { trials } = search
    const { budget } = this.#options
    const limit = Math.min(trials.made() + maxVerifyingReplays, budget.replays)
    // An intermittent failure cannot be verified any better.
    if (this.#isIntermittent() || trials.exhausted()) return
    const candidates = [
      ...search.failing().filter(({ bodies }) => bodies.size === 0),
      search.part(),
    ]
    for (const smaller of candidates.toReversed()) {
      let fails = 0
      let of = 0
      while (of < confirmations && fails === of && trials.made() < limit && !budget.isOver()) {
        const most = Math.min(confirmations - of, limit - trials.made())
        const again = await search.replayAtOnce(smaller, most)
        fails += again.fails
        of += again.of
      }
      if (fails < of) continue
      search.accept(smaller)
      if (of > 0) this.#verified = { fails, of }
      return
    }
  }
}
