/**
 * Minimises a failing recording: replays parts of it, each in a new session with new ids, until nothing more can be
 * removed. Connects the search with the replay drivers.
 */
import { compact } from '../../compact.ts'
import { problem } from '../../problem.ts'
import { inferCauses } from '../../traffic/causality/causes.ts'
import { exchangeEntities } from '../../traffic/causality/entities.ts'
import {
  type ReplayFailure,
  findFailure,
  locateFailure,
  trialOutcome,
} from '../../traffic/minimise/replay-failure.ts'
import {
  type MinimiseResult,
  minimiseRecording,
  type MinimiseStage,
} from '../../traffic/minimise/minimise.ts'
import { failureParagraph } from '../../traffic/minimise/failure-paragraph.ts'
import { partnerBody, extractPart } from '../../traffic/minimise/part-content.ts'
import type { TrialOutcome, RecordingPart } from '../../traffic/minimise/trial.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import type { ReplayReport, FailureSignature } from '../../traffic/replay/replay-report.ts'

/** One replay of a part of a recording. */
export interface ReplayTrial {
  readonly content: RecordingContent
  /** Different for each, so that no id is used twice. */
  readonly seed: number
  /** Replay as fast as causality allows. */
  readonly asap: boolean
}

export interface SmallestPartOptions {
  readonly content: RecordingContent
  /** Replays a part, with either driver. */
  readonly replay: (trial: ReplayTrial) => Promise<ReplayReport>
  readonly seed: number
  /** Ids of the exchanges that drive the replay (decided or sent); the rest is only compared. */
  readonly drives?: ReadonlySet<string>
  /** The failure to reproduce; that of the first replay when absent. */
  readonly signature?: FailureSignature
  readonly maxReplays: number
  readonly isOver: () => boolean
  readonly onStage?: (stage: MinimiseStage) => void
}

export interface SmallestPart extends MinimiseResult {
  readonly failure: ReplayFailure
  /** The part as a recording. */
  readonly content: RecordingContent
  /** Bug report text. */
  readonly paragraph: string
}

/** Groups an exchange by its order, else by its first entity, else by the session (''). */
const laneOf = (exchange: RecordedExchange): string => {
  const [first] = exchangeEntities(exchange)
  return exchange.orderId ?? (first ? `${first.kind} ${first.id}` : '')
}

/** Throws a `Problem` when the recording does not fail. When interrupted, returns the best result so far. */
export async function findSmallestPart(options: SmallestPartOptions): Promise<SmallestPart> {
  const { content, replay, isOver, onStage } = options
  let replays = 0

  const replayPart = (part: RecordingContent, asap: boolean): Promise<ReplayReport> =>
    replay({ content: part, seed: options.seed + replays++, asap })

  const first = await replayPart(content, false)
  const failure = options.signature ? locateFailure(first, options.signature) : findFailure(first)
  if (!failure)
    throw problem(
      `minimising ${content.file}`,
      'replayed as a whole, nothing in it fails',
      'Replay it against the service that it failed with, or name the failure.',
    )
  const { signature, culprit } = failure

  async function attempt(part: RecordingPart): Promise<TrialOutcome> {
    const report = await replayPart(extractPart(content, part), part.asap)
    // Generated substitutes for removed exchanges may fail by chance.
    const isChance = report.guessed?.some((orderId) => !first.guessed?.includes(orderId)) ?? false
    return isChance ? 'unresolved' : trialOutcome(report, signature)
  }

  const causes = inferCauses(content.exchanges)
  const minimised = await minimiseRecording({
    exchanges: content.exchanges,
    culprit,
    culpritMayGo: signature.kind === 'invariant',
    causes: (recordId) => causes.get(recordId) ?? [],
    lane: laneOf,
    ...compact({ drives: options.drives }),
    mayShrink: partnerBody,
    attempt,
    budget: { replays: options.maxReplays - 1, isOver },
    ...compact({ onStage }),
  })
  const small = extractPart(content, minimised.part)
  const result = { ...minimised, replays }
  return {
    ...result,
    failure,
    content: small,
    paragraph: failureParagraph({
      all: content.exchanges,
      left: small.exchanges,
      culprit,
      signature,
      minimised: result,
    }),
  }
}
