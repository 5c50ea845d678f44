/** What reporters are told: plain data, from which every one of them makes its own text. */
import type { Place } from '../../edge/files/data-file.ts'
import type { Failure, Outcome } from '../../scenario/outcome.ts'

/** A failure, and where the scenario says otherwise. */
export interface Located extends Failure {
  readonly place?: Place
}

export interface RunReport {
  readonly number: number
  readonly total: number
  readonly file: string
  readonly title: string
  readonly repetition: number
  readonly seed: number
  /** `stopped`: it was broken off, and says nothing. */
  readonly result: 'passed' | 'failed' | 'skipped' | 'stopped'
  /** Why it was skipped or stopped. */
  readonly because?: string
  readonly outcome?: Outcome
  readonly failures: readonly Located[]
  /** On the machine's clock. */
  readonly tookMs: number
  /** What to type to play this one again. */
  readonly again: string
  /** The last lines that your service wrote. */
  readonly output?: readonly string[]
  readonly hint?: string
}

export interface Report {
  readonly version: string
  readonly runs: readonly RunReport[]
  readonly tookMs: number
  /** Why it could not go on: told once, for all that was not played. */
  readonly halted?: string
  readonly interrupted?: true
  /** Runs that came out differently when they were repeated, by their titles. */
  readonly unstable: readonly string[]
}

export const count = ({ runs }: Report, result: RunReport['result']): number =>
  runs.filter((each) => each.result === result).length
