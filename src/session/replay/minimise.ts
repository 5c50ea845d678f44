/**
 * Minimises a failing recording: replays parts of it, each in a new session with new ids, until nothing more can be
 * removed. Connects the search with the replay drivers.
 */
import { compact } from '../../compact.ts'
import { problem } from '../../problem.ts'
import { causesOf } from '../../traffic/causality/causes.ts'
import { entitiesOf } from '../../traffic/causality/entities.ts'
import { type Failure, failureIn, failureOf, outcomeOf } from '../../traffic/minimise/failure.ts'
import { type Minimised, minimise, type Stage } from '../../traffic/minimise/minimise.ts'
import { paragraph } from '../../traffic/minimise/paragraph.ts'
import { partnersBody, partOf } from '../../traffic/minimise/part-content.ts'
import type { Outcome, Part } from '../../traffic/minimise/trial.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import type { ReplayReport, Signature } from '../../traffic/replay/status.ts'

/** One replay of a part of a recording. */
export interface Trial {
  readonly content: RecordingContent
  /** Different for each, so that no id is used twice. */
  readonly seed: number
  /** Replay as fast as causality allows. */
  readonly asap: boolean
}

export interface SearchOptions {
  readonly content: RecordingContent
  /** Replays a part, with either driver. */
  readonly replay: (trial: Trial) => Promise<ReplayReport>
  readonly seed: number
  /** Ids of the exchanges that drive the replay (decided or sent); the rest is only compared. */
  readonly drives?: ReadonlySet<string>
  /** The failure to reproduce; that of the first replay when absent. */
  readonly signature?: Signature
  readonly mostReplays: number
  readonly isOver: () => boolean
  readonly onStage?: (stage: Stage) => void
}

export interface Searched extends Minimised {
  readonly failure: Failure
  /** The part as a recording. */
  readonly content: RecordingContent
  /** Bug report text. */
  readonly paragraph: string
}

/** Groups an exchange by its order, else by its first entity, else by the session (''). */
const laneOf = (exchange: RecordedExchange): string => {
  const [first] = entitiesOf(exchange)
  return exchange.orderId ?? (first ? `${first.kind} ${first.id}` : '')
}

/** Throws a `Problem` when the recording does not fail. When interrupted, returns the best result so far. */
export async function searchSmallest(options: SearchOptions): Promise<Searched> {
  const { content, replay, isOver, onStage } = options
  let replays = 0

  const replayPart = (part: RecordingContent, asap: boolean): Promise<ReplayReport> =>
    replay({ content: part, seed: options.seed + replays++, asap })

  const first = await replayPart(content, false)
  const failure = options.signature ? failureOf(first, options.signature) : failureIn(first)
  if (!failure)
    throw problem(
      `minimising ${content.file}`,
      'replayed as a whole, nothing in it fails',
      'Replay it against the service that it failed with, or name the failure.',
    )
  const { signature, culprit } = failure

  async function attempt(part: Part): Promise<Outcome> {
    const report = await replayPart(partOf(content, part), part.asap)
    // Generated substitutes for removed exchanges may fail by chance.
    const isChance = report.guessed?.some((orderId) => !first.guessed?.includes(orderId)) ?? false
    return isChance ? 'unresolved' : outcomeOf(report, signature)
  }

  const causes = causesOf(content.exchanges)
  const minimised = await minimise({
    exchanges: content.exchanges,
    culprit,
    culpritMayGo: signature.kind === 'invariant',
    causes: (recordId) => causes.get(recordId) ?? [],
    lane: laneOf,
    ...compact({ drives: options.drives }),
    mayShrink: partnersBody,
    attempt,
    budget: { replays: options.mostReplays - 1, isOver },
    ...compact({ onStage }),
  })
  const small = partOf(content, minimised.part)
  const result = { ...minimised, replays }
  return {
    ...result,
    failure,
    content: small,
    paragraph: paragraph({
      all: content.exchanges,
      left: small.exchanges,
      culprit,
      signature,
      minimised: result,
    }),
  }
}
