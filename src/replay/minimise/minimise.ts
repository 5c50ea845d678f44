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
import { type DeltaDebugOptions, deltaDebug } from './delta-debug.ts'
import { PartSearch } from './part-search.ts'
import { shrinkBodies } from './shrink-bodies.ts'
import { laneAffinity } from './lanes.ts'
import { endOf } from '../../core/traffic/exchange.ts'

const confirmations = 3
/** Below this rate a failure cannot be distinguished from chance. */
const minFailureRate = 1 / 5
/** Maximum replays per part, for an intermittent failure. */
const maxReplaysPerPart = 8
/** Maximum replays for verifying the result. */
const maxVerifyingReplays = 12
/** In milliseconds: pauses that keep requests in their order, as all at once would not. */
const leastGapMs = 100
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
    const { isRecorded, scope, plainDrives, budget } = this.#options
    const maySlice = scope !== 'whole' && (isRecorded || this.#faults.length > 0)
    const isSliced = maySlice && (await this.#sliceAtOnce())
    if (!isSliced) {
      if (scope === 'slices') return this.#result('does not fail')
      const end = await this.#confirmAndCut()
      if (end) return this.#result(end)
      await search.runStage('slice', async () => void (await this.#trySlices()))
    }
    if (isSliced) await search.runStage('cut', () => this.#cutAfterCulprit())
    // Each trial after this one takes less time.
    await search.runStage('times', () => this.#cutTimes())
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

  /** A part without the exchanges that show these faults alone, or without their crashes. */
  #withoutFaults(from: RecordingPart, gone: ReadonlySet<ReadonlySet<string>>): RecordingPart {
    const { culprit, spareable } = this.#options
    const stay = new Set(this.#faults.flatMap((each) => (gone.has(each) ? [] : [...each])))
    const goes = new Set([...gone].flatMap((each) => [...each].filter((id) => !stay.has(id))))
    const isSpared = (id: string): boolean => spareable?.has(id) === true
    const stays = (id: string): boolean => id === culprit || !goes.has(id) || isSpared(id)
    const spared = new Set([...(from.spared ?? []), ...[...goes].filter(isSpared)])
    return {
      ...from,
      kept: new Set([...from.kept].filter(stays)),
      ...(spared.size > 0 ? { spared } : {}),
    }
  }

  /** Accepts the part when it is smaller and still fails. */
  async #trySmaller(part: RecordingPart): Promise<boolean> {
    return this.#isSmaller(part) && (await this.#search.tryPart(part))
  }

  #isSmaller(part: RecordingPart): boolean {
    const { kept, spared } = this.#search.part()
    return part.kept.size < kept.size || (part.spared?.size ?? 0) > (spared?.size ?? 0)
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
    const own = this.#withOwn([])
    const parts = [own, this.#search.part()].map((from) => this.#withoutFaults(from, none))
    // Trials of these parts, and of the first slice, run side by side: their results are cached for what comes next.
    const next = [...parts, own].filter((part) => this.#isSmaller(part))
    if (this.#search.parallel() > 1)
      await Promise.all(next.map((part) => this.#search.stillFails(part)))
    for (const part of parts) if (await this.#trySmaller(part)) return true
    return false
  }

  /** The failing lane with what it comes of, then with lanes that are related to it, then with those of its time. */
  async #trySlices(): Promise<boolean> {
    if (await this.#trySmaller(this.#withOwn([]))) return true
    const { related, all } = otherLanes(this.#options, this.#search)
    const near = [...new Set([...related, ...this.#lanesMeanwhile(all)])]
    for (const lanes of [related, near])
      if (lanes.length > 0 && lanes.length < all.length)
        if (await this.#search.tryPart(this.#withOwn(lanes))) return true
    return false
  }

  /** The lanes among these that something happened to while the failing lane came to its failure, or shortly before. */
  #lanesMeanwhile(lanes: readonly string[]): readonly string[] {
    const { exchanges, lanesOf, shortGapMs = 0 } = this.#options
    const { ownLanes } = this.#search
    const own = exchanges.filter(
      (each) =>
        !this.#isAfterCulprit(each.recordId) &&
        lanesOf(each).some((lane) => ownLanes.includes(lane)),
    )
    const from = (own[0]?.startedAt ?? 0) - shortGapMs
    const until = Math.max(...own.map(endOf), 0)
    const meanwhile = new Set(
      exchanges
        .filter((each) => each.startedAt <= until && endOf(each) >= from)
        .flatMap((each) => lanesOf(each)),
    )
    return lanes.filter((lane) => meanwhile.has(lane))
  }

  /** Plays it without pauses, or else without those that the failing lane has not. What came first still comes first. */
  async #cutTimes(): Promise<void> {
    const search = this.#search
    const { shortGapMs } = this.#options
    const { asap, maxGapMs = Infinity } = search.part()
    if (asap) return
    for (const gapMs of [leastGapMs, shortGapMs])
      if (gapMs !== undefined && gapMs < maxGapMs)
        if (await search.tryPart({ maxGapMs: gapMs })) return
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
    await search.runStage('cut', () => this.#cutAfterCulprit())
    return undefined
  }

  async #cutAfterCulprit(): Promise<void> {
    const { kept: before } = this.#search.part()
    const kept = new Set([...before].filter((id) => !this.#isAfterCulprit(id)))
    if (kept.size < before.size) await this.#search.tryPart({ kept })
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
    const { kept, spared } = search.part()
    const isLeft = (fault: ReadonlySet<string>): boolean =>
      [...fault].some((id) => kept.has(id) && !spared?.has(id))
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
