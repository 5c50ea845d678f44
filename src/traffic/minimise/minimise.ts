/**
 * The smallest part of a recording that still fails in the same way. By causality first, because that is nearly free:
 * what came after the failure goes, then everything that it does not come of; only then exchanges are left out on trial.
 * Each trial is a replay on fresh names, so nothing has to be cleaned up between two.
 */
import { type Closure, closureOf } from '../causality/closure.ts'
import type { Cause, RecordedExchange } from '../recording/recorded-exchange.ts'
import { reduce } from './reduce.ts'
import { shrinkBodies } from './shrink-bodies.ts'
import { type Attempt, type Budget, createTrials, type Part } from './trial.ts'

export const stages = [
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
export type StageName = (typeof stages)[number]

export interface Stage {
  readonly stage: StageName
  /** Exchanges before and after it. */
  readonly before: number
  readonly after: number
  readonly replays: number
}

export interface MinimiseOptions {
  /** In the order in which requests began. */
  readonly exchanges: readonly RecordedExchange[]
  /** Where the failure shows first. It stays, unless the failure is about no single exchange. */
  readonly culprit: string
  readonly culpritMayGo?: boolean
  readonly causes: (recordId: string) => readonly Cause[]
  /** What an exchange is about: its order; '' for what belongs to the session. */
  readonly lane: (exchange: RecordedExchange) => string
  /** Exchanges that a replay really goes by; the others it only compares. */
  readonly drives?: ReadonlySet<string>
  /** Whether the body of an exchange may be made smaller: the partner's are, the subject's are only compared. */
  readonly mayShrink?: (exchange: RecordedExchange) => string | undefined
  readonly attempt: Attempt
  readonly budget: Budget
  /** Told after each stage. */
  readonly onStage?: (stage: Stage) => void
}

export interface Minimised {
  /** It never failed, or too seldom: then the part is the whole. */
  readonly verdict: 'minimal' | 'best so far' | 'does not fail' | 'unstable'
  readonly part: Part
  /** How often the whole recording failed of how many replays. */
  readonly confirmed: { readonly fails: number; readonly of: number }
  readonly replays: number
  readonly stages: readonly Stage[]
}

const confirmations = 3
/** A failure that shows less often cannot be told from luck. */
const leastRate = 1 / 5
/** Replays for one part of a failure that comes and goes. */
const mostPerPart = 8
/** Nor must it be asked for ever whether the end is sure. */
const mostOfVerifying = 15

/** So sure a reason must be that what came of it needs it. */
const leastNeeded = 0.5

/** Who needs whom. Order alone is no reason: what only came before need not have happened. */
function needsOf({ exchanges, causes }: MinimiseOptions): Closure {
  const reasons = new Map(
    exchanges.map(({ recordId }) => [
      recordId,
      causes(recordId).filter(({ kind }) => kind !== 'order'),
    ]),
  )
  return closureOf(reasons.keys(), reasons, leastNeeded)
}

const whole = (exchanges: readonly RecordedExchange[]): Part => ({
  kept: new Set(exchanges.map(({ recordId }) => recordId)),
  asap: false,
  bodies: new Map(),
})

/** How often the whole recording fails, and how many replays of a part that asks for. */
async function confirm({ exchanges, attempt, budget }: MinimiseOptions) {
  let fails = 0
  let of = 0
  const most = Math.min(budget.replays, mostPerPart)
  while (of < most && !budget.isOver() && (of < confirmations || (fails > 0 && fails < of))) {
    of++
    if ((await attempt(whole(exchanges))) === 'fail') fails++
  }
  const always = fails === of && fails > 0
  const rate = of === 0 ? 0 : fails / of
  // What always fails is tried twice, so that no part is taken that fails by luck; what does not, so often that a miss is
  // unlikely.
  const need = always
    ? { fails: 2, of: 2 }
    : { fails: 1, of: Math.min(mostPerPart, Math.ceil(Math.log(0.05) / Math.log(1 - rate))) }
  return { fails, of, rate, need }
}

export async function minimise(options: MinimiseOptions): Promise<Minimised> {
  const { exchanges, culprit, culpritMayGo = false, lane, budget, attempt, onStage } = options
  const told: Stage[] = []
  const byId = new Map(exchanges.map((each) => [each.recordId, each]))
  const { withCauses, withDependants } = needsOf(options)
  const confirmed = await confirm(options)
  const { fails, of } = confirmed
  let part = whole(exchanges)
  let verifying = 0
  let mostVerifying = 0
  tell('confirm', part.kept.size, of)

  function tell(stage: StageName, before: number, replays: number): void {
    const row = { stage, before, after: part.kept.size, replays }
    told.push(row)
    onStage?.(row)
  }

  const result = (verdict: Minimised['verdict'], replays: number): Minimised => ({
    verdict,
    part,
    confirmed: { fails, of },
    replays,
    stages: told,
  })

  if (fails === 0) return result('does not fail', of)
  if (confirmed.rate < leastRate) return result('unstable', of)

  const trials = createTrials({
    attempt,
    budget: { ...budget, replays: budget.replays - of },
    need: confirmed.need,
  })

  /** Every part that was seen to fail, the smallest last. */
  const failing: Part[] = [part]
  const stillFails = async (next: Part): Promise<boolean> => {
    const fail = await trials.fails(next)
    if (fail) failing.push(next)
    return fail
  }

  /** Whether it fails again as often as the whole did before: the little that is left may have failed by luck. */
  async function isSteady(next: Part): Promise<boolean> {
    for (let again = 0; again < confirmations; again++) {
      if (verifying >= mostVerifying || budget.isOver()) return true
      verifying++
      if ((await attempt(next)) !== 'fail') return false
    }
    return true
  }

  async function during(name: StageName, work: () => Promise<void>): Promise<void> {
    const before = part.kept.size
    const made = trials.made()
    await work()
    tell(name, before, trials.made() - made)
  }

  /** Takes a part if it still fails. */
  async function take(kept: ReadonlySet<string>, change: Partial<Part> = {}): Promise<boolean> {
    const next = { ...part, ...change, kept }
    if (!(await stillFails(next))) return false
    part = next
    return true
  }

  const inOrder = (ids: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...part.kept].filter((id) => ids.has(id)))
  const laneIn = (id: string): string => {
    const exchange = byId.get(id)
    return exchange ? lane(exchange) : ''
  }
  const own = laneIn(culprit)

  await during('cut', async () => {
    const all = [...part.kept]
    const before = new Set(all.slice(0, all.indexOf(culprit) + 1))
    if (before.size < all.length) await take(before)
  })

  const sliced = (lanes: ReadonlySet<string>): ReadonlySet<string> =>
    inOrder(withCauses([...part.kept].filter((id) => lanes.has(laneIn(id)) || id === culprit)))

  await during('slice', async () => {
    const slice = sliced(new Set([own]))
    if (slice.size < part.kept.size) await take(slice)
  })

  await during('lanes', async () => {
    const lanes = [...new Set([...part.kept].map(laneIn))].filter((each) => each !== own)
    if (lanes.length < 2) return
    const left = await reduce({
      things: lanes,
      stillFails: (some) => stillFails({ ...part, kept: sliced(new Set([own, ...some])) }),
    })
    const slice = sliced(new Set([own, ...left]))
    if (slice.size < part.kept.size) await take(slice)
  })

  await during('driving', async () => {
    const { drives } = options
    if (!drives) return
    const driving = [...part.kept].filter(
      (id) => drives.has(id) || (id === culprit && !culpritMayGo),
    )
    if (driving.length < part.kept.size) await take(new Set(driving))
  })

  await during('exchanges', async () => {
    const left = await reduce({
      things: [...part.kept],
      stays: (id) => id === culprit && !culpritMayGo,
      withIt: (id, those) => [...withDependants([id])].filter((each) => those.has(each)),
      stillFails: (some) => stillFails({ ...part, kept: some }),
    })
    part = { ...part, kept: inOrder(left) }
  })

  await during('times', async () => void (await take(part.kept, { asap: true })))
  await during('payload', () =>
    shrinkBodies(
      options,
      trials,
      () => part,
      (next) => (part = next),
    ),
  )
  const spent = of + trials.made()
  mostVerifying = Math.min(mostOfVerifying, budget.replays - spent)
  // A failure that comes and goes cannot be told from luck any better than it was.
  if (confirmed.rate === 1 && !trials.exhausted())
    for (const smaller of [...failing.filter(({ bodies }) => bodies.size === 0), part].toReversed())
      if (await isSteady(smaller)) {
        part = smaller
        break
      }
  tell('verify', part.kept.size, verifying)
  return result(trials.exhausted() ? 'best so far' : 'minimal', spent + verifying)
}
