/**
 * Plays one run of a scenario against an open session: steps with their faults, the end of faults, recovery until the
 * session is quiescent, and tolerances. Opens and closes nothing; every wait has a timeout.
 */
import { compact } from '../base/compact.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { defaultAsks } from '../session-api/configuration/subject.ts'
import {
  failedExpectations,
  hasFailedForGood,
  inconclusiveVerdicts,
  uncheckedViews,
  unexercisedRules,
  wrongAtHosts,
} from './expectations.ts'
import {
  contractRuleId,
  isAdviceVerdict,
  type Verdict,
  verdictsByFinding,
} from '../rules/invariants/verdict.ts'
import { Hosts } from './hosts.ts'
import { createStepActions, newOrderOf } from './step-actions.ts'
import { StepFailure } from './shared-shapes.ts'
import {
  type ScenarioFailure,
  type OrderOutcome,
  type ScenarioOutcome,
  type StepOutcome,
  type UnexercisedClaim,
} from './outcome.ts'
import { isUnknownCall, type SubjectRequest } from './ask-subject.ts'
import type { StepContext } from './step-context.ts'
import { recover, type RecoveryContext, type SettleLimit } from './recovery.ts'
import type { ScenarioRun } from './runs.ts'
import { isSlot, ordersIn } from './order-diagnostics.ts'
import { performStep, stepEntryOf, stepText } from './steps.ts'
import { type ScheduledAction, createScenarioClock } from './scenario-clock.ts'
import { type ScenarioObserver, SessionObserver } from './observer.ts'
import { unusedCapability } from './unused-capability.ts'
import type { Session } from '../session-api/session.ts'
import { faultPort } from '../faults/port.ts'
import type { CheckedFault } from '../engine/faults/fault.ts'

/** Dependencies and callbacks that the caller provides. */
export interface PlayEnvironment {
  /** Waits on the machine's clock, in ms, or until aborted. */
  readonly sleep: (ms: number, enough: AbortSignal) => Promise<void>
  /** Queries the subject for its own status of an order, where that is possible. */
  readonly view?: ((orderId: string) => Promise<string | undefined>) | undefined
  /** Sends a request to the subject's own API; returns the HTTP status. */
  readonly requestSubject?: ((visit: SubjectRequest) => Promise<number>) | undefined
  /** Paths of the subject for an `ask` without one. */
  readonly asks?: Configuration['subject']['asks'] | undefined
  /** Restarts the subject, where we started it. */
  readonly restartSubject?: (() => Promise<void>) | undefined
  /** Aborts the run: interrupted, or the subject is gone. */
  readonly enough?: AbortSignal | undefined
  /** Called with the current step in one line. */
  readonly onStep?: ((text: string) => void) | undefined
  /** Time limits of the judge, in ms. */
  readonly tolerances?: Pick<Configuration['tolerances'], 'converge' | 'grace'> | undefined
  /** A run that is cut short: after the steps, and when one of them failed. */
  readonly settle?: SettleLimit | undefined
  /** Whether all that is looked for is known, so that the end need not be waited for. */
  readonly isDecided?: ((session: Session) => boolean) | undefined
  /** Whether the verdict of a rule is waited for: each is when absent. */
  readonly awaits?: ((rule: string) => boolean) | undefined
  /**
   * The observer of the run, where the subject is let in before the run begins: calls that it makes as it starts count.
   * Disposed of at the end.
   */
  readonly observer?: ScenarioObserver | undefined
}

const defaultLimits = { converge: 120_000, grace: 10_000 } as const

/** Scheduled placements (`at`) of orders, the next one first. */
function scheduledPlacements(
  { scenario }: ScenarioRun,
  begin: number,
  place: (slot: string) => Promise<void>,
) {
  const waiting = Object.entries(scenario.orders)
    .flatMap(([slot, { at }]) => (at === undefined ? [] : [{ slot, at: begin + at }]))
    .sort((one, other) => one.at - other.at)
  return (): ScheduledAction | undefined => {
    const [first] = waiting
    if (!first) return undefined
    return {
      at: first.at,
      run: async () => {
        waiting.shift()
        await place(first.slot)
      },
    }
  }
}

async function playSteps(
  { scenario }: ScenarioRun,
  performer: StepContext,
  { onStep }: PlayEnvironment,
  enough: AbortSignal,
): Promise<{
  readonly steps: readonly StepOutcome[]
  readonly failures: readonly ScenarioFailure[]
  /** Steps that could not be played, by no mistake of the service. */
  readonly missed: readonly UnexercisedClaim[]
  /** The orders that these are about. */
  readonly missedOrders: ReadonlySet<string>
}> {
  const missed: UnexercisedClaim[] = []
  const missedOrders = new Set<string>()
  const steps: StepOutcome[] = []
  const failures: ScenarioFailure[] = []
  for (const [index, step] of scenario.steps.entries()) {
    const entry = stepEntryOf(step)
    const text = stepText(entry)
    const at = await performer.clock.now()
    const report = { number: index + 1, text, at }
    if (failures.length > 0 || enough.aborted) {
      steps.push({ ...report, result: 'skipped' })
      continue
    }
    onStep?.(text)
    try {
      await performStep(entry, performer)
      steps.push({ ...report, result: 'done' })
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      const { message: because, occasion } = error
      const isLate = occasion === 'late'
      const path = ['steps', index, entry.kind]
      steps.push({ ...report, result: isLate ? 'done' : 'failed', because })
      const sentence = `step ${index + 1} (${text}): ${because}`
      if (occasion) {
        missed.push({ id: `step ${index + 1}`, isClaimed: true, path, because: sentence })
        for (const { slot } of ordersIn(entry, path)) missedOrders.add(slot)
      }
      if (!isLate) failures.push({ kind: 'step', path, because: sentence })
    }
  }
  return { steps, failures, missed, missedOrders }
}

/** Runs recovery to its end; a scheduled order that cannot be placed is a failure, and the others are still placed. */
async function runRecovery(recovering: RecoveryContext): Promise<readonly ScenarioFailure[]> {
  const failures: ScenarioFailure[] = []
  for (;;)
    try {
      await recover(recovering)
      return failures
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      failures.push({ kind: 'step', path: ['orders'], because: error.message })
    }
}

async function ordersOf(
  { session, observer, view }: Pick<StepContext, 'session' | 'observer' | 'view'>,
  verdicts: readonly Verdict[],
): Promise<readonly OrderOutcome[]> {
  const orders: OrderOutcome[] = []
  const isCounted = verdicts.some(({ id, premises }) => id === 'EF-1' && premises > 0)
  for (const [slot, orderId] of observer.orders.slots) {
    const shown = await view?.(orderId)
    const { order } = isCounted ? await session.look({ orderId }) : {}
    orders.push({
      slot,
      orderId,
      statuses: observer.orders.statusesOf(orderId),
      sequence: observer.sequence(orderId),
      ...compact({ view: shown, effects: order?.effects }),
    })
  }
  return orders
}

/** Advice of a rule; that of a contract also where other findings of it are failures. */
const adviceVerdicts = (verdict: Verdict): readonly Verdict[] =>
  verdict.id === contractRuleId
    ? verdictsByFinding(verdict, ({ advice }) => advice === true)
    : isAdviceVerdict(verdict)
      ? [verdict]
      : []

/** The role that the run observes; without a subject our own Software Service. */
const observedRole = ({ subject }: ScenarioRun['scenario']) =>
  subject === 'none' ? ('software-service' as const) : subject

export const observerOf = ({ scenario }: ScenarioRun, session: Session): ScenarioObserver =>
  new SessionObserver(session, observedRole(scenario))

async function unusedIn(
  scenario: ScenarioRun['scenario'],
  failures: readonly ScenarioFailure[],
  observer: ScenarioObserver,
) {
  const { invariants } = await import('../rules/invariants/catalogue.ts')
  const callsOfRule = (id: string) => {
    const calls = invariants.find((each) => each.id === id)?.calls
    return calls === 'all' ? [] : (calls ?? [])
  }
  return unusedCapability({ scenario, failures, observer, callsOfRule })
}

/** Whether a fault, in its notation of one line, draws which messages it distorts. */
function isLeftToChance(text: string): boolean {
  const checked = faultPort.check(text)
  const isDrawn = (each: CheckedFault) => (each.percent ?? each.outlastPercent) !== undefined
  return checked.ok && checked.value.some(isDrawn)
}

/** Faults that met no message, although none was left to chance: whatever they were to show was not shown. */
async function unmetFaults(session: Session): Promise<readonly UnexercisedClaim[]> {
  const { faults } = await session.look({ faults: true })
  return faults
    .filter(({ fired, text }) => fired === 0 && !isLeftToChance(text))
    .map(({ id, text, idle = 'nothing of it was tried' }) => ({
      id: `fault ${id}`,
      isClaimed: false,
      path: ['faults'],
      because: `the fault ${text} met no message: ${idle}`,
    }))
}

/** Whether the service is there: it has called, or answered a call as one that it knows. */
function watchService(session: Session) {
  let takesPart = false
  const stop = session.onExchange(({ from, to, reply }) => {
    const isAnswer =
      to.party === 'subject' && reply && reply.status < 500 && !isUnknownCall(reply.status)
    takesPart ||= from.party === 'subject' || isAnswer === true
  })
  return {
    /** What a run says in which it is not: that nothing failed says nothing then. */
    async absence(): Promise<readonly ScenarioFailure[]> {
      const { contact } = (await session.look({})).info
      if (takesPart || contact?.connected) return []
      const because = `your service took no part: it made no call, and answered none${contact?.unreachable === undefined ? '' : `. ${contact.unreachable}`}`
      return [{ kind: 'expectation', path: ['subject'], because }]
    },
    [Symbol.dispose]: stop,
  }
}

export async function playRun(
  run: ScenarioRun,
  session: Session,
  environment: PlayEnvironment,
): Promise<ScenarioOutcome> {
  const { scenario } = run
  const { view, restartSubject, tolerances = defaultLimits } = environment
  const enough = environment.enough ?? new AbortController().signal
  const hasSubject = scenario.subject !== 'none'
  using observer = environment.observer ?? observerOf(run, session)
  using service = watchService(session)
  const { info } = await session.look({})
  const begin = info.clock.now
  const next = scheduledPlacements(run, begin, async (slot) => {
    try {
      await actions.place(newOrderOf(scenario.orders[slot] ?? {}), slot)
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      throw new StepFailure(`${slot} could not be placed at its time: ${error.message}`)
    }
  })
  const clock = createScenarioClock({
    session,
    sleep: environment.sleep,
    nextScheduled: next,
    enough,
  })
  const { requestSubject, asks = defaultAsks } = environment
  const waitMs = tolerances.converge
  const { subject } = scenario
  const asking = { subject, asks, requestSubject }
  const actions = createStepActions({ session, observer, clock, waitMs, ...asking })
  const hosts = new Hosts({ session, observer, clock, actions, subject, waitMs, enough })
  const performer: StepContext = {
    hosts,
    orders: scenario.orders,
    session,
    observer,
    clock,
    actions,
    waitMs,
    settle: environment.settle,
    view,
    asks,
    requestSubject,
    restartSubject,
  }
  // A subject in this process may be in the middle of its first calls.
  if (info.clock.mode === 'virtual') await session.advance(0)

  const recoveryFailures: ScenarioFailure[] = []
  const played = await playSteps(run, performer, environment, enough)
  const { steps, failures, missed, missedOrders } = played
  await clock.resume()
  const isStuck = environment.settle !== undefined && failures.length > 0
  if (hasSubject && !enough.aborted && !isStuck) {
    const onWait = (left: string): void => environment.onStep?.(`wait for the end: ${left}`)
    const lastOrder = begin + Math.max(0, ...Object.values(scenario.orders).map(({ at = 0 }) => at))
    const recovering: RecoveryContext = {
      session,
      observer,
      clock,
      tolerances,
      settle: environment.settle,
      nextScheduled: next,
      hasFailed: failures.length > 0 && scenario.expect.steps !== 'any',
      lastScheduledAt: lastOrder,
      isDecided: () =>
        hasFailedForGood(scenario.expect, observer, session.verdicts) ||
        environment.isDecided?.(session) === true,
      awaits: environment.awaits,
      onWait,
    }
    recoveryFailures.push(...(await runRecovery(recovering)))
  }
  observer.read()
  const isEnded = failures.length > 0 && scenario.expect.steps !== 'any'
  const atHosts = enough.aborted || isEnded ? [] : await wrongAtHosts(scenario.expect, hosts)
  const stopped = enough.aborted
  const verdicts = stopped ? [] : await session.judge()
  const orders = stopped ? [] : await ordersOf(performer, verdicts)
  const { expect } = scenario
  const hasView = view !== undefined
  const wrong = stopped
    ? failures
    : [
        ...(scenario.expect.steps === 'any' ? [] : failures),
        ...recoveryFailures,
        ...atHosts,
        ...failedExpectations({ expect, orders, verdicts, observer, hasView }),
      ]
  const isGreen = hasSubject && !stopped && wrong.length === 0
  const failed = isGreen ? await service.absence() : wrong
  const unused =
    failed.length > 0 && !stopped ? await unusedIn(scenario, failed, observer) : undefined
  /** Where all steps were played, what is expected of another order than late ones are about counts all the same. */
  const mayFollow = ([, , slot]: ScenarioFailure['path']): boolean =>
    failures.length > 0 || !isSlot(String(slot)) || missedOrders.has(String(slot))
  const isOccasionMissed =
    hasSubject &&
    !stopped &&
    missed.length > 0 &&
    failed.length > 0 &&
    failed.every(({ kind, path }) => kind !== 'invariant' && mayFollow(path))
  const isDoubtful = inconclusiveVerdicts({ expect: scenario.expect, verdicts }).length > 0
  return {
    run,
    result: stopped
      ? 'stopped'
      : failed.length > 0
        ? 'failed'
        : isDoubtful
          ? 'inconclusive'
          : 'passed',
    failures: failed,
    ...compact({ unused }),
    ...(isOccasionMissed ? { isOccasionMissed } : {}),
    steps,
    orders,
    verdicts,
    advice: verdicts.flatMap(adviceVerdicts),
    unexercised:
      stopped || !hasSubject
        ? []
        : [
            ...missed,
            ...(await unmetFaults(session)),
            ...unexercisedRules({ expect, verdicts }),
            ...(hasView ? [] : uncheckedViews(scenario)),
          ],
    endings: session.endings(),
    seed: info.seed,
    tookMs: (await clock.now()) - begin,
    journal: { facts: observer.orders.facts(), digest: observer.orders.digest() },
  }
}
