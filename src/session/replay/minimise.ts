/**
 * The smallest part of a recording that still fails: replays it in parts, each in a session of its own on fresh names,
 * until nothing can go. It connects the search with the drivers; it decides nothing.
 */
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
  /** Another one for each, so that no name is used twice. */
  readonly seed: number
  /** Nothing waits for the recording's time. */
  readonly asap: boolean
}

export interface SearchOptions {
  readonly content: RecordingContent
  /** Replays a part; whatever driver does it. */
  readonly replay: (trial: Trial) => Promise<ReplayReport>
  readonly seed: number
  /** What such a replay goes by: what somebody decided, or sent. The rest is only compared. */
  readonly drives?: ReadonlySet<string>
  /** The failure that is searched for; the one that the first replay shows when absent. */
  readonly signature?: Signature
  readonly mostReplays: number
  readonly isOver: () => boolean
  readonly onStage?: (stage: Stage) => void
}

export interface Searched extends Minimised {
  readonly failure: Failure
  /** The part as a recording. */
  readonly content: RecordingContent
  /** To be sent to whoever can mend it. */
  readonly paragraph: string
}

/** An exchange belongs to its order, or to whatever else it is about; to the session when it is about nothing. */
const laneOf = (exchange: RecordedExchange): string => {
  const [first] = entitiesOf(exchange)
  return exchange.orderId ?? (first ? `${first.kind} ${first.id}` : '')
}

/**
 * Throws a `Problem` when nothing in the recording fails, so that there is nothing to search for. Interrupted, it answers
 * the best that it has found by then.
 */
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
    // What is made up in place of what was left out may fail by luck.
    const isLuck = report.guessed?.some((orderId) => !first.guessed?.includes(orderId)) ?? false
    return isLuck ? 'unresolved' : outcomeOf(report, signature)
  }

  const causes = causesOf(content.exchanges)
  const minimised = await minimise({
    exchanges: content.exchanges,
    culprit,
    culpritMayGo: signature.kind === 'invariant',
    causes: (recordId) => causes.get(recordId) ?? [],
    lane: laneOf,
    ...(options.drives ? { drives: options.drives } : {}),
    mayShrink: partnersBody,
    attempt,
    budget: { replays: options.mostReplays - 1, isOver },
    ...(onStage ? { onStage } : {}),
  })
  const small = partOf(content, minimised.part)
  const told = { ...minimised, replays }
  return {
    ...told,
    failure,
    content: small,
    paragraph: paragraph({
      all: content.exchanges,
      left: small.exchanges,
      culprit,
      signature,
      minimised: told,
    }),
  }
}
