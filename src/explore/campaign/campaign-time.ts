/**
 * The time of a campaign: its limit is kept. Learning and the search have their shares of it, so that what they find is
 * played again and kept before it is over; shrinking comes last. Without a limit everything can be begun.
 */

export interface CampaignTimeOptions {
  readonly maxMs?: number | undefined
  /** The wall clock, in ms. */
  readonly now: () => number
  /** How long it takes after the faults until what must come in the end is judged, in ms; no time when absent. */
  readonly judgingMs?: (() => number) | undefined
  /** Aborts when so much of the campaign's time has passed, in ms; without it nothing that has begun ends early. */
  readonly deadline?: ((atMs: number) => AbortSignal) | undefined
}

/** What takes time: schedules that are drawn, kept scenarios that are played again, and rounds of shrinking. */
export type TimedWork = 'search' | 'confirm' | 'shrink'

/** Of the whole: what is without faults ends by then. */
const learningShare = 0.25
/** The longest fault phase after the steps of a schedule: one that is found is played again within the rest. */
const faultPhaseShare = 0.125
/** So many times as long as that is a batch that cannot be played to its end. */
const phasesOfRound = 1.6
/** What is left at most for what the search finds, and to keep it. */
const maxConfirmingShare = 0.4
/** The same where the search had found nothing by then. */
const minConfirmingShare = 0.2
const maxKeepingShare = 0.25
/** What was found needs so many sessions until it is kept. */
const sessionsToKeep = 2

const never = new AbortController().signal

/** When the part without faults ends, in ms. */
export const learningEndMs = (maxMs: number): number => learningShare * maxMs

/** The longest fault phase that fits into a campaign, in wall-clock ms. */
export const longestFaultPhaseMs = (maxMs = Number.POSITIVE_INFINITY): number =>
  faultPhaseShare * maxMs

/** The same of a strategy that asks for a longer one. */
export const longestOwnFaultPhaseMs = (maxMs = Number.POSITIVE_INFINITY): number => maxMs / 2

export class CampaignTime {
  /** Ends what is learned without faults. */
  readonly learning: AbortSignal
  /** Ends everything. */
  readonly over: AbortSignal
  readonly #options: CampaignTimeOptions
  readonly #beganMs: number
  readonly #maxMs: number
  /** The latest duration of each, in ms. */
  readonly #tookMs: Record<TimedWork, number> = { search: 0, confirm: 0, shrink: 0 }

  constructor(options: CampaignTimeOptions) {
    this.#options = options
    this.#beganMs = options.now()
    this.#maxMs = options.maxMs ?? Number.POSITIVE_INFINITY
    this.learning = this.#deadline(learningEndMs(this.#maxMs))
    this.over = this.#deadline(this.#maxMs)
  }

  passedMs(): number {
    return this.#options.now() - this.#beganMs
  }

  /** The search had its share; it goes on where nothing was found that is to be played again. */
  isSearchExtended(): boolean {
    return this.passedMs() >= this.#searchEndMs()
  }

  /** Ends what the search begins now. */
  searching(): AbortSignal {
    return this.#deadline(this.#endOf('search'))
  }

  /**
   * Ends a batch of schedules that is begun now: where there is no time for what must come in the end, soon after the faults, so
   * that others can follow.
   */
  searchingWithFaults(): AbortSignal {
    const phaseMs = longestFaultPhaseMs(this.#maxMs)
    const endMs = this.#endOf('search')
    const isJudged = this.passedMs() + phaseMs + (this.#options.judgingMs?.() ?? 0) <= endMs
    const roundMs = isJudged ? Number.POSITIVE_INFINITY : phasesOfRound * phaseMs
    return this.#deadline(Math.min(endMs, this.passedMs() + roundMs))
  }

  /** Whether there is time for it. */
  canBegin(work: TimedWork): boolean {
    const neededMs = work === 'search' ? this.#tookMs.search / 2 : this.#tookMs[work]
    return this.passedMs() + neededMs < this.#endOf(work)
  }

  /** Measures how long it takes. */
  async measured<Result>(work: TimedWork, task: () => Promise<Result>): Promise<Result> {
    const began = this.passedMs()
    const result = await task()
    this.#tookMs[work] = this.passedMs() - began
    return result
  }

  #endOf(work: TimedWork): number {
    if (work === 'confirm') return this.#maxMs
    if (work === 'shrink')
      return this.#without(sessionsToKeep * this.#tookMs.confirm, maxKeepingShare)
    return this.isSearchExtended()
      ? this.#without(this.#sessionMs(), minConfirmingShare)
      : this.#searchEndMs()
  }

  #searchEndMs(): number {
    return this.#without(sessionsToKeep * this.#sessionMs(), maxConfirmingShare)
  }

  /** How long a session takes: as long as it likes, before there was one. */
  #sessionMs(): number {
    return Math.max(this.#tookMs.search, this.#tookMs.confirm) || this.#maxMs
  }

  /** The end, but for what is left after it: at most a share of the whole. */
  #without(leftMs: number, share: number): number {
    return Number.isFinite(this.#maxMs)
      ? this.#maxMs - Math.min(share * this.#maxMs, leftMs)
      : this.#maxMs
  }

  #deadline(atMs: number): AbortSignal {
    const { deadline } = this.#options
    return deadline && Number.isFinite(atMs) ? deadline(atMs) : never
  }
}
