/**
 * Minimises a failing recording: replays parts of it, each in a new session with new ids, until nothing more can be
 * removed. Connects the search with the replay drivers.
 */
import { compact } from '../../../core/base/compact.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { historyOf } from '../../from-recording/history.ts'
import { inferCauses } from '../../identity/causality/causes.ts'
import { createEnvironment, partnerBody, extractPart } from '../../minimise/environment.ts'
import { createLanes } from '../../minimise/lanes.ts'
import { minimiseRecording } from '../../minimise/minimise.ts'
import type { MinimiseOptions, MinimiseResult } from '../../minimise/minimise-options.ts'
import { isDependency } from '../../minimise/part-search.ts'
import { isDecisive, trialOutcome, wholeReplayOf } from '../../minimise/replay-failure.ts'
import type { TrialOutcome, RecordingPart } from '../../minimise/trial.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { listFailures, type ListedFailure, worstFailure } from '../../minimise/failure-list.ts'
import {
  type ReplayedExchange,
  type ReplayReport,
  recordedReport,
} from '../../../core/traffic/recording/replay-report.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { shortRoleName } from '../../../core/protocol/role.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { pathWithoutQuery } from '../../difference/candidate-index.ts'

/** One paragraph about a failure and its cause, to send to the partner or a colleague. */
interface FailureParagraphOptions {
  /** All exchanges, and those of the minimised part. */
  readonly all: readonly RecordedExchange[]
  readonly left: readonly RecordedExchange[]
  readonly culprit: string
  readonly failure: ListedFailure
  readonly minimised: MinimiseResult
  /** Each exchange that is left was left out on trial; otherwise some stay or go together. */
  readonly isEachTried: boolean
}

const callOf = ({ operation, request }: RecordedExchange): string =>
  operation ?? `${request.method} ${pathWithoutQuery(request.url)}`

/** The calls in sequence; repetitions are merged: `getOrder (3×)`. */
function callSequence(left: readonly RecordedExchange[]): string {
  const calls: { text: string; times: number }[] = []
  for (const each of left) {
    const text = `${shortRoleName[each.from.role]}→${shortRoleName[each.to.role]} ${callOf(each)}`
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
  return `${failed}${isEachTried ? 'without any one of these it does not' : 'nothing smaller was found'}`
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
  /** The order that the failure is of, by its recorded id. */
  readonly orderId?: string | undefined
  /** The invariant that the failure breaks. */
  readonly invariant?: string | undefined
  /** Asked with each result, where the driver has one at once: the replay may end. */
  readonly isEnough?: (replayed: ReplayedExchange) => boolean
}

export interface SmallestPartOptions extends Pick<
  MinimiseOptions,
  'drives' | 'neededAnswers' | 'faults' | 'plainDrives' | 'parallel' | 'onStage'
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
  /**
   * The paces of replays of the whole, in turn, until one shows the failure; as fast as causality allows first when
   * absent.
   */
  readonly paces?: readonly ('asap' | 'recorded')[]
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
      : 'Nothing was written. Replay it against the service that it failed with, in the state that it had then.',
    5,
  )
}

/** Throws a `Problem` when the recording does not fail. When interrupted, returns the best result so far. */
export async function findSmallestPart(options: SmallestPartOptions): Promise<SmallestPart> {
  const { content, replay, isOver, onStage, drives, choose = worstFailure } = options
  const { chooseRecorded = choose, paces = ['asap', 'recorded'] } = options
  const causes = inferCauses(content.exchanges)
  const lanes = createLanes(content.exchanges)
  const environment = createEnvironment({
    exchanges: content.exchanges,
    drives,
    causes: (recordId) => (causes.get(recordId) ?? []).filter(isDependency),
    lanesOf: lanes.of,
  })
  /** Orders that the recording never reads: a driver that places orders makes them up in every replay. */
  const undocumented = historyOf(content).orders.flatMap(({ orderId, document }) =>
    document ? [] : [orderId],
  )
  /** Full replays of the whole. */
  const wholes: { readonly report: ReplayReport; readonly asap: boolean }[] = []
  let replays = 0

  async function replayPart(
    part: RecordingContent,
    more: Pick<ReplayTrial, 'asap' | 'isEnough' | 'orderId' | 'invariant'>,
  ): Promise<ReplayReport> {
    return replay({ content: part, seed: options.seed + replays++, ...more })
  }

  async function replayWhole(asap: boolean): Promise<ReplayReport> {
    const report = await replayPart(content, { asap })
    wholes.push({ report, asap })
    return report
  }

  async function search(
    failure: ListedFailure,
    from: { readonly report: ReplayReport; readonly asap: boolean; readonly isRecorded: boolean },
  ): Promise<SmallestPart | undefined> {
    const culprit = failure.places[0]?.recordId ?? content.exchanges.at(-1)?.recordId ?? ''
    const { signature } = failure
    const orderId = 'order' in signature ? signature.order : undefined
    const looked = { signature, whole: wholeReplayOf(from.report), culprit }
    const guessedBefore = new Set([
      ...undocumented,
      ...wholes.flatMap(({ report }) => report.guessed ?? []),
    ])
    const replaysBefore = replays
    let lastFailing = from.report

    async function attempt(part: RecordingPart): Promise<TrialOutcome> {
      const isWhole = part.kept === drives && part.bodies.size === 0
      const report = await (isWhole && from.isRecorded
        ? replayWhole(part.asap)
        : replayPart(extractPart(content, part, { environment, lanes }), {
            asap: part.asap,
            orderId,
            invariant: signature.kind === 'invariant' ? signature.name : undefined,
            isEnough: (replayed) => isDecisive(replayed, looked),
          }).catch((error: unknown) => {
            // A part without a call of the service cannot be replayed.
            if (error instanceof Problem && error.exit === 2) return undefined
            throw error
          }))
      if (!report) return 'unresolved'
      // Generated substitutes for removed exchanges may fail by chance.
      const isChance = report.guessed?.some((id) => !guessedBefore.has(id)) ?? false
      const outcome = isChance ? 'unresolved' : trialOutcome(report, looked)
      if (outcome === 'fail') lastFailing = report
      return outcome
    }

    const minimised = await minimiseRecording({
      exchanges: content.exchanges,
      culprit,
      culpritMayGo: signature.kind !== 'answer',
      ...compact({ ownLane: orderId }),
      causes: (recordId) => causes.get(recordId) ?? [],
      lanesOf: lanes.of,
      drives,
      mayShrink: partnerBody,
      attempt,
      usedAnswers: () =>
        new Set(
          lastFailing.exchanges.flatMap(({ recorded, live }) =>
            recorded && live ? recorded.recordId : [],
          ),
        ),
      ...compact({
        parallel: options.parallel,
        neededAnswers: options.neededAnswers,
        plainDrives: options.plainDrives,
        faults: options.faults,
      }),
      isRecorded: from.isRecorded,
      asap: from.asap,
      budget: {
        replays: options.maxReplays - replaysBefore,
        isOver,
        ...compact({ isLate: options.isLate }),
      },
      ...compact({ onStage }),
    })
    const { verdict } = minimised
    if (verdict === 'does not fail' || verdict === 'unstable') return undefined
    const small = extractPart(content, minimised.part, { environment, lanes })
    const result = { ...minimised, replays }
    const paragraph = failureParagraph({
      all: content.exchanges,
      left: small.exchanges,
      culprit,
      failure,
      minimised: result,
      isEachTried: options.plainDrives === undefined,
    })
    return { ...result, failure, culprit, content: small, paragraph }
  }

  // Where the recording shows the failure, small parts of it are tried first: a replay of the whole takes long.
  const recordedFailures = listFailures(recordedReport(content))
  options.onFailures?.(recordedFailures)
  const recorded = chooseRecorded(recordedFailures)
  const found =
    recorded &&
    (await search(recorded, {
      report: recordedReport(content),
      asap: paces[0] === 'asap',
      isRecorded: true,
    }))
  if (found) return found

  let failures: readonly ListedFailure[] = []
  for (let nth = 0; nth < wholeReplays && (wholes[nth] || !isOver()); nth++) {
    const asap = paces[nth % paces.length] === 'asap'
    if (!wholes[nth]) await replayWhole(asap)
    const whole = wholes[nth]
    if (!whole) break
    failures = listFailures(whole.report)
    options.onFailures?.(failures)
    const failure = choose(failures)
    const smallest = failure && (await search(failure, { ...whole, isRecorded: false }))
    if (smallest) return smallest
  }
  throw notFailing(options, wholes.length, failures)
}
