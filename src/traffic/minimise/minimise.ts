/**
 * Minimises a recording: finds the smallest part that still fails in the same way. Causality comes first, since it
 * costs few replays: drops what came after the failure, then everything that the failure does not depend on; then delta
 * debugging over exchanges. Each trial is a replay with fresh identifiers, so no clean-up is needed.
 */
import { type CausalClosure, causalClosure } from '../causality/closure.ts'
import type { Cause, RecordedExchange } from '../recording/recorded-exchange.ts'
import { deltaDebug } from './delta-debug.ts'
import { shrinkBodies } from './shrink-bodies.ts'
import { type Attempt, type Budget, createTrials, type RecordingPart } from './trial.ts'

export const minimiseStages = [
  'confirm',
  'cut',
  'slice',
  'lanes',
  'driving',
  'exchanges',
  'times',
  'payload',
  'verify',
] as const
export type MinimiseStageName = (typeof minimiseStages)[number]

export interface MinimiseStage {
  readonly stage: MinimiseStageName
  /** Number of exchanges before and after the stage. */
  readonly before: number
  readonly after: number
  readonly replays: number
}

export interface MinimiseOptions {
  /** In the order in which requests began. */
  readonly exchanges: readonly RecordedExchange[]
  /**
   * `recordId` of the exchange where the failure shows first. It is kept, unless the failure concerns no single
   * exchange.
   */
  readonly culprit: string
  readonly culpritMayGo?: boolean
  readonly causes: (recordId: string) => readonly Cause[]
  /** Order of an exchange; '' for exchanges of the session. */
  readonly lane: (exchange: RecordedExchange) => string
  /** Exchanges that a replay sends or answers from; the others are only compared. */
  readonly drives?: ReadonlySet<string>
  /** The body that may be shrunk: the partner's; the subject's is only compared. */
  readonly mayShrink?: (exchange: RecordedExchange) => string | undefined
  readonly attempt: Attempt
  readonly budget: Budget
  /** Called after each stage. */
  readonly onStage?: (stage: MinimiseStage) => void
}

export interface MinimiseResult {
  /** `does not fail` and `unstable`: it never failed, or too seldom, and the part is the whole recording. */
  readonly verdict: 'minimal' | 'best so far' | 'does not fail' | 'unstable'
  readonly part: RecordingPart
  /** In how many of how many replays the whole recording failed. */
  readonly confirmed: { readonly fails: number; readonly of: number }
  readonly replays: number
  readonly stages: readonly MinimiseStage[]
}

const confirmations = 3
/** Below this rate a failure cannot be told from chance. */
const minFailureRate = 1 / 5
/** Maximum replays per part, for an intermittent failure. */
const maxReplaysPerPart = 8
/** Maximum replays for verifying the result. */
const maxVerifyingReplays = 15

/** Minimum certainty of a cause that counts as a dependency. */
const minCauseCertainty = 0.5

/** The dependencies. `order` causes do not count: what only came before need not have happened. */
function dependencyClosure({ exchanges, causes }: MinimiseOptions): CausalClosure {
  const reasons = new Map(
    exchanges.map(({ recordId }) => [
      recordId,
      causes(recordId).filter(({ kind }) => kind !== 'order'),
    ]),
  )
  return causalClosure(reasons.keys(), reasons, minCauseCertainty)
}

const wholeRecording = (exchanges: readonly RecordedExchange[]): RecordingPart => ({
  kept: new Set(exchanges.map(({ recordId }) => recordId)),
  asap: false,
  bodies: new Map(),
})

/** Measures the failure rate of the whole recording, and derives how many replays each part needs. */
async function confirm({ exchanges, attempt, budget }: MinimiseOptions) {
  let fails = 0
  let of = 0
  const maxReplays = Math.min(budget.replays, maxReplaysPerPart)
  while (of < maxReplays && !budget.isOver() && (of < confirmations || (fails > 0 && fails < of))) {
    of++
    if ((await attempt(wholeRecording(exchanges))) === 'fail') fails++
  }
  const always = fails === of && fails > 0
  const rate = of === 0 ? 0 : fails / of
  // A failure that always shows is tried twice, so that no part is accepted by chance; an intermittent one so often
  // that a miss is unlikely (5 %).
  const need = always
    ? { fails: 2, of: 2 }
    : { fails: 1, of: Math.min(maxReplaysPerPart, Math.ceil(Math.log(0.05) / Math.log(1 - rate))) }
  return { fails, of, rate, need }
}

export async function minimiseRecording(options: MinimiseOptions): Promise<MinimiseResult> {
  const { exchanges, culprit, culpritMayGo = false, lane, budget, attempt, onStage } = options
  const completedStages: MinimiseStage[] = []
  const byId = new Map(exchanges.map((each) => [each.recordId, each]))
  const { withCauses, withDependants } = dependencyClosure(options)
  const confirmed = await confirm(options)
  const { fails, of } = confirmed
  let part = wholeRecording(exchanges)
  let verifying = 0
  let verifyingLimit = 0
  reportStage('confirm', part.kept.size, of)

  function reportStage(stage: MinimiseStageName, before: number, replays: number): void {
    const row = { stage, before, after: part.kept.size, replays }
    completedStages.push(row)
    onStage?.(row)
  }

  const result = (verdict: MinimiseResult['verdict'], replays: number): MinimiseResult => ({
    verdict,
    part,
    confirmed: { fails, of },
    replays,
    stages: completedStages,
  })

  if (fails === 0) return result('does not fail', of)
  if (confirmed.rate < minFailureRate) return result('unstable', of)

  const trials = createTrials({
    attempt,
    budget: { ...budget, replays: budget.replays - of },
    need: confirmed.need,
  })

  /** Every part that failed, the smallest last. */
  const failing: RecordingPart[] = [part]
  const stillFails = async (next: RecordingPart): Promise<boolean> => {
    const fail = await trials.fails(next)
    if (fail) failing.push(next)
    return fail
  }

  /** Whether a part fails reliably: a small part may have failed by chance. */
  async function isSteady(next: RecordingPart): Promise<boolean> {
    for (let again = 0; again < confirmations; again++) {
      if (verifying >= verifyingLimit || budget.isOver()) return true
      verifying++
      if ((await attempt(next)) !== 'fail') return false
    }
    return true
  }

  async function runStage(name: MinimiseStageName, work: () => Promise<void>): Promise<void> {
    const before = part.kept.size
    const made = trials.made()
    await work()
    reportStage(name, before, trials.made() - made)
  }

  /** Accepts a part if it still fails. */
  async function tryPart(
    kept: ReadonlySet<string>,
    change: Partial<RecordingPart> = {},
  ): Promise<boolean> {
    const next = { ...part, ...change, kept }
    if (!(await stillFails(next))) return false
    part = next
    return true
  }

  const inOrder = (ids: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...part.kept].filter((id) => ids.has(id)))
  const laneById = (id: string): string => {
    const exchange = byId.get(id)
    return exchange ? lane(exchange) : ''
  }
  const culpritLane = laneById(culprit)

  await runStage('cut', async () => {
    const all = [...part.kept]
    const before = new Set(all.slice(0, all.indexOf(culprit) + 1))
    if (before.size < all.length) await tryPart(before)
  })

  const withLanesAndCauses = (lanes: ReadonlySet<string>): ReadonlySet<string> =>
    inOrder(withCauses([...part.kept].filter((id) => lanes.has(laneById(id)) || id === culprit)))

  await runStage('slice', async () => {
    const slice = withLanesAndCauses(new Set([culpritLane]))
    if (slice.size < part.kept.size) await tryPart(slice)
  })

  await runStage('lanes', async () => {
    const lanes = [...new Set([...part.kept].map(laneById))].filter((each) => each !== culpritLane)
    if (lanes.length < 2) return
    const left = await deltaDebug({
      things: lanes,
      stillFails: (some) =>
        stillFails({ ...part, kept: withLanesAndCauses(new Set([culpritLane, ...some])) }),
    })
    const slice = withLanesAndCauses(new Set([culpritLane, ...left]))
    if (slice.size < part.kept.size) await tryPart(slice)
  })

  await runStage('driving', async () => {
    const { drives } = options
    if (!drives) return
    const driving = [...part.kept].filter(
      (id) => drives.has(id) || (id === culprit && !culpritMayGo),
    )
    if (driving.length < part.kept.size) await tryPart(new Set(driving))
  })

  await runStage('exchanges', async () => {
    const left = await deltaDebug({
      things: [...part.kept],
      stays: (id) => id === culprit && !culpritMayGo,
      withIt: (id, those) => [...withDependants([id])].filter((each) => those.has(each)),
      stillFails: (some) => stillFails({ ...part, kept: some }),
    })
    part = { ...part, kept: inOrder(left) }
  })

  await runStage('times', async () => void (await tryPart(part.kept, { asap: true })))
  await runStage('payload', () =>
    shrinkBodies(
      options,
      trials,
      () => part,
      (next) => (part = next),
    ),
  )
  const spent = of + trials.made()
  verifyingLimit = Math.min(maxVerifyingReplays, budget.replays - spent)
  // An intermittent failure cannot be verified any better.
  if (confirmed.rate === 1 && !trials.exhausted())
    for (const smaller of [...failing.filter(({ bodies }) => bodies.size === 0), part].toReversed())
      if (await isSteady(smaller)) {
        part = smaller
        break
      }
  reportStage('verify', part.kept.size, verifying)
  return result(trials.exhausted() ? 'best so far' : 'minimal', spent + verifying)
}
