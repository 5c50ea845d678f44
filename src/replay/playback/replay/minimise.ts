/**
 * Minimises a failing recording: replays parts of it, each in a new session with new ids, until nothing more can be
 * removed. Connects the search with the replay drivers.
 */
import { compact } from '../../../core/base/compact.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { historyOf, isCrash } from '../../from-recording/history.ts'
import { inferCauses } from '../../identity/causality/causes.ts'
import {
  createEnvironment,
  extractPart,
  type PartEnvironment,
  partnerBody,
} from '../../minimise/environment.ts'
import { createLanes, type Lanes } from '../../minimise/lanes.ts'
import { minimiseRecording } from '../../minimise/minimise.ts'
import type {
  MinimiseOptions,
  MinimiseResult,
  TrialOutcome,
  RecordingPart,
} from '../../minimise/minimise-options.ts'
import { isDependency } from '../../minimise/part-search.ts'
import { createDecisiveTest, trialOutcome, wholeReplayOf } from '../../minimise/replay-failure.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { listFailures, type ListedFailure, worstFailure } from '../../minimise/failure-list.ts'
import {
  type ReplayedExchange,
  type ReplayReport,
  recordedReport,
} from '../../../core/traffic/recording/replay-report.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { shortRoleName } from '../../../core/protocol/role.ts'
import type { Cause, RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { pathWithoutQuery } from '../../difference/candidate-index.ts'

/** One paragraph about a failure and its cause, to send to the partner or a colleague. */
interface FailureParagraphOptions {
  /** All exchanges, and those of the minimised part. */
  readonly all: readonly RecordedExchange[]
  readonly left: readonly RecordedExchange[]
  readonly culprit: string
  readonly failure: ListedFailure
  readonly minimised: MinimiseResult
  /** Each exchange that drives the service was left out on trial; otherwise some stay or go together. */
  readonly isEachTried: boolean
}

const callOf = ({ operation, request }: RecordedExchange): string =>
  operation ?? `${request.method} ${pathWithoutQuery(request.url)}`

/** The calls in sequence; repetitions are merged: `getOrder (3×)`. */
function callSequence(left: readonly RecordedExchange[]): string {
  const calls: { text: string; times: number }[] = []
  for (const each of left) {
    const ended = isCrash(each) ? ', where your service is ended' : ''
    const text = `${shortRoleName[each.from.role]}→${shortRoleName[each.to.role]} ${callOf(each)}${ended}`
    const last = calls.at(-1)
    if (last?.text === text) last.times++
    else calls.push({ text, times: 1 })
  }
  return calls.map(({ text, times }) => (times === 1 ? text : `${text} (${times}×)`)).join(', ')
}

function confidenceText(
  { confirmed, verified, verdict }: MinimiseResult,
  isEachTried: boolean,
): string {
  const counts = [
    ...(confirmed
      ? [`in ${confirmed.fails} of ${pluralise(confirmed.of, 'replay')} of the whole`]
      : []),
    ...(verified ? [`in ${verified.fails} of ${pluralise(verified.of, 'replay')} of these`] : []),
  ]
  const failed = counts.length === 0 ? '' : `It failed ${counts.join(' and ')}; `
  if (verdict !== 'minimal')
    return `${failed}the search stopped at its limit; a smaller reproduction may exist`
  return `${failed}${isEachTried ? 'no trial with fewer of them showed it and else went as recorded' : 'nothing smaller was found'}`
}

function failureParagraph({
  all,
  left,
  culprit,
  failure,
  minimised,
  isEachTried,
}: FailureParagraphOptions): string {
  const orders = new Set(left.flatMap(({ orderId }) => orderId ?? []))
  const place = left.findIndex(({ recordId }) => recordId === culprit) + 1
  const shown = left[place - 1]
  const where = shown ? `, at number ${place}, ${callOf(shown)}` : ''
  const about = orders.size === 0 ? '' : ` of ${pluralise(orders.size, 'order')}`
  return (
    `${pluralise(left.length, 'exchange')} of ${all.length}${about} ${left.length === 1 ? 'is' : 'are'} enough: ` +
    `${failure.text}${where}. They are: ${callSequence(left)}. ` +
    `${confidenceText(minimised, isEachTried)} (${pluralise(minimised.replays, 'replay')} in all, each with fresh ids).`
  )
}

/** One replay of a part of a recording. */
export interface ReplayTrial {
  readonly content: RecordingContent
  /** Different for each, so that no id is used twice. */
  readonly seed: number
  /** Replay as fast as causality allows. */
  readonly asap: boolean
  /** The longest pause at the pace of the recording, in ms. */
  readonly maxGapMs?: number
  /** The order that the failure is of, by its recorded id. */
  readonly orderId?: string | undefined
  /** The invariant that the failure breaks. */
  readonly invariant?: string | undefined
  /** Asked with each result, where the driver has one at once: the replay may end. */
  readonly isEnough?: (replayed: ReplayedExchange) => boolean
}

export interface SmallestPartOptions extends Pick<
  MinimiseOptions,
  'drives' | 'neededAnswers' | 'faults' | 'spareable' | 'plainDrives' | 'parallel' | 'onStage'
> {
  readonly content: RecordingContent
  /** Replays a part, with either driver. */
  readonly replay: (trial: ReplayTrial) => Promise<ReplayReport>
  readonly seed: number
  /** Chooses the failure to reproduce among those that a replay of the whole shows; the worst when absent. */
  readonly choose?: (failures: readonly ListedFailure[]) => ListedFailure | undefined
  /** The same among those that the recording itself shows; none, when undefined is returned. */
  readonly chooseRecorded?: (failures: readonly ListedFailure[]) => ListedFailure | undefined
  /** Called with the failures that the recording shows, and with those of each replay of the whole. */
  readonly onFailures?: (failures: readonly ListedFailure[]) => void
  /** Only a failure that the recording shows itself, or only another; the first before the second when absent. */
  readonly seeks?: 'recorded' | 'other'
  /**
   * The paces at which a failure that the recording shows is looked for: its own without pauses of other orders (`short`),
   * as fast as causality allows, its own. Any other must show at the last of them.
   */
  readonly paces?: readonly TrialPace[]
  readonly maxReplays: number
  readonly isOver: () => boolean
  /** Whether the time for simplifying bodies is over. */
  readonly isLate?: () => boolean
}

export interface SmallestPart extends MinimiseResult {
  readonly failure: ListedFailure
  /** `recordId` of the recorded exchange where it shows. */
  readonly culprit: string
  /** The part as a recording. */
  readonly content: RecordingContent
  /** Bug report text. */
  readonly paragraph: string
}

export type TrialPace = 'short' | 'asap' | 'recorded'

/** In milliseconds: a pause that need not be shorter. */
const leastGapMs = 1000

/** Replays of the whole that may show no failure, before the search ends. */
const wholeReplays = 3

/** What no replay of the whole showed. */
function notFailing(
  { content, isOver }: SmallestPartOptions,
  replays: number,
  failures: readonly ListedFailure[],
): Problem {
  const others = failures.slice(0, 10).map(({ text }, index) => `${index + 1}. ${text}`)
  return problem(
    `minimising ${content.file}`,
    `the failure came in 0 of ${replays} replays of the whole${isOver() ? ', then the time was over' : ''}`,
    others.length > 0
      ? `Nothing was written. What was seen: ${others.join('; ')}. Name one with --failure.`
      : 'Nothing was written. Replay it against the service that it failed with, in the state that it had then: --start gives each replay a fresh one.',
    5,
  )
}

/** Throws a `Problem` when the recording does not fail. When interrupted, returns the best result so far. */
export const findSmallestPart = (options: SmallestPartOptions): Promise<SmallestPart> =>
  new SmallestPartSearch(options).find()

/** The replay that showed a failure, or the recording itself. */
interface FailingWhole {
  readonly report: ReplayReport
  readonly pace: TrialPace
  readonly isRecorded: boolean
  readonly scope?: MinimiseOptions['scope']
}

/** A failure that is looked for in parts of the recording. */
interface SoughtFailure {
  readonly looked: Parameters<typeof trialOutcome>[1]
  readonly orderId: string | undefined
  readonly isRecorded: boolean
  /** Orders that were made up before: substitutes for other removed exchanges may fail by chance. */
  readonly guessedBefore: ReadonlySet<string>
  /** The last report that showed it. */
  lastFailing: ReplayReport
}

class SmallestPartSearch {
  readonly #options: SmallestPartOptions
  readonly #causes: ReadonlyMap<string, readonly Cause[]>
  readonly #lanes: Lanes
  readonly #environment: PartEnvironment
  /** Orders that the recording never reads: a driver that places orders makes them up in every replay. */
  readonly #undocumented: readonly string[]
  /** Full replays of the whole. */
  readonly #wholes: FailingWhole[] = []
  #replays = 0

  constructor(options: SmallestPartOptions) {
    const { exchanges } = options.content
    this.#options = options
    this.#causes = inferCauses(exchanges)
    this.#lanes = createLanes(exchanges)
    this.#environment = createEnvironment({
      exchanges,
      drives: options.drives,
      causes: (recordId) => (this.#causes.get(recordId) ?? []).filter(isDependency),
      lanesOf: this.#lanes.of,
    })
    this.#undocumented = historyOf(options.content).orders.flatMap(({ orderId, document }) =>
      document ? [] : [orderId],
    )
  }

  async find(): Promise<SmallestPart> {
    const { content, isOver, onFailures, choose = worstFailure } = this.#options
    const { seeks, chooseRecorded = choose, paces = ['short', 'asap', 'recorded'] } = this.#options
    // Where the recording shows the failure, small parts of it are tried first: a replay of the whole takes long.
    const report = recordedReport(content)
    const recordedFailures = listFailures(report)
    if (seeks !== 'other') onFailures?.(recordedFailures)
    const recorded = chooseRecorded(recordedFailures)
    if (recorded && seeks !== 'other')
      for (const scope of ['slices', 'whole'] as const)
        for (const pace of paces) {
          if (isOver()) break
          if (scope === 'whole' && pace === 'short') continue
          const found = await this.#search(recorded, { report, pace, isRecorded: true, scope })
          if (found) return found
        }

    let failures: readonly ListedFailure[] = recorded ? [recorded] : []
    const pace = paces.at(-1) ?? 'recorded'
    const wholes = () => this.#wholes.filter((each) => each.pace === pace)
    for (let nth = 0; seeks !== 'recorded' && nth < wholeReplays; nth++) {
      if (!wholes()[nth] && !isOver()) await this.#replayWhole(pace)
      const whole = wholes()[nth]
      if (!whole) break
      failures = listFailures(whole.report)
      onFailures?.(failures)
      const failure = choose(failures)
      const smallest = failure && (await this.#search(failure, whole))
      if (smallest) return smallest
    }
    throw notFailing(this.#options, this.#wholes.length, failures)
  }

  async #search(failure: ListedFailure, from: FailingWhole): Promise<SmallestPart | undefined> {
    const { content, drives, isOver, isLate, maxReplays } = this.#options
    const { parallel, neededAnswers, plainDrives, faults, spareable, onStage } = this.#options
    const { exchanges } = content
    const culprit = failure.places[0]?.recordId ?? exchanges.at(-1)?.recordId ?? ''
    const { signature } = failure
    const sought = this.#soughtFailure(failure, culprit, from)
    const shortGapMs = this.#shortGapMs(culprit, sought.orderId)
    const minimised = await minimiseRecording({
      exchanges,
      culprit,
      culpritMayGo: signature.kind !== 'answer',
      ...compact({
        ownLane: sought.orderId,
        parallel,
        neededAnswers,
        plainDrives,
        faults,
        spareable,
        onStage,
        shortGapMs,
        scope: from.scope,
      }),
      causes: (recordId) => this.#causes.get(recordId) ?? [],
      lanesOf: this.#lanes.of,
      drives,
      mayShrink: partnerBody,
      attempt: (part) => this.#attempt(part, sought),
      usedAnswers: () => answeredIds(sought.lastFailing),
      isRecorded: from.isRecorded,
      pace: {
        asap: from.pace === 'asap',
        ...(from.pace === 'short' ? { maxGapMs: shortGapMs } : {}),
      },
      budget: { replays: maxReplays - this.#replays, isOver, ...compact({ isLate }) },
    })
    const { verdict } = minimised
    if (verdict === 'does not fail' || verdict === 'unstable') return undefined
    const small = this.#extract(minimised.part)
    const result = { ...minimised, replays: this.#replays }
    const paragraph = failureParagraph({
      all: exchanges,
      left: small.exchanges,
      culprit,
      failure,
      minimised: result,
      isEachTried: plainDrives === undefined,
    })
    return { ...result, failure, culprit, content: small, paragraph }
  }

  /** The longest pause of the failing order on its way to the failure, in ms: longer ones are those of others. */
  #shortGapMs(culprit: string, orderId: string | undefined): number {
    const { exchanges } = this.#options.content
    const place = exchanges.findIndex(({ recordId }) => recordId === culprit)
    const failing = exchanges[place]
    const lanes = orderId === undefined ? (failing ? this.#lanes.of(failing) : []) : [orderId]
    const starts = exchanges
      .slice(0, place + 1)
      .filter((each) => this.#lanes.of(each).some((lane) => lanes.includes(lane)))
      .map(({ startedAt }) => startedAt)
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? at))
    return Math.ceil(Math.max(leastGapMs, ...gaps))
  }

  #soughtFailure(
    { signature }: ListedFailure,
    culprit: string,
    { report, isRecorded }: FailingWhole,
  ): SoughtFailure {
    return {
      looked: { signature, whole: wholeReplayOf(report), culprit },
      orderId: 'order' in signature ? signature.order : undefined,
      isRecorded,
      guessedBefore: new Set([
        ...this.#undocumented,
        ...this.#wholes.flatMap((whole) => whole.report.guessed ?? []),
      ]),
      lastFailing: report,
    }
  }

  async #attempt(part: RecordingPart, sought: SoughtFailure): Promise<TrialOutcome> {
    const { looked, orderId, guessedBefore } = sought
    const { signature } = looked
    const isWhole = part.kept === this.#options.drives && part.bodies.size === 0
    const report = await (isWhole && sought.isRecorded
      ? this.#replayWhole(part.asap ? 'asap' : 'recorded')
      : this.#replayPart(this.#extract(part), {
          ...compact({ asap: part.asap, maxGapMs: part.maxGapMs }),
          orderId,
          invariant: signature.kind === 'invariant' ? signature.name : undefined,
          isEnough: createDecisiveTest(looked),
        }).catch((error: unknown) => {
          // A part without a call of the service cannot be replayed.
          if (error instanceof Problem && error.exit === 2) return undefined
          throw error
        }))
    if (!report) return 'unresolved'
    // Generated substitutes for removed exchanges may fail by chance.
    const isChance = report.guessed?.some((id) => !guessedBefore.has(id)) ?? false
    const outcome = isChance ? 'unresolved' : trialOutcome(report, looked)
    if (outcome === 'fail') sought.lastFailing = report
    return outcome
  }

  #extract(part: RecordingPart): RecordingContent {
    const [environment, lanes] = [this.#environment, this.#lanes]
    return extractPart(this.#options.content, part, { environment, lanes })
  }

  async #replayPart(
    content: RecordingContent,
    more: Omit<ReplayTrial, 'content' | 'seed'>,
  ): Promise<ReplayReport> {
    const { replay, seed } = this.#options
    return replay({ content, seed: seed + this.#replays++, ...more })
  }

  async #replayWhole(pace: TrialPace): Promise<ReplayReport> {
    const report = await this.#replayPart(this.#options.content, { asap: pace === 'asap' })
    this.#wholes.push({ report, pace, isRecorded: false })
    return report
  }
}

/** The recorded calls that the service made in a replay. */
const answeredIds = ({ exchanges }: ReplayReport): ReadonlySet<string> =>
  new Set(exchanges.flatMap(({ recorded, live }) => (recorded && live ? recorded.recordId : [])))
