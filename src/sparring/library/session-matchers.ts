/** Matchers of sessions for `expect.extend` of Vitest and Jest. */
import { notExercisedText, type Verdict } from '../../core/rules/invariants/verdict.ts'
import { problem } from '../../core/base/problem.ts'
import { formatDuration, parseDuration } from '../../core/protocol/duration.ts'
import type { Session } from '../../core/session-api/session.ts'
import { brokenRules, brokenRulesText, notConvergedText } from './failure-text.ts'
import { untilConverged, waitUntil } from '../../core/runtime/wait-until.ts'

// Lets a session go on until it has converged, or a limit of its time is over.

/** First and longest step of a clock that is advanced, in ms of the session's time. */
const firstStepMs = 1000
const maxStepMs = 30_000
interface Convergence {
  /** What has not converged; empty when everything has. */
  readonly reasons: readonly string[]
  /** The session's time that has passed, in ms. */
  readonly tookMs: number
}

/** A real clock is waited for; a virtual or stepped one is advanced, in steps that grow. */
async function convergeWithin(session: Session, limitMs: number): Promise<Convergence> {
  const { mode, speed, now: start } = (await session.look({})).info.clock
  const condition = untilConverged(session)
  const tookMs = (): number => session.clock.now() - start
  if (mode === 'real') {
    const { observed } = await waitUntil(session, condition, {
      timeoutMs: limitMs / speed,
    })
    return { reasons: observed.because, tookMs: tookMs() }
  }
  let stepMs = firstStepMs
  for (;;) {
    const { because: reasons } = await condition.look()
    const leftMs = limitMs - tookMs()
    if (reasons.length === 0 || leftMs <= 0) return { reasons, tookMs: tookMs() }
    await session.advance(Math.min(stepMs, leftMs))
    stepMs = Math.min(maxStepMs, stepMs * 2)
  }
}

export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

export interface RuleOptions {
  /** Ids of rules that must have been exercised: none of them passes because nothing happened. */
  readonly exercised?: readonly string[]
}

export interface ConvergeOptions {
  /**
   * The session's time that it may take: milliseconds, or a text such as `30s`, `5m`. Defaults to ten minutes on the virtual
   * and the stepped clock, which waits for nothing, and to four seconds on the real one.
   */
  readonly within?: number | string
}

const defaultVirtualMs = 600_000
/** Below the five seconds after which Vitest and Jest end a test. */
const defaultRealMs = 4000

/** An option that is misspelt would be passed over, and the matcher would pass. */
function checkOptions(matcher: string, options: object, name: 'exercised' | 'within'): void {
  const unknown = Object.keys(options).find((key) => key !== name)
  if (unknown !== undefined)
    throw problem(`checking with ${matcher}`, `it has no option ${unknown}`, `It has ${name}.`)
}

const isSession = (value: unknown): value is Session =>
  typeof value === 'object' && value !== null && 'verdicts' in value && 'look' in value

const isVerdict = (value: unknown): value is Verdict =>
  typeof value === 'object' && value !== null && 'outcome' in value && 'findings' in value

const describeValue = (value: unknown): string =>
  Array.isArray(value)
    ? 'a list that holds no verdicts'
    : value === null
      ? 'null'
      : `a value of type ${typeof value}`

const noSession = (matcher: string, received: unknown, remedy: string) =>
  problem(`checking with ${matcher}`, `it was given ${describeValue(received)}`, remedy)

const nothingExercised = (matcher: string) =>
  problem(
    `checking with ${matcher}`,
    'no rule has been exercised: your service has had nothing to do, or has taken no part',
    'Create an order, and let it come to its end first: await expect(session).toConverge() says what is missing.',
  )

function verdictsOf(received: unknown): readonly Verdict[] {
  const matcher = 'toHaveNoBrokenRules'
  if (isSession(received)) {
    // Without a judge there are no verdicts: the matcher could not fail.
    if (!received.hasRules())
      throw problem(
        `checking with ${matcher}`,
        'no rule is checked in this session: no service takes part, or tolerances.on is false',
        "Say which role your service plays: openSession({ as: 'software-service', subject }).",
      )
    if (!received.hasExercisedRules()) throw nothingExercised(matcher)
    return received.verdicts('all')
  }
  if (Array.isArray(received) && received.length > 0 && received.every(isVerdict)) {
    if (received.every(({ outcome }) => outcome === 'not-exercised'))
      throw nothingExercised(matcher)
    return received
  }
  throw noSession(
    matcher,
    received,
    'Give it a session, or the verdicts of session.judge() or of the control API.',
  )
}

function limitOf({ within }: ConvergeOptions, isReal: boolean): number {
  if (within === undefined) return isReal ? defaultRealMs : defaultVirtualMs
  const ms = typeof within === 'number' ? within : parseDuration(within)
  if (ms !== undefined && Number.isFinite(ms) && ms >= 0) return ms
  throw problem(
    'checking with toConverge',
    `within is ${JSON.stringify(within)}, which is no length of time`,
    "Give milliseconds, or a text such as '30s' or '5m'.",
  )
}

/**
 * Matchers for `expect.extend(matchers)`; `sparring/vitest` and `sparring/jest` register them with their types.
 * @example
 * expect.extend(matchers)
 * await expect(session).toConverge({ within: '5m' })
 * expect(session).toHaveNoBrokenRules()
 */
export const matchers = {
  /**
   * Passes when rules were exercised, those of `exercised` among them, and none is broken. Takes a session, or a list of
   * verdicts.
   */
  toHaveNoBrokenRules(received: unknown, options: RuleOptions = {}): MatcherResult {
    const { exercised = [] } = options
    checkOptions('toHaveNoBrokenRules', options, 'exercised')
    if (!Array.isArray(exercised))
      throw problem(
        'checking with toHaveNoBrokenRules',
        `exercised is ${describeValue(exercised)}`,
        "Give the ids of rules: ['SE-1'].",
      )
    const verdicts = verdictsOf(received)
    const broken = brokenRules(verdicts)
    const unexercised = exercised.flatMap((id) => notExercisedText(id, verdicts) ?? [])
    return {
      pass: broken.length === 0 && unexercised.length === 0,
      message: () =>
        broken.length > 0
          ? brokenRulesText(broken)
          : unexercised.length > 0
            ? `No rule is broken, but ${unexercised.join('; ')}.`
            : 'Expected a broken rule, but none is broken.',
    }
  },

  /**
   * Lets time pass until nothing is due, both sides agree about every order, and no rule is open. A session without an
   * order has not converged.
   */
  async toConverge(received: unknown, options: ConvergeOptions = {}): Promise<MatcherResult> {
    if (!isSession(received))
      throw noSession('toConverge', received, 'Give it the session of openSession.')
    checkOptions('toConverge', options, 'within')
    const { mode } = (await received.look({})).info.clock
    const limitMs = limitOf(options, mode === 'real')
    const { reasons, tookMs } = await convergeWithin(received, limitMs)
    return {
      pass: reasons.length === 0,
      message: () =>
        reasons.length === 0
          ? `Expected the session not to converge, but it has after ${formatDuration(Math.round(tookMs))}.`
          : notConvergedText(reasons, `${formatDuration(limitMs)} of its time`),
    }
  },
}

/** The matchers as methods of an assertion. */
export interface SparringMatchers<Result = void> {
  /**
   * Passes when no rule is broken, and those of `exercised` were exercised; the message lists the broken rules with their
   * evidence, remedy and clauses, or says what a rule needs to be exercised.
   * @throws Problem when no rule is checked or exercised, or the value is neither a session nor a list of verdicts.
   */
  toHaveNoBrokenRules(options?: RuleOptions): Result
  /**
   * Lets the session go on until both sides agree about every order and no rule is open; the message says what has not
   * converged. Await it.
   * @throws Problem when the value is no session, or `within` is no length of time.
   */
  toConverge(options?: ConvergeOptions): Promise<void>
}
