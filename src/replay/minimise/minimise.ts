/**
 * Minimises a recording: finds the smallest part that still fails in the same way. Causality comes first, since it
 * costs few replays: drops what came after the failure, then everything that the failure does not depend on; then delta
 * debugging over exchanges. Each trial is a replay with fresh identifiers, so no clean-up is needed.
 */
import { compact } from '../../core/base/compact.ts'
import { deltaDebug } from './delta-debug.ts'
import type { FailureCount, MinimiseOptions, MinimiseResult } from './minimise-options.ts'
import { createPartSearch, type PartSearch } from './part-search.ts'
import { shrinkBodies } from './shrink-bodies.ts'
import type { RecordingPart } from './trial.ts'
import { laneAffinity } from './lanes.ts'

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
